// The frequent calls of GraphEmitter: each computes the shape of its result.
#include <algorithm>
#include <string>
#include <vector>

#include "delegate/builder/graph_emitter.h"
#include "support/check.h"

namespace tflite::webnn {
namespace {

// False when the shapes cannot be broadcast against each other.
bool BroadcastShapes(const std::vector<int>& a, const std::vector<int>& b, std::vector<int>* shape) {
  std::vector<int> result(std::max(a.size(), b.size()));
  for (size_t i = 0; i < result.size(); ++i) {
    const int da = i < a.size() ? a[a.size() - 1 - i] : 1;
    const int db = i < b.size() ? b[b.size() - 1 - i] : 1;
    if (da != db && da != 1 && db != 1) return false;
    result[result.size() - 1 - i] = da == 1 ? db : da;
  }
  *shape = std::move(result);
  return true;
}

// Two shapes with equal broadcast, and that broadcast: neighbouring axes become one where both operands have them, or
// where the same operand has size 1 in both.
struct MergedShapes {
  std::vector<int> a, b, both;
};

MergedShapes MergeAxes(std::vector<int> a, std::vector<int> b, const std::vector<int>& both) {
  a.insert(a.begin(), both.size() - a.size(), 1);
  b.insert(b.begin(), both.size() - b.size(), 1);
  MergedShapes merged;
  int last = -1;  // how the axis before is broadcast: bit 0 in a, bit 1 in b
  for (size_t i = 0; i < both.size(); ++i) {
    if (both[i] == 1) continue;
    const int broadcast = (a[i] == 1 ? 1 : 0) | (b[i] == 1 ? 2 : 0);
    for (auto* shape : {&merged.a, &merged.b, &merged.both}) {
      if (broadcast != last) shape->push_back(1);
    }
    merged.a.back() *= a[i];
    merged.b.back() *= b[i];
    merged.both.back() *= both[i];
    last = broadcast;
  }
  return merged;
}

}  // namespace

Operand GraphEmitter::Unary(const char* op, Operand x, std::vector<Option> options) {
  return Emit({op, {{"input", x}}, {}, std::move(options)}, OperandDescriptor(descriptor(x)));
}

Operand GraphEmitter::Binary(const char* op, Operand a, Operand b) {
  OperandDescriptor output;
  return DescribeBroadcast(op, a, b, &output) ? EmitBroadcast(op, a, b, output) : Operand();
}

Operand GraphEmitter::Compare(const char* op, Operand a, Operand b) {
  OperandDescriptor output;
  if (!DescribeBroadcast(op, a, b, &output)) return Operand();
  output.data_type = DataType::kUint8;
  return EmitBroadcast(op, a, b, output);
}

Operand GraphEmitter::EmitBroadcast(const char* op, Operand a, Operand b, const OperandDescriptor& output) {
  if (AcceptsRank(op, output.rank())) return Emit({op, {{"a", a}, {"b", b}}}, output);
  const MergedShapes merged = MergeAxes(shape(a), shape(b), output.shape);
  const Operand flat_a = Reshape(a, merged.a);
  const Operand flat_b = Reshape(b, merged.b);
  return Reshape(Emit({op, {{"a", flat_a}, {"b", flat_b}}}, {output.data_type, merged.both}), output.shape);
}

// Where `where` lacks uint8, the type of booleans, they go through int32.
Operand GraphEmitter::Where(Operand condition, Operand if_true, Operand if_false) {
  OperandDescriptor output;
  if (!DescribeBroadcast("where", if_true, if_false, &output)) return Operand();
  if (output.data_type == DataType::kUint8 && !AcceptsType("where", "trueValue", DataType::kUint8)) {
    const Operand wide = Where(condition, Cast(if_true, DataType::kInt32), Cast(if_false, DataType::kInt32));
    return Cast(wide, DataType::kUint8);
  }
  if (!BroadcastShapes(shape(condition), output.shape, &output.shape)) {
    return Reject("WebNN where: the condition " + ShapeText(shape(condition)) + " cannot be broadcast to " +
                  ShapeText(output.shape));
  }
  return Emit({"where", {{"condition", condition}, {"trueValue", if_true}, {"falseValue", if_false}}}, output);
}

bool GraphEmitter::DescribeBroadcast(const char* op, Operand a, Operand b, OperandDescriptor* output) {
  output->data_type = descriptor(a).data_type;
  if (output->data_type != descriptor(b).data_type) {
    Reject(std::string("WebNN ") + op + " needs both operands of one type, found " +
           DataTypeName(descriptor(a).data_type) + " and " + DataTypeName(descriptor(b).data_type));
  } else if (!BroadcastShapes(shape(a), shape(b), &output->shape)) {
    Reject(std::string("WebNN ") + op + ": shapes " + ShapeText(shape(a)) + " and " + ShapeText(shape(b)) +
           " cannot be broadcast");
  }
  return !rejected();
}

Operand GraphEmitter::Reshape(Operand x, const std::vector<int>& new_shape) {
  if (shape(x) == new_shape) return x;
  const OperandDescriptor output{descriptor(x).data_type, new_shape};
  // What has no elements is rejected where it is emitted.
  if (output.element_count() != 0 && output.element_count() != descriptor(x).element_count()) {
    WEBNN_DCHECK(rejected());
    return Reject("the shape " + ShapeText(shape(x)) + " cannot become " + ShapeText(new_shape));
  }
  return Emit({"reshape", {{"input", x}}, {new_shape}}, output);
}

Operand GraphEmitter::Slice(Operand x, const std::vector<int>& starts, const std::vector<int>& sizes,
                            const std::vector<int>& strides) {
  const size_t rank = shape(x).size();
  if (starts.size() != rank || sizes.size() != rank || (!strides.empty() && strides.size() != rank)) {
    return Reject("a slice of rank " + std::to_string(rank) + " needs as many starts, sizes and strides");
  }
  std::vector<int> new_shape;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (starts[i] < 0 || sizes[i] < 1 || starts[i] > shape(x)[i] - sizes[i]) {
      return Reject("the slice of " + ShapeText(sizes) + " from " + ShapeText(starts) + " is not within " +
                    ShapeText(shape(x)));
    }
    new_shape.push_back(strides.empty() ? sizes[i] : (sizes[i] - 1) / strides[i] + 1);
  }
  Call call{"slice", {{"input", x}}, {starts, sizes}};
  const bool strided = std::any_of(strides.begin(), strides.end(), [](int stride) { return stride != 1; });
  if (strided) call.options.push_back({"strides", strides});
  return Emit(call, {descriptor(x).data_type, new_shape});
}

Operand GraphEmitter::Concat(const std::vector<Operand>& inputs, int axis) {
  OperandDescriptor output = descriptor(inputs[0]);
  if (axis < 0 || axis >= output.rank()) return Reject("axis " + std::to_string(axis) + " does not exist");
  output.shape[axis] = 0;
  for (Operand input : inputs) {
    if (!CheckOperand("concat", "inputs", input)) return Operand();
    if (descriptor(input).rank() != output.rank()) return Reject("operands of different ranks cannot be concatenated");
    output.shape[axis] += shape(input)[axis];
  }
  return Emit({"concat", {}, {inputs, axis}}, output);
}

Operand GraphEmitter::Reduce(const char* op, Operand x, const std::vector<int>& axes, bool keep_dimensions) {
  OperandDescriptor output{descriptor(x).data_type, {}};
  for (int axis = 0; axis < descriptor(x).rank(); ++axis) {
    const bool is_reduced = std::find(axes.begin(), axes.end(), axis) != axes.end();
    if (!is_reduced || keep_dimensions) output.shape.push_back(is_reduced ? 1 : shape(x)[axis]);
  }
  return Emit({op, {{"input", x}}, {}, {{"axes", axes}, {"keepDimensions", keep_dimensions}}}, output);
}

Operand GraphEmitter::Gather(Operand x, Operand indices, int axis) {
  if (rejected()) return Operand();
  std::vector<int> at = shape(indices);
  std::vector<int> gathered(shape(x).begin(), shape(x).begin() + axis);
  gathered.insert(gathered.end(), at.begin(), at.end());
  gathered.insert(gathered.end(), shape(x).begin() + axis + 1, shape(x).end());
  OperandDescriptor output{descriptor(x).data_type, gathered};
  if (!AcceptsRank("gather", "indices", static_cast<int>(at.size()))) {
    const int count = static_cast<int>(descriptor(indices).element_count());
    indices = Reshape(indices, {count});
    output.shape = shape(x);
    output.shape[axis] = count;
  }
  return Reshape(Emit({"gather", {{"input", x}, {"indices", indices}}, {}, {{"axis", axis}}}, output), gathered);
}

Operand GraphEmitter::GatherNd(Operand x, Operand indices) {
  if (rejected()) return Operand();
  const std::vector<int> at = shape(indices);
  const int depth = at.back();
  const std::vector<int> row(shape(x).begin() + depth, shape(x).end());
  std::vector<int> gathered(at.begin(), at.end() - 1);
  gathered.insert(gathered.end(), row.begin(), row.end());
  OperandDescriptor output{descriptor(x).data_type, gathered};
  if (!AcceptsRank("gatherND", "indices", static_cast<int>(at.size()))) {
    const int count = static_cast<int>(descriptor(indices).element_count()) / depth;
    indices = Reshape(indices, {count, depth});
    output.shape = {count};
    output.shape.insert(output.shape.end(), row.begin(), row.end());
  }
  return Reshape(Emit({"gatherND", {{"input", x}, {"indices", indices}}}, output), gathered);
}

Operand GraphEmitter::Cast(Operand x, DataType type) {
  if (descriptor(x).data_type == type) return x;
  return Emit({"cast", {{"input", x}}, {DataTypeName(type)}}, {type, shape(x)});
}

Operand GraphEmitter::Clamp(Operand x, float min_value, float max_value) {
  return Unary("clamp", x, {{"minValue", min_value}, {"maxValue", max_value}});
}

}  // namespace tflite::webnn
