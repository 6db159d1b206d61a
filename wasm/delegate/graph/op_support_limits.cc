#include "delegate/graph/op_support_limits.h"

#include <vector>

#include "support/text.h"

namespace tflite::webnn {
namespace {

bool ParseOperandRow(const std::vector<std::string_view>& fields, OperandLimits* limits) {
  if (fields.size() != 4) return false;
  for (std::string_view name : SplitText(fields[1], ',')) {
    if (const auto type = DataTypeFromName(name)) limits->data_types |= 1u << static_cast<int>(*type);
  }
  return ParseNumber(fields[2], &limits->min_rank) && ParseNumber(fields[3], &limits->max_rank);
}

}  // namespace

std::string OperandLimits::DataTypesText() const {
  std::string text;
  for (int i = 0; i <= static_cast<int>(DataType::kUint8); ++i) {
    if (!Accepts(static_cast<DataType>(i))) continue;
    if (!text.empty()) text += ", ";
    text += DataTypeName(static_cast<DataType>(i));
  }
  return text;
}

StatusOr<OpSupportLimits> OpSupportLimits::Parse(std::string_view text) {
  OpSupportLimits limits;
  for (std::string_view line : SplitText(text, '\n')) {
    const std::vector<std::string_view> fields = SplitText(line, ' ');
    if (fields.empty() || fields[0] == "preferredInputLayout") continue;
    bool parsed;
    if (fields[0] == "maxTensorByteLength") {
      parsed = fields.size() == 2 && ParseNumber(fields[1], &limits.max_tensor_size_bytes_);
    } else {
      parsed = ParseOperandRow(fields, &limits.rows_[std::string(fields[0])]);
    }
    if (!parsed) return Error(error_code::kInvalidOption, "opSupportLimits: cannot read the line '", line, "'");
  }
  return limits;
}

void OpSupportLimits::WorkAround(Workarounds workarounds) {
  workarounds_ = workarounds;
  for (const LimitedRank& limited : kLimitedRanks) {
    if (!workarounds.Has(limited.workaround)) continue;
    for (std::string_view operand : SplitText(limited.operands, ' ')) {
      const auto row = rows_.find(operand);
      if (row == rows_.end() || row->second.max_rank <= limited.max_rank) continue;
      row->second.max_rank = limited.max_rank;
      row->second.limited_by.Add(limited.workaround);
    }
  }
}

const OperandLimits* OpSupportLimits::Find(std::string_view op, std::string_view operand) const {
  std::string key(op);
  key += '.';
  key += operand;
  return FindGraphOperand(key);
}

const OperandLimits* OpSupportLimits::FindGraphOperand(std::string_view kind) const {
  const auto row = rows_.find(kind);
  return row == rows_.end() ? nullptr : &row->second;
}

bool OpSupportLimits::HasOperator(std::string_view op) const {
  std::string prefix(op);
  prefix += '.';
  const auto row = rows_.lower_bound(prefix);
  return row != rows_.end() && row->first.compare(0, prefix.size(), prefix) == 0;
}

}  // namespace tflite::webnn
