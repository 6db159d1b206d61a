#include "delegate/op_registry.h"

#include <cstring>

#include "delegate/json_writer.h"
#include "delegate/ops/families.h"
#include "tensorflow/lite/kernels/kernel_util.h"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tflite::webnn {
namespace {

// nullptr if no row matches.
template <typename Predicate>
const OpRow* FindRow(Predicate matches) {
  for (const OpRows* family : kFamilies) {
    for (const OpRow& row : *family) {
      if (matches(row)) return &row;
    }
  }
  return nullptr;
}

// nullptr for ops that have a lowering, and for custom ops.
const char* FindRefusal(int builtin_code) {
  for (const RefusedOp& refused : RefusedOps()) {
    if (refused.builtin_code == builtin_code) return refused.reason;
  }
  return nullptr;
}

// False after a refusal.
bool CheckRow(const OpRow* row, const OpView& op, GraphBuilder& builder) {
  const std::string name = op.name();
  if (row == nullptr) {
    const char* reason = FindRefusal(op.builtin_code());
    builder.Refuse(reason ? name + ": " + reason : "the delegate has no lowering for " + name);
  } else if (op.version() > row->max_version) {
    builder.Refuse(name + " has version " + std::to_string(op.version()) + ", the delegate knows versions up to " +
                   std::to_string(row->max_version));
  } else {
    for (int i = 0; i < row->min_inputs; ++i) {
      if (!op.HasInput(i)) builder.Refuse("input " + std::to_string(i) + " is missing");
    }
  }
  return !builder.refused();
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

void DescribeRow(const OpRow& row, JsonWriter& json) {
  json.NewLine();
  json.BeginObject();
  json.Key("op");
  json.String(row.custom_name ? row.custom_name : EnumNameBuiltinOperator(BuiltinOperator(row.builtin_code)));
  json.Key("custom");
  json.Bool(row.custom_name != nullptr);
  json.Key("maxVersion");
  json.Int(row.max_version);
  json.Key("webnnOps");
  json.String(row.webnn_ops);
  json.Key("limits");
  json.String(row.limits);
  json.Key("quantized");
  json.String(QuantizedText(row.quantized));
  json.EndObject();
}

}  // namespace

const OpRow* FindOp(const OpView& op) {
  return FindRow([&op](const OpRow& row) {
    if (row.builtin_code != op.builtin_code()) return false;
    return row.custom_name == nullptr || std::strcmp(row.custom_name, op.name()) == 0;
  });
}

void LowerNode(const OpView& op, QuantizedForm form, GraphBuilder& builder) {
  builder.BeginNode(op, form);
  if (op.IsFolded()) {
    for (int i = 0; i < op.output_count(); ++i) {
      if (NumElements(&op.output(i).tensor()) > 0) builder.Tensor(op.output(i));
    }
    return;
  }
  const OpRow* row = FindOp(op);
  if (CheckRow(row, op, builder)) row->lower(op, builder);
}

std::string DescribeOps() {
  JsonWriter json;
  json.BeginObject();
  json.Key("lowered");
  json.BeginArray();
  for (const OpRows* family : kFamilies) {
    for (const OpRow& row : *family) DescribeRow(row, json);
  }
  json.EndArray();
  json.Key("refused");
  json.BeginArray();
  for (const BuiltinOperator code : EnumValuesBuiltinOperator()) {
    if (FindRow([code](const OpRow& row) { return row.builtin_code == code; }) != nullptr) continue;
    const char* reason = FindRefusal(code);
    json.NewLine();
    json.BeginObject();
    json.Key("op");
    json.String(EnumNameBuiltinOperator(code));
    json.Key("reason");
    json.String(reason ? reason : "");
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
  return json.Take();
}

}  // namespace tflite::webnn
