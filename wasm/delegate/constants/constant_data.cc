#include "delegate/constants/constant_data.h"

#include <cstring>

#include "delegate/constants/sparse_data.h"
#include "fp16.h"
#include "support/elements.h"
#include "tensorflow/lite/kernels/kernel_util.h"

namespace tflite::webnn {
namespace {

// 0 for int2 and int4, whose elements share bytes, and for types without a fixed size.
size_t ElementSizeBytes(TfLiteType type) {
  switch (type) {
    case kTfLiteInt8:
    case kTfLiteUInt8:
    case kTfLiteBool:
      return 1;
    case kTfLiteFloat16:
    case kTfLiteInt16:
      return 2;
    case kTfLiteFloat32:
    case kTfLiteInt32:
    case kTfLiteUInt32:
      return 4;
    case kTfLiteInt64:
      return 8;
    default:
      return 0;
  }
}

std::vector<uint8_t> DenseBytes(const TfLiteTensor& tensor) {
  const size_t element_size_bytes = ElementSizeBytes(tensor.type);
  if (tensor.sparsity != nullptr) return Densify(tensor, element_size_bytes);
  const auto* bytes = reinterpret_cast<const uint8_t*>(tensor.data.raw_const);
  return std::vector<uint8_t>(bytes, bytes + tensor.bytes);
}

// 0 for types whose elements are bytes, or several.
int BitsOf(TfLiteType type) { return type == kTfLiteInt2 ? 2 : type == kTfLiteInt4 ? 4 : 0; }

// An element of 2 or 4 bits, of which the first of a byte is in the lowest ones.
int64_t SharedByteAt(const uint8_t* bytes, int bits, int64_t i) {
  const int per_byte = 8 / bits;
  const int value = bytes[i / per_byte] >> (i % per_byte * bits) & ((1 << bits) - 1);
  return value >> (bits - 1) != 0 ? value - (1 << bits) : value;
}

int64_t IntegerAt(TfLiteType type, const uint8_t* bytes, int64_t i) {
  switch (type) {
    case kTfLiteInt2:
    case kTfLiteInt4:
      return SharedByteAt(bytes, BitsOf(type), i);
    case kTfLiteInt8:
      return ElementAt<int8_t>(bytes, i);
    case kTfLiteInt16:
      return ElementAt<int16_t>(bytes, i);
    case kTfLiteInt32:
      return ElementAt<int32_t>(bytes, i);
    case kTfLiteInt64:
      return ElementAt<int64_t>(bytes, i);
    default:
      return ElementAt<uint8_t>(bytes, i);
  }
}

ByteRange AllFloats(const TfLiteTensor& tensor) {
  return {0, static_cast<uint64_t>(NumElements(&tensor)) * sizeof(float)};
}

// The bytes of float32 elements. They are not copied again: they may be large.
template <typename Element>
std::vector<uint8_t> FloatBytes(ByteRange part, Element element) {
  std::vector<uint8_t> bytes(part.size_bytes);
  for (size_t at = 0; at < bytes.size(); at += sizeof(float)) {
    const float value = element(static_cast<int64_t>((part.start + at) / sizeof(float)));
    std::memcpy(&bytes[at], &value, sizeof(float));
  }
  return bytes;
}

std::vector<uint8_t> ScaleDenseIntegers(const TfLiteTensor& tensor, const uint8_t* bytes,
                                        const AffineQuantization& quantization, ByteRange part) {
  const int64_t channel_count = static_cast<int64_t>(quantization.scales.size());
  int64_t inner = 1;  // elements between one channel and the next
  for (int axis = quantization.dimension + 1; axis < tensor.dims->size; ++axis) inner *= tensor.dims->data[axis];
  return FloatBytes(part, [&](int64_t i) {
    const int64_t channel = channel_count == 1 ? 0 : i / inner % channel_count;
    const int64_t integer = IntegerAt(tensor.type, bytes, i);
    return quantization.scales[channel] * static_cast<float>(integer - quantization.zero_points[channel]);
  });
}

// The tensor whose quantization applies to a constant: its origin, or the output of DENSIFY if its input has none.
const TfLiteTensor& QuantizedOrigin(const TensorView& tensor) {
  const TfLiteTensor& origin = tensor.origin().tensor();
  return IsQuantized(origin) ? origin : tensor.tensor();
}

Status ValidateSize(const TfLiteTensor& tensor) {
  const size_t element_size_bytes = ElementSizeBytes(tensor.type);
  if (tensor.sparsity != nullptr) {
    if (element_size_bytes != 0 && IsSparseAndSound(tensor, element_size_bytes)) return {};
    return Unsupported("is sparse with indices outside of its shape or of its data");
  }
  const size_t count = NumElements(&tensor);
  const int bits = BitsOf(tensor.type);
  const size_t needed_bytes = bits != 0 ? (count * bits + 7) / 8 : count * element_size_bytes;
  if (needed_bytes > 0 && tensor.bytes >= needed_bytes) return {};
  return Unsupported("has fewer bytes than its shape needs");
}

}  // namespace

Status ValidateConstant(const TensorView& tensor) {
  const TfLiteTensor& origin = tensor.origin().tensor();
  if (NumElements(&origin) != NumElements(&tensor.tensor())) {
    return Unsupported("has another shape than the constant it is unpacked from");
  }
  if (tensor.type() != kTfLiteFloat32 && tensor.type() != origin.type) {
    return Unsupported("has another type than the constant it is unpacked from");
  }
  RETURN_IF_ERROR(ValidateSize(origin));
  const bool is_float = origin.type == kTfLiteFloat32 || origin.type == kTfLiteFloat16;
  if (is_float || tensor.type() != kTfLiteFloat32) return {};
  if (IsQuantized(origin)) return std::move(ReadAffineQuantization(origin).status);
  return Unsupported("is unpacked from integers without a scale");
}

std::vector<uint8_t> DecompressConstant(const TensorView& tensor) {
  const TfLiteTensor& origin = tensor.origin().tensor();
  return tensor.type() == kTfLiteFloat32 ? DecompressFloats(tensor, AllFloats(origin)) : DenseBytes(origin);
}

std::vector<uint8_t> DecompressFloats(const TensorView& tensor, ByteRange part) {
  const TfLiteTensor& origin = tensor.origin().tensor();
  if (origin.type == kTfLiteFloat32) return DenseBytes(origin);
  const auto* bytes = reinterpret_cast<const uint8_t*>(origin.data.raw_const);
  std::vector<uint8_t> densified;
  if (origin.sparsity != nullptr) {
    densified = DenseBytes(origin);
    bytes = densified.data();
    part = AllFloats(origin);
  }
  if (origin.type == kTfLiteFloat16) {
    return FloatBytes(part, [&](int64_t i) { return fp16_ieee_to_fp32_value(ElementAt<uint16_t>(bytes, i)); });
  }
  return ScaleDenseIntegers(origin, bytes, *ReadAffineQuantization(QuantizedOrigin(tensor)), part);
}

std::vector<uint8_t> ScaleIntegers(const TfLiteTensor& tensor, const AffineQuantization& quantization) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(tensor.data.raw_const);
  return ScaleDenseIntegers(tensor, bytes, quantization, AllFloats(tensor));
}

const TfLiteBlockwiseQuantization* BlocksOf(const TfLiteTensor& tensor) {
  if (tensor.quantization.type != kTfLiteBlockwiseQuantization) return nullptr;
  return static_cast<const TfLiteBlockwiseQuantization*>(tensor.quantization.params);
}

Status ValidateBlocks(const TensorView& tensor, const TensorView& scales) {
  const int block_size = BlocksOf(tensor.tensor())->blocksize;
  if (block_size <= 0 || tensor.rank() == 0 || tensor.dim(-1) % block_size != 0) {
    return Unsupported("is quantized in blocks that do not divide its last axis");
  }
  const bool are_halves = scales.IsConstant() && !scales.IsCompressed() && scales.type() == kTfLiteFloat16;
  const int64_t block_count = NumElements(&tensor.tensor()) / block_size;
  const bool fits =
      NumElements(&scales.tensor()) == block_count && scales.tensor().bytes >= block_count * sizeof(uint16_t);
  if (are_halves && fits) return {};
  return Unsupported("is quantized in blocks without a constant float16 scale for each");
}

std::vector<uint8_t> DecompressBlocks(const TensorView& tensor, const TensorView& scales, ByteRange part) {
  const int block_size = BlocksOf(tensor.tensor())->blocksize;
  const auto* halves = reinterpret_cast<const uint8_t*>(scales.tensor().data.raw_const);
  const bool is_sparse = tensor.tensor().sparsity != nullptr;
  const std::vector<uint8_t> densified = is_sparse ? DenseBytes(tensor.tensor()) : std::vector<uint8_t>();
  const auto* bytes = is_sparse ? densified.data() : reinterpret_cast<const uint8_t*>(tensor.tensor().data.raw_const);
  return FloatBytes(is_sparse ? AllFloats(tensor.tensor()) : part, [&](int64_t i) {
    const float scale = fp16_ieee_to_fp32_value(ElementAt<uint16_t>(halves, i / block_size));
    return scale * static_cast<float>(IntegerAt(tensor.type(), bytes, i));
  });
}

std::vector<uint8_t> PermuteAxes(const OperandDescriptor& source, const std::vector<int>& permutation,
                                 const void* data) {
  const size_t element_size_bytes = DataTypeSizeBytes(source.data_type);
  const int rank = source.rank();
  std::vector<size_t> source_strides(rank, 1);
  for (int axis = rank - 2; axis >= 0; --axis) {
    source_strides[axis] = source_strides[axis + 1] * source.shape[axis + 1];
  }
  std::vector<uint8_t> result(source.size_bytes());
  std::vector<int> position(rank, 0);  // in the result
  for (size_t at = 0; at < result.size(); at += element_size_bytes) {
    size_t offset = 0;
    for (int axis = 0; axis < rank; ++axis) offset += position[axis] * source_strides[permutation[axis]];
    std::memcpy(&result[at], static_cast<const uint8_t*>(data) + offset * element_size_bytes, element_size_bytes);
    for (int axis = rank - 1; axis >= 0 && ++position[axis] == source.shape[permutation[axis]]; --axis) {
      position[axis] = 0;
    }
  }
  return result;
}

}  // namespace tflite::webnn
