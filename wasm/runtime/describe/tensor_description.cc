#include "runtime/describe/tensor_description.h"

#include <algorithm>
#include <cctype>

namespace tflite::webnn {
namespace {

std::string TypeName(TfLiteType type) {
  std::string name = TfLiteTypeGetName(type);
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  return name;
}

void WriteQuantization(JsonWriter& json, const TfLiteTensor& tensor) {
  json.Key("quantization");
  if (tensor.quantization.type != kTfLiteAffineQuantization || tensor.quantization.params == nullptr) {
    json.Null();
    return;
  }
  const auto& params = *static_cast<const TfLiteAffineQuantization*>(tensor.quantization.params);
  json.BeginObject();
  json.Key("scales");
  json.BeginArray();
  for (int i = 0; params.scale && i < params.scale->size; ++i) json.Float(params.scale->data[i]);
  json.EndArray();
  json.Key("zeroPoints");
  json.BeginArray();
  for (int i = 0; params.zero_point && i < params.zero_point->size; ++i) json.Int(params.zero_point->data[i]);
  json.EndArray();
  json.Key("quantizedDimension");
  json.Int(params.quantized_dimension);
  json.EndObject();
}

}  // namespace

void WriteDims(JsonWriter& json, const TfLiteIntArray* dims) {
  json.BeginArray();
  for (int i = 0; dims && i < dims->size; ++i) json.Int(dims->data[i]);
  json.EndArray();
}

void BeginTensor(JsonWriter& json, const TfLiteTensor& tensor, int index) {
  json.NewLine();
  json.BeginObject();
  json.Key("index");
  json.Int(index);
  json.Key("name");
  json.String(tensor.name ? tensor.name : "");
  json.Key("dtype");
  json.String(TypeName(tensor.type));
  json.Key("shape");
  if (tensor.dims != nullptr) {
    WriteDims(json, tensor.dims);
  } else {
    json.Null();  // scratch memory of an unprepared kernel
  }
  json.Key("shapeSignature");
  const bool has_signature = tensor.dims_signature != nullptr && tensor.dims_signature->size > 0;
  WriteDims(json, has_signature ? tensor.dims_signature : tensor.dims);
  json.Key("sizeBytes");
  json.Int(static_cast<int64_t>(tensor.bytes));
  WriteQuantization(json, tensor);
}

void WriteTensors(JsonWriter& json, const char* key, const Session& session, const std::vector<int>& indices,
                  int subgraph_index) {
  json.Key(key);
  json.BeginArray();
  for (int index : indices) {
    BeginTensor(json, *session.tensor(index, subgraph_index), index);
    json.EndObject();
  }
  json.EndArray();
}

}  // namespace tflite::webnn
