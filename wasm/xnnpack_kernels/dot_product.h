#ifndef TFLITE_WEBNN_XNNPACK_KERNELS_DOT_PRODUCT_H_
#define TFLITE_WEBNN_XNNPACK_KERNELS_DOT_PRODUCT_H_

namespace tflite::webnn {

// What relaxed SIMD's 8-bit dot product computes here, as far as XNNPACK uses it: bytes of the second operand may have
// any value, signed or unsigned. None without relaxed SIMD, and where sums of two products saturate.
enum class DotProduct { kNone, kSigned, kUnsigned };

// XNNPACK's result, from trying it once.
DotProduct AcceptedDotProduct();

// As reports name it: `none`, `signed` or `unsigned`.
const char* NameOf(DotProduct dot_product);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_XNNPACK_KERNELS_DOT_PRODUCT_H_
