#include "delegate/graph/webnn_graph.h"

#include <algorithm>
#include <set>
#include <type_traits>

namespace tflite::webnn {
namespace {

void WriteOperand(JsonWriter& json, Operand operand) {
  json.BeginObject();
  json.Field("operand", operand.id);
  json.EndObject();
}

void WriteValue(JsonWriter& json, const Value& value) {
  std::visit(
      [&json](const auto& v) {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, Operand>) {
          WriteOperand(json, v);
        } else if constexpr (!std::is_same_v<T, std::vector<Operand>>) {
          json.Value(v);
        } else {
          json.BeginArray();
          for (Operand operand : v) WriteOperand(json, operand);
          json.EndArray();
        }
      },
      value);
}

void WriteDescriptor(JsonWriter& json, const OperandDescriptor& descriptor) {
  json.Field("dataType", DataTypeName(descriptor.data_type));
  json.Field("shape", descriptor.shape);
}

void WriteBoundary(JsonWriter& json, const WebnnGraph::BoundaryOperand& boundary) {
  json.BeginObject();
  json.Field("id", boundary.operand.id);
  json.Field("name", "t" + std::to_string(boundary.tensor_index));
  json.Field("tensor", boundary.tensor_index);
  if (boundary.widened_int16) {
    json.Field("tensorType", "int16");
  }
  WriteDescriptor(json, boundary.descriptor);
  json.EndObject();
}

void WriteConstant(JsonWriter& json, const WebnnGraph::Constant& constant) {
  json.BeginObject();
  json.Field("id", constant.operand.id);
  WriteDescriptor(json, constant.descriptor);
  json.Field("address", constant.address);
  json.Field("byteLength", constant.descriptor.size_bytes());
  json.EndObject();
}

void WriteIndexLimit(JsonWriter& json, const WebnnGraph::IndexLimit& limit) {
  json.BeginObject();
  json.Field("operand", limit.indices.id);
  json.Field("sizes", limit.sizes);
  json.EndObject();
}

void WriteOperator(JsonWriter& json, const WebnnGraph::Operator& node) {
  json.BeginObject();
  json.Field("op", node.op);
  json.Field("label", node.label);
  json.BeginArray("args");
  for (const Value& argument : node.arguments) WriteValue(json, argument);
  json.BeginObject();
  for (const Option& option : node.options) {
    json.Key(option.name);
    WriteValue(json, option.value);
  }
  json.EndObject();
  json.EndArray();
  json.BeginArray("outputs");
  for (Operand output : node.outputs) json.Value(output.id);
  json.EndArray();
  json.EndObject();
}

template <typename Range, typename Writer>
void WriteLines(JsonWriter& json, const char* key, const Range& range, Writer write) {
  json.BeginArray(key);
  for (const auto& element : range) {
    json.NewLine();
    write(json, element);
  }
  json.EndArray();
}

}  // namespace

void WebnnGraph::RemoveUnreachable() {
  std::set<int> reachable;
  for (const BoundaryOperand& output : outputs) reachable.insert(output.operand.id);
  // Operators are in execution order, so one pass from the end sees every consumer before its producer.
  std::vector<Operator> kept;
  for (auto node = operators.rbegin(); node != operators.rend(); ++node) {
    const bool needed = std::any_of(node->outputs.begin(), node->outputs.end(),
                                    [&](Operand output) { return reachable.count(output.id) > 0; });
    if (!needed) continue;
    ForEachOperand(*node, [&](Operand operand) { reachable.insert(operand.id); });
    kept.push_back(std::move(*node));
  }
  operators.assign(std::make_move_iterator(kept.rbegin()), std::make_move_iterator(kept.rend()));
  std::erase_if(inputs, [&](const BoundaryOperand& input) { return !reachable.count(input.operand.id); });
  std::erase_if(constants, [&](const Constant& constant) { return !reachable.count(constant.operand.id); });
  std::erase_if(index_limits, [&](const IndexLimit& limit) { return !reachable.count(limit.indices.id); });
}

void WebnnGraph::LimitConstants(uint64_t max_bytes) {
  std::set<int> large;
  for (const Constant& constant : constants) {
    if (constant.descriptor.size_bytes() > max_bytes) large.insert(constant.operand.id);
  }
  if (large.empty()) return;
  max_constant_bytes = max_bytes;
  for (const Operator& node : operators) {
    if (std::string_view(node.op) != "gemm") continue;
    const auto* weights = std::get_if<Operand>(&node.arguments[1]);
    if (weights != nullptr && large.count(weights->id)) workarounds.Add(Workaround::kLargeConstants);
  }
}

void WebnnGraph::WriteJson(JsonWriter& json) const {
  json.BeginObject();
  if (max_constant_bytes > 0) {
    json.Field("maxConstantBytes", max_constant_bytes);
  }
  WriteLines(json, "inputs", inputs, WriteBoundary);
  WriteLines(json, "constants", constants, WriteConstant);
  WriteLines(json, "operators", operators, WriteOperator);
  WriteLines(json, "outputs", outputs, WriteBoundary);
  if (!index_limits.empty()) WriteLines(json, "indexLimits", index_limits, WriteIndexLimit);
  json.EndObject();
}

}  // namespace tflite::webnn
