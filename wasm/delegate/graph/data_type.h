#ifndef TFLITE_WEBNN_DELEGATE_GRAPH_DATA_TYPE_H_
#define TFLITE_WEBNN_DELEGATE_GRAPH_DATA_TYPE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tensorflow/lite/core/c/common.h"

namespace tflite::webnn {

// MLOperandDataType, https://www.w3.org/TR/webnn/#enumdef-mloperanddatatype
enum class DataType : uint8_t {
  kFloat32,
  kFloat16,
  kInt32,
  kUint32,
  kInt64,
  kUint64,
  kInt8,
  kUint8,
};

// The WebNN spelling, for example "float32".
const char* DataTypeName(DataType type);

size_t DataTypeSizeBytes(DataType type);

// Empty for types that this delegate does not use (for example "int4").
std::optional<DataType> DataTypeFromName(std::string_view name);

// Empty for types that WebNN lacks. kTfLiteBool becomes uint8, the type of WebNN's logical operators.
std::optional<DataType> DataTypeFromTfLite(TfLiteType type);

struct ByteRange {
  uint64_t start;
  uint64_t size_bytes;
};

// MLOperandDescriptor, https://www.w3.org/TR/webnn/#dictdef-mloperanddescriptor
struct OperandDescriptor {
  DataType data_type = DataType::kFloat32;
  std::vector<int> shape;

  int rank() const { return static_cast<int>(shape.size()); }
  uint64_t element_count() const;
  uint64_t size_bytes() const { return element_count() * DataTypeSizeBytes(data_type); }
  bool operator==(const OperandDescriptor&) const = default;
};

// "[1,224,224,3]"
std::string ShapeText(const std::vector<int>& shape);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_GRAPH_DATA_TYPE_H_
