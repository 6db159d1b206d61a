#include <algorithm>
#include <map>
#include <numeric>
#include <vector>

#include "delegate/builder/graph_emitter.h"

namespace tflite::webnn {
namespace {

// A transpose with as few axes as it needs.
struct Transposition {
  std::vector<int> shape;
  std::vector<int> permutation;
};

Transposition MergeAxes(const std::vector<int>& shape, const std::vector<int>& permutation) {
  std::vector<int> positions;  // of the axes among those that are not of size 1
  int position = 0;
  for (int size : shape) positions.push_back(size == 1 ? position : position++);
  std::map<int, int> sizes;  // of merged axes, by their first position
  std::vector<int> order;    // of their first positions in the result
  int last = -2;
  for (int axis : permutation) {
    if (shape[axis] == 1) continue;
    if (positions[axis] != last + 1) order.push_back(positions[axis]);
    sizes.try_emplace(order.back(), 1).first->second *= shape[axis];
    last = positions[axis];
  }
  Transposition result;
  for (const auto& [first, size] : sizes) result.shape.push_back(size);
  for (int first : order) {
    result.permutation.push_back(static_cast<int>(std::distance(sizes.begin(), sizes.find(first))));
  }
  return result;
}

}  // namespace

bool GraphEmitter::CheckPermutation(const std::vector<int>& permutation, int rank) {
  std::vector<int> axes(rank);
  std::iota(axes.begin(), axes.end(), 0);
  if (std::is_permutation(permutation.begin(), permutation.end(), axes.begin(), axes.end())) return true;
  Reject("the permutation " + ShapeText(permutation) + " does not name each axis once");
  return false;
}

Operand GraphEmitter::Transpose(Operand x, const std::vector<int>& permutation) {
  if (!CheckPermutation(permutation, descriptor(x).rank())) return Operand();
  std::vector<int> new_shape;
  for (int axis : permutation) new_shape.push_back(shape(x)[axis]);
  return Emit({"transpose", {{"input", x}}, {}, {{"permutation", permutation}}}, {descriptor(x).data_type, new_shape});
}

Operand GraphEmitter::TransposeMerged(Operand x, const std::vector<int>& shape, const std::vector<int>& permutation) {
  if (!CheckPermutation(permutation, static_cast<int>(shape.size()))) return Operand();
  const Transposition merged = MergeAxes(shape, permutation);
  return merged.shape.size() < 2 ? x : Transpose(Reshape(x, merged.shape), merged.permutation);
}

}  // namespace tflite::webnn
