#ifndef TFLITE_WEBNN_DELEGATE_COST_COST_RATES_H_
#define TFLITE_WEBNN_DELEGATE_COST_COST_RATES_H_

namespace tflite::webnn {

// What runs cost, in milliseconds: WebNN of the tests' Chromium, which computes with TFLite on one thread, and XNNPACK
// in wasm on one thread. Fitted to the models of docs/reference/models.md and web_tests/models/models.toml. "OfDots"
// are rates of processors with AVX-VNNI, which wasm's dot product needs.
namespace webnn_rates {
inline constexpr double kRun = 0.27;  // write, dispatch and read, without the bytes
inline constexpr double kBoundaryByte = 3e-7;
inline constexpr double kOperator = 8e-4;
inline constexpr double kElement = 1.2e-7;
inline constexpr double kInt8Element = 9e-8;
inline constexpr double kTranscendentalElement = 3.4e-7;  // in addition
inline constexpr double kFloatProduct = 2.2e-8;
inline constexpr double kDepthwiseProduct = 5e-8;
inline constexpr double kInt8Product = 2.7e-8;
inline constexpr double kInt8ProductOfDots = 1.1e-8;
inline constexpr double kInt8DepthwiseProduct = 5.5e-8;
inline constexpr double kWeightByte = 1.05e-7;  // read in each run
}  // namespace webnn_rates

namespace cpu_rates {
inline constexpr double kNode = 3e-4;
inline constexpr double kElement = 4e-7;
inline constexpr double kCopiedElement = 1e-7;
inline constexpr double kInt8Element = 2e-7;
inline constexpr double kInt16Element = 2e-6;
inline constexpr double kTranscendentalElement = 1.2e-6;  // in addition
inline constexpr double kFloatProduct = 4.1e-8;
inline constexpr double kDepthwiseProduct = 6e-8;
inline constexpr double kInt8Product = 3.4e-8;
inline constexpr double kInt8ProductOfDots = 1.9e-8;
inline constexpr double kInt8DepthwiseProduct = 7e-8;
inline constexpr double kInt16Product = 3e-8;
inline constexpr double kInt16DepthwiseProduct = 8e-8;
// Float32 activations and packed weights: XNNPACK's kernels for int8, this project's for int4 and for depthwise
// convolutions.
inline constexpr double kDynamicProduct = 2.5e-8;
inline constexpr double kDynamicProductOfDots = 1.7e-8;        // int4 with a scale per channel, too
inline constexpr double kDynamicMatrixProductOfDots = 1.1e-8;  // int8 of FULLY_CONNECTED: no window is gathered
inline constexpr double kInt4Product = 3.7e-8;
inline constexpr double kInt4BlockProductOfDots = 2.6e-8;
inline constexpr double kDynamicDepthwiseProduct = 4.5e-7;
inline constexpr double kDynamicLargeDepthwiseProduct = 8.5e-8;  // of more than 25 elements per window
inline constexpr double kWeightByte = 7e-8;                      // read in each run
}  // namespace cpu_rates

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_COST_COST_RATES_H_
