#include "delegate/graph/data_type.h"

namespace tflite::webnn {
namespace {

struct DataTypeRow {
  DataType type;
  const char* name;
  size_t size_bytes;
  TfLiteType tflite_type;
};

constexpr DataTypeRow kDataTypes[] = {
    {DataType::kFloat32, "float32", 4, kTfLiteFloat32}, {DataType::kFloat16, "float16", 2, kTfLiteFloat16},
    {DataType::kInt32, "int32", 4, kTfLiteInt32},       {DataType::kUint32, "uint32", 4, kTfLiteUInt32},
    {DataType::kInt64, "int64", 8, kTfLiteInt64},       {DataType::kUint64, "uint64", 8, kTfLiteUInt64},
    {DataType::kInt8, "int8", 1, kTfLiteInt8},          {DataType::kUint8, "uint8", 1, kTfLiteUInt8},
};

}  // namespace

const char* DataTypeName(DataType type) { return kDataTypes[static_cast<int>(type)].name; }

size_t DataTypeSizeBytes(DataType type) { return kDataTypes[static_cast<int>(type)].size_bytes; }

std::optional<DataType> DataTypeFromName(std::string_view name) {
  for (const DataTypeRow& row : kDataTypes) {
    if (name == row.name) return row.type;
  }
  return std::nullopt;
}

std::optional<DataType> DataTypeFromTfLite(TfLiteType type) {
  if (type == kTfLiteBool) return DataType::kUint8;
  for (const DataTypeRow& row : kDataTypes) {
    if (type == row.tflite_type) return row.type;
  }
  return std::nullopt;
}

uint64_t OperandDescriptor::element_count() const {
  uint64_t count = 1;
  for (int dimension : shape) count *= static_cast<uint64_t>(dimension);
  return count;
}

std::string ShapeText(const std::vector<int>& shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i) {
    if (i > 0) text += ',';
    text += std::to_string(shape[i]);
  }
  return text + "]";
}

}  // namespace tflite::webnn
