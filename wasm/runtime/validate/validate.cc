#include "runtime/validate/validate.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "runtime/validate/budget.h"
#include "runtime/validate/flatbuffer.h"
#include "runtime/validate/graph.h"
#include "runtime/validate/node_info.h"
#include "tensorflow/compiler/mlir/lite/schema/schema_utils.h"
#include "tensorflow/lite/schema/schema_generated.h"
#include "tensorflow/lite/version.h"
#include "tflite_kernels/op_resolver.h"
#include "tflite_kernels/op_table.h"

namespace tflite::webnn {
namespace {

constexpr char kFlexPrefix[] = "Flex";
constexpr char kEdgeTpuOpName[] = "edgetpu-custom-op";
// Root offset and file identifier.
constexpr size_t kSmallestModelSizeBytes = 8;

Status ValidateBytes(const uint8_t* buffer, size_t size_bytes) {
  if (size_bytes < kSmallestModelSizeBytes || !ModelBufferHasIdentifier(buffer)) {
    return Error(error_code::kNotATfliteModel, "not a TensorFlow Lite model: the ", size_bytes,
                 " bytes do not carry the identifier 'TFL3'. Was an error page, or a model of another format, loaded?");
  }
  RETURN_IF_ERROR(ValidateFlatbuffer(buffer, size_bytes));
  return ValidateBudget(*GetModel(buffer), size_bytes);
}

Status CustomOpError(const std::string& name) {
  Status::Details details = {{"op", name}};
  if (name == kEdgeTpuOpName) {
    return {error_code::kEdgeTpuOp,
            "the model was compiled for the Edge TPU (op 'edgetpu-custom-op'). Use the .tflite file from before "
            "edgetpu_compiler",
            std::move(details)};
  }
  const bool is_flex = name.rfind(kFlexPrefix, 0) == 0;
  const std::string what =
      is_flex ? "TensorFlow op '" + name.substr(sizeof(kFlexPrefix) - 1) +
                    "' through Flex (Select TF ops), which this runtime does not have. Convert "
                    "the model with TFLITE_BUILTINS only"
              : "custom op '" + name + "', for which this runtime has no kernel. Convert the model without it";
  return {is_flex ? error_code::kFlexOp : error_code::kUnresolvedCustomOp,
          "the model uses the " + what +
              ", or compute the op in JavaScript: loadTFLiteModel() of tflite-webnn accepts it as the option customOps",
          std::move(details)};
}

// The model's ops that this module lacks.
std::string MissingOps(const Model& model) {
  std::set<std::string> missing;
  for (const OperatorCode* code : *model.operator_codes()) {
    const BuiltinOperator builtin = GetBuiltinCode(code);
    const bool is_custom = builtin == BuiltinOperator_CUSTOM && code->custom_code() != nullptr;
    const std::string name = is_custom ? code->custom_code()->str() : EnumNameBuiltinOperator(builtin);
    if (FindOpInfo(builtin, name.c_str()) != nullptr && !IsInBuild(name)) missing.insert(name);
  }
  std::string names;
  for (const std::string& name : missing) names += (names.empty() ? "" : ", ") + name;
  return names;
}

Status ValidateOps(const Model& model) {
  if (model.operator_codes() == nullptr) return {};
  const std::string missing = MissingOps(model);
  if (!missing.empty()) {
    return {error_code::kOpsNotInBuild,
            "this module was built for certain models, without the ops " + missing +
                " that this model has. Build it for all of them: python3 build.py build --model FILE --model FILE ..., "
                "or load a module with all ops",
            {{"ops", missing}}};
  }
  for (const OperatorCode* code : *model.operator_codes()) {
    const BuiltinOperator builtin = GetBuiltinCode(code);
    if (builtin > BuiltinOperator_MAX || builtin < BuiltinOperator_MIN) {
      return Malformed("op code ", int{builtin}, " does not exist");
    }
  }
  return {};
}

// Files above 2 GB store content behind the flatbuffer, by offset and size. TensorFlow Lite compares their sum with the
// file's size, and the sum may overflow.
bool LiesOutside(uint64_t offset, uint64_t size, size_t size_bytes) {
  return offset > 1 && (offset > size_bytes || size > size_bytes - offset);
}

Status ValidateOutsideContent(const Model& model, size_t size_bytes) {
  for (int64_t i = 0; i < SizeOf(model.buffers()); ++i) {
    const Buffer& buffer = *model.buffers()->Get(i);
    if (LiesOutside(buffer.offset(), buffer.size(), size_bytes)) {
      return Malformed("buffer ", i, " lies outside of the file");
    }
  }
  for (const SubGraph* subgraph : *model.subgraphs()) {
    for (int64_t i = 0; i < SizeOf(subgraph->operators()); ++i) {
      const Operator& op = *subgraph->operators()->Get(i);
      if (LiesOutside(op.large_custom_options_offset(), op.large_custom_options_size(), size_bytes)) {
        return Malformed("the options of node ", i, " lie outside of the file");
      }
    }
  }
  return {};
}

Status ValidateGraphs(const Model& model, const OpResolver& resolver) {
  if (SizeOf(model.subgraphs()) == 0) {
    return Malformed("it has no subgraph");
  }
  for (const SubGraph* subgraph : *model.subgraphs()) {
    RETURN_IF_ERROR(ValidateGraph(model, *subgraph, resolver));
  }
  return ValidateCalls(model);
}

bool NamesTensors(const flatbuffers::Vector<flatbuffers::Offset<TensorMap>>* names, int64_t tensor_count) {
  for (int64_t i = 0; i < SizeOf(names); ++i) {
    if (names->Get(i)->tensor_index() >= tensor_count) return false;
  }
  return true;
}

// Runs after the validation of the graphs: signatures name their tensors.
Status ValidateSignatures(const Model& model) {
  for (int64_t i = 0; i < SizeOf(model.signature_defs()); ++i) {
    const SignatureDef& signature = *model.signature_defs()->Get(i);
    const std::string name = "signature " + std::to_string(i);
    if (signature.subgraph_index() >= SizeOf(model.subgraphs())) {
      return Malformed(name, " names a subgraph that does not exist");
    }
    const int64_t tensor_count = SizeOf(model.subgraphs()->Get(signature.subgraph_index())->tensors());
    if (!NamesTensors(signature.inputs(), tensor_count) || !NamesTensors(signature.outputs(), tensor_count)) {
      return Malformed(name, " names a tensor that does not exist");
    }
  }
  return {};
}

Status ValidateModel(uint8_t* buffer, size_t size_bytes, const OpResolver& resolver, int main_subgraph) {
  RETURN_IF_ERROR(ValidateBytes(buffer, size_bytes));
  const Model& model = *GetModel(buffer);
  ClearResults(buffer);
  if (model.version() != TFLITE_SCHEMA_VERSION) {
    return Error(error_code::kUnsupportedSchemaVersion, "the model has schema version ", model.version(),
                 ", this runtime reads version ", TFLITE_SCHEMA_VERSION);
  }
  // Ops first: if this runtime lacks an op, report that rather than any other problem.
  RETURN_IF_ERROR(ValidateOps(model));
  RETURN_IF_ERROR(ValidateCustomOps(model, main_subgraph, resolver));
  RETURN_IF_ERROR(ValidateGraphs(model, resolver));
  RETURN_IF_ERROR(ValidateSignatures(model));
  return ValidateOutsideContent(model, size_bytes);
}

}  // namespace

// Some converters list ops that they have replaced: only those of nodes count.
Status ValidateCustomOps(const Model& model, int64_t subgraph_index, const OpResolver& resolver) {
  for (int64_t i : RunnableOpCodes(model, subgraph_index)) {
    const OperatorCode* code = model.operator_codes()->Get(i);
    if (GetBuiltinCode(code) != BuiltinOperator_CUSTOM) continue;
    const std::string name = code->custom_code() ? code->custom_code()->str() : "";
    if (resolver.FindOp(name.c_str(), code->version()) == nullptr) return CustomOpError(name);
  }
  return {};
}

Status Validate(uint8_t* buffer, size_t size_bytes, const OpResolver& resolver, int main_subgraph) {
  Status status = ValidateModel(buffer, size_bytes, resolver, main_subgraph);
  const bool is_malformed = !status.ok() && std::string_view(status.code()) == error_code::kMalformedModel;
  return is_malformed ? std::move(status).WithPrefix("malformed TensorFlow Lite model: ") : std::move(status);
}

}  // namespace tflite::webnn
