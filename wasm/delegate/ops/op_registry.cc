#include "delegate/ops/op_registry.h"

#include <array>
#include <cstring>

#include "delegate/ops/families.h"
#include "support/json_writer.h"
#include "tensorflow/lite/kernels/kernel_util.h"
#include "tensorflow/lite/schema/schema_generated.h"
#include "tflite_kernels/op_table.h"

namespace tflite::webnn {
namespace {

const OpEntry* FindOp(int builtin_code, const char* name) {
  for (const OpEntries* family : kFamilies) {
    for (const OpEntry& row : *family) {
      if (row.builtin_code != builtin_code) continue;
      if (row.custom_name == nullptr || std::strcmp(row.custom_name, name) == 0) return &row;
    }
  }
  return nullptr;
}

// Rejects an op without a row if it is known why it has none.
Status CheckOp(int builtin_code) {
  if (builtin_code == kTfLiteBuiltinCustom) return {};
  for (const RejectedOp& rejected : RejectedOps()) {
    if (rejected.builtin_code == builtin_code) return Unsupported(rejected.reason);
  }
  return FindOpInfo(builtin_code, "") == nullptr ? Unsupported("TFLite itself has no kernel for it") : Status();
}

// False after a rejection.
bool CheckRow(const OpEntry* row, const OpView& op, GraphBuilder& builder) {
  const std::string name = op.name();
  if (row == nullptr) {
    const Status status = CheckOp(op.builtin_code());
    builder.Reject(status.ok() ? "the delegate has no lowering for " + name : name + ": " + status.message());
    return false;
  }
  const OpInfo& info = *FindOpInfo(op.builtin_code(), op.name());
  if (op.version() > info.max_version) {
    builder.Reject(name + " has version " + std::to_string(op.version()) + ", the delegate knows versions up to " +
                   std::to_string(info.max_version));
  }
  // A variable that the runner took out of the graph has no handle.
  const int input_count = op.builtin_code() == kTfLiteBuiltinAssignVariable ? 1 : info.signature.inputs.min;
  for (int i = 0; i < input_count; ++i) {
    if (!op.HasInput(i) && !info.signature.IsOptional(i)) builder.Reject("input " + std::to_string(i) + " is missing");
  }
  return !builder.rejected();
}

const char* QuantizedText(QuantizedMeaning meaning) {
  switch (meaning) {
    case QuantizedMeaning::kReal:
      return "real";
    case QuantizedMeaning::kCopied:
      return "copied";
    case QuantizedMeaning::kInteger:
      return "integer";
    default:
      return "";
  }
}

void DescribeCount(const char* key, TensorCount count, JsonWriter& json) {
  json.BeginArray(key);
  json.Value(count.min);
  if (count.max != kAny) json.Value(count.max);
  json.EndArray();
}

// `info` is null if TFLite has no kernel.
void DescribeOp(int builtin_code, const OpInfo* info, JsonWriter& json) {
  const char* custom_name = info ? info->custom_name : nullptr;
  const OpEntry* row = FindOp(builtin_code, custom_name);
  json.NewLine();
  json.BeginObject();
  json.Field("op", custom_name ? custom_name : EnumNameBuiltinOperator(BuiltinOperator(builtin_code)));
  json.Field("custom", custom_name != nullptr);
  if (info != nullptr) {
    json.Field("versions", std::array{info->min_version, info->max_version});
    DescribeCount("inputs", info->signature.inputs, json);
    DescribeCount("outputs", info->signature.outputs, json);
  }
  if (row != nullptr) {
    json.Field("webnnOps", row->webnn_ops);
    json.Field("limits", row->limits);
    json.Field("quantized", QuantizedText(row->quantized));
  } else if (const Status status = CheckOp(builtin_code); !status.ok()) {
    json.Field("reason", status.message());
  }
  json.EndObject();
}

}  // namespace

const OpEntry* FindOp(const OpView& op) { return FindOp(op.builtin_code(), op.name()); }

void LowerNode(const OpView& op, QuantizedForm form, GraphBuilder& builder) {
  builder.BeginNode(op, form);
  if (op.IsFolded()) {
    for (int i = 0; i < op.output_count(); ++i) {
      if (NumElements(&op.output(i).tensor()) > 0) builder.Tensor(op.output(i));
    }
    return;
  }
  const OpEntry* row = FindOp(op);
  const Operand result = CheckRow(row, op, builder) ? row->lower(op, builder) : Operand();
  if (result.valid()) builder.SetOutput(op, 0, result);
}

std::string DescribeOps() {
  JsonWriter json;
  json.BeginArray();
  for (const OpInfo& info : AllOps()) DescribeOp(info.builtin_code, &info, json);
  for (const BuiltinOperator code : EnumValuesBuiltinOperator()) {
    const bool is_described = code == BuiltinOperator_CUSTOM || FindOpInfo(code, "") != nullptr;
    if (!is_described) DescribeOp(code, nullptr, json);
  }
  json.EndArray();
  return json.Take();
}

}  // namespace tflite::webnn
