#include "runner/model_check.h"

#include <cstring>
#include <string>
#include <vector>

#include "flatbuffers/verifier.h"
#include "tensorflow/compiler/mlir/lite/schema/schema_utils.h"
#include "tensorflow/lite/schema/schema_generated.h"
#include "tensorflow/lite/version.h"

namespace tflite::webnn {
namespace {

constexpr char kFlexPrefix[] = "Flex";
constexpr char kEdgeTpuOpName[] = "edgetpu-custom-op";
// Root offset and file identifier.
constexpr size_t kSmallestModelSizeBytes = 8;

RunnerError CheckFlatbuffer(const uint8_t* buffer, size_t size_bytes) {
  const std::string size_text = std::to_string(size_bytes) + " bytes";
  if (size_bytes < kSmallestModelSizeBytes || !ModelBufferHasIdentifier(buffer)) {
    return {error_code::kNotATfliteModel,
            "not a TensorFlow Lite model: the " + size_text +
                " do not carry the identifier 'TFL3'. Was an error page, or a model of another format, loaded?",
            {}};
  }
  flatbuffers::Verifier verifier(buffer, size_bytes);
  if (!VerifyModelBuffer(verifier)) {
    return {error_code::kMalformedModel,
            "malformed TensorFlow Lite model: the flatbuffer of " + size_text +
                " does not verify. The file is truncated or damaged; download it again",
            {}};
  }
  return {};
}

RunnerError CustomOpError(const std::string& name) {
  const std::map<std::string, std::string> details = {{"op", name}};
  if (name.rfind(kFlexPrefix, 0) == 0) {
    return {error_code::kFlexOp,
            "the model uses the TensorFlow op '" + name.substr(sizeof(kFlexPrefix) - 1) +
                "' through Flex (Select TF ops), "
                "which this runtime does not have. Convert the model with TFLITE_BUILTINS only",
            details};
  }
  if (name == kEdgeTpuOpName) {
    return {error_code::kEdgeTpuOp,
            "the model was compiled for the Edge TPU (op 'edgetpu-custom-op'). Use the .tflite file from before "
            "edgetpu_compiler",
            details};
  }
  return {error_code::kUnresolvedCustomOp,
          "the model uses the custom op '" + name + "', for which this runtime has no kernel", details};
}

RunnerError CheckOps(const Model& model, const OpResolver& resolver) {
  if (model.operator_codes() == nullptr) return {};
  for (const OperatorCode* code : *model.operator_codes()) {
    const BuiltinOperator builtin = GetBuiltinCode(code);
    const int version = code->version();
    if (builtin == BuiltinOperator_CUSTOM) {
      const std::string name = code->custom_code() ? code->custom_code()->str() : "";
      if (resolver.FindOp(name.c_str(), version) == nullptr) return CustomOpError(name);
    } else if (builtin > BuiltinOperator_MAX || builtin < BuiltinOperator_MIN) {
      return {error_code::kMalformedModel,
              "malformed TensorFlow Lite model: op code " + std::to_string(builtin) + " does not exist",
              {}};
    }
  }
  return {};
}

// The verifier checks the flatbuffer, not the graph: indices that point nowhere crash the runtime.
bool IndicesInRange(const flatbuffers::Vector<int32_t>* indices, int64_t count, bool optional_allowed) {
  if (indices == nullptr) return true;
  for (const int32_t index : *indices) {
    if (index >= count || index < (optional_allowed ? -1 : 0)) return false;
  }
  return true;
}

template <typename T>
int64_t SizeOf(const flatbuffers::Vector<T>* vector) {
  return vector ? vector->size() : 0;
}

// Nodes run in the order of the file, so what a node reads must have been made before.
std::string OrderProblem(const SubGraph& subgraph) {
  std::vector<int64_t> maker(SizeOf(subgraph.tensors()), -1);
  for (int64_t i = 0; i < SizeOf(subgraph.operators()); ++i) {
    const Operator& op = *subgraph.operators()->Get(i);
    for (int64_t j = 0; j < SizeOf(op.outputs()); ++j) maker[op.outputs()->Get(j)] = i;
  }
  for (int64_t i = 0; i < SizeOf(subgraph.operators()); ++i) {
    const Operator& op = *subgraph.operators()->Get(i);
    for (int64_t j = 0; j < SizeOf(op.inputs()); ++j) {
      const int32_t tensor = op.inputs()->Get(j);
      if (tensor >= 0 && maker[tensor] >= i && !subgraph.tensors()->Get(tensor)->is_variable()) {
        return "node " + std::to_string(i) + " reads tensor " + std::to_string(tensor) + ", which node " +
               std::to_string(maker[tensor]) + " makes only later";
      }
    }
  }
  return "";
}

std::string GraphProblem(const Model& model, const SubGraph& subgraph) {
  const int64_t tensor_count = SizeOf(subgraph.tensors());
  if (!IndicesInRange(subgraph.inputs(), tensor_count, false)) return "an input names a tensor that does not exist";
  if (!IndicesInRange(subgraph.outputs(), tensor_count, false)) return "an output names a tensor that does not exist";
  for (int64_t i = 0; i < tensor_count; ++i) {
    if (subgraph.tensors()->Get(i)->buffer() >= SizeOf(model.buffers())) {
      return "tensor " + std::to_string(i) + " names a buffer that does not exist";
    }
  }
  for (int64_t i = 0; i < SizeOf(subgraph.operators()); ++i) {
    const Operator& op = *subgraph.operators()->Get(i);
    if (op.opcode_index() >= SizeOf(model.operator_codes()) || !IndicesInRange(op.inputs(), tensor_count, true) ||
        !IndicesInRange(op.outputs(), tensor_count, false) ||
        !IndicesInRange(op.intermediates(), tensor_count, false)) {
      return "node " + std::to_string(i) + " names an op or a tensor that does not exist";
    }
  }
  return OrderProblem(subgraph);
}

RunnerError CheckGraphs(const Model& model) {
  if (SizeOf(model.subgraphs()) == 0) {
    return {error_code::kMalformedModel, "malformed TensorFlow Lite model: it has no subgraph", {}};
  }
  for (const SubGraph* subgraph : *model.subgraphs()) {
    const std::string problem = GraphProblem(model, *subgraph);
    if (!problem.empty()) return {error_code::kMalformedModel, "malformed TensorFlow Lite model: " + problem, {}};
  }
  return {};
}

}  // namespace

RunnerError CheckModel(const uint8_t* buffer, size_t size_bytes, const OpResolver& resolver) {
  RunnerError error = CheckFlatbuffer(buffer, size_bytes);
  if (!error.ok()) return error;
  const Model& model = *GetModel(buffer);
  if (model.version() != TFLITE_SCHEMA_VERSION) {
    return {error_code::kUnsupportedSchemaVersion,
            "the model has schema version " + std::to_string(model.version()) + ", this runtime reads version " +
                std::to_string(TFLITE_SCHEMA_VERSION),
            {}};
  }
  error = CheckGraphs(model);
  return error.ok() ? CheckOps(model, resolver) : error;
}

}  // namespace tflite::webnn
