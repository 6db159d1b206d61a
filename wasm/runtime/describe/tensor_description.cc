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
  if (tensor.quantization.type != kTfLiteAffineQuantization || tensor.quantization.params == nullptr) {
    return json.Field("quantization", nullptr);
  }
  const auto& params = *static_cast<const TfLiteAffineQuantization*>(tensor.quantization.params);
  json.BeginObject("quantization");
  json.Field("scales", ElementsOf(params.scale));
  json.Field("zeroPoints", ElementsOf(params.zero_point));
  json.Field("quantizedDimension", params.quantized_dimension);
  json.EndObject();
}

}  // namespace

void BeginTensor(JsonWriter& json, const TfLiteTensor& tensor, int index) {
  json.NewLine();
  json.BeginObject();
  json.Field("index", index);
  json.Field("name", tensor.name ? tensor.name : "");
  json.Field("dtype", TypeName(tensor.type));
  if (tensor.dims != nullptr) {
    json.Field("shape", ElementsOf(tensor.dims));
  } else {
    json.Field("shape", nullptr);  // scratch memory of an unprepared kernel
  }
  const bool has_signature = tensor.dims_signature != nullptr && tensor.dims_signature->size > 0;
  json.Field("shapeSignature", ElementsOf(has_signature ? tensor.dims_signature : tensor.dims));
  json.Field("sizeBytes", tensor.bytes);
  WriteQuantization(json, tensor);
}

void WriteTensors(JsonWriter& json, const char* key, const Session& session, const std::vector<int>& indices,
                  int subgraph_index) {
  json.BeginArray(key);
  for (int index : indices) {
    BeginTensor(json, *session.tensor(index, subgraph_index), index);
    json.EndObject();
  }
  json.EndArray();
}

}  // namespace tflite::webnn
