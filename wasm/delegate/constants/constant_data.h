#ifndef TFLITE_WEBNN_DELEGATE_CONSTANTS_CONSTANT_DATA_H_
#define TFLITE_WEBNN_DELEGATE_CONSTANTS_CONSTANT_DATA_H_

#include <cstdint>
#include <vector>

#include "delegate/graph/data_type.h"
#include "delegate/model/graph_view.h"
#include "delegate/quantization/affine.h"
#include "support/status.h"

// Unpacks and permutes a model's constants once, while a graph is built, rather than on each run.
namespace tflite::webnn {

// Rejects a constant that DecompressConstant and DecompressFloats cannot read.
Status ValidateConstant(const TensorView& tensor);

// The elements of a constant in its own type: sparse ones densified, float16 ones that a DEQUANTIZE unpacks
// as float32. ValidateConstant must accept it.
std::vector<uint8_t> DecompressConstant(const TensorView& tensor);

// The elements of a constant as float32, whatever its type: the real numbers of a quantized one. Gives that part of
// their bytes, or all if that is no more work. ValidateConstant must accept it.
std::vector<uint8_t> DecompressFloats(const TensorView& tensor, ByteRange part);

// The real numbers of a dense int2, int4, int8, uint8, int16, int32 or int64 tensor, as bytes of float32.
std::vector<uint8_t> ScaleIntegers(const TfLiteTensor& tensor, const AffineQuantization& quantization);

// The parameters of a tensor that has a scale for each block of its last axis; null for others.
const TfLiteBlockwiseQuantization* BlocksOf(const TfLiteTensor& tensor);

// Rejects `scales` without a float16 for each block of the tensor.
Status ValidateBlocks(const TensorView& tensor, const TensorView& scales);

// A part of the real numbers of a constant that is quantized in blocks. ValidateBlocks and ValidateConstant must
// accept it.
std::vector<uint8_t> DecompressBlocks(const TensorView& tensor, const TensorView& scales, ByteRange part);

// The bytes of a tensor whose axis i is the source's axis permutation[i]. `data` has the source's layout.
std::vector<uint8_t> PermuteAxes(const OperandDescriptor& source, const std::vector<int>& permutation,
                                 const void* data);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_CONSTANTS_CONSTANT_DATA_H_
