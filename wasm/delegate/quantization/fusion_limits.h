// The numbers of the fusion rules, for fusion_rules.cc and for the polyfill's fusion_rules.ts:
// js/packages/webnn-polyfill/tools/generate.mjs makes a TypeScript module of the constants below, one a line.
#ifndef TFLITE_WEBNN_DELEGATE_QUANTIZATION_FUSION_LIMITS_H_
#define TFLITE_WEBNN_DELEGATE_QUANTIZATION_FUSION_LIMITS_H_

namespace tflite::webnn {

// Largest abs(input scale * filter scale - bias scale) / output scale.
inline constexpr double kMaxBiasError = 0.02;
// Smallest input scale / output scale of add and sub.
inline constexpr float kMinAddRatio = 1.0f / 1024;
// Smallest product of the input scales / output scale of mul.
inline constexpr float kMinMulRatio = 1.0f / 65536;
// The ratios of add, sub and mul stay below this.
inline constexpr float kRatioEnd = 256;
// Largest difference between the scales of a pool's input and output.
inline constexpr float kMaxPoolScaleError = 1e-6f;
// Scale of results from 0 to 1, and its largest relative error where softmax takes one.
inline constexpr float kUnitScale = 1.0f / 256;
inline constexpr float kMaxUnitScaleError = 0.001f;
// Input scale / output scale of leakyRelu, which is also the smallest abs(alpha * ratio); and alpha * ratio.
inline constexpr float kMinLeakyRatio = 1.0f / 256;
inline constexpr float kMaxLeakyRatio = 128;
inline constexpr float kMinLeakySlope = -127.99609375f;

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_QUANTIZATION_FUSION_LIMITS_H_
