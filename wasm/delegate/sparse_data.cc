#include "delegate/sparse_data.h"

#include <cstring>

namespace tflite::webnn {
namespace {

class Densifier {
 public:
  Densifier(const TfLiteTensor& tensor, size_t element_size_bytes)
      : tensor_(tensor),
        sparsity_(*tensor.sparsity),
        element_size_bytes_(element_size_bytes),
        stored_count_(tensor.bytes / element_size_bytes) {}

  std::optional<std::vector<uint8_t>> Run() {
    if (!Prepare() || !Visit(0, 0)) return std::nullopt;
    return std::move(result_);
  }

 private:
  int rank() const { return tensor_.dims->size; }
  int level_count() const { return sparsity_.dim_metadata_size; }

  bool Prepare() {
    const TfLiteIntArray* order = sparsity_.traversal_order;
    const TfLiteIntArray* block_map = sparsity_.block_map;
    const int block_count = block_map != nullptr ? block_map->size : 0;
    if (order == nullptr || order->size != level_count() || level_count() != rank() + block_count) return false;
    axis_.assign(level_count(), 0);
    index_.assign(level_count(), 0);
    block_size_.assign(rank(), 1);
    std::vector<bool> is_visited(level_count(), false);
    for (int level = 0; level < level_count(); ++level) {
      const int dimension = order->data[level];
      if (dimension < 0 || dimension >= level_count() || is_visited[dimension]) return false;
      if ((dimension < rank()) != (level < rank())) return false;
      is_visited[dimension] = true;
      axis_[level] = dimension < rank() ? dimension : block_map->data[dimension - rank()];
      if (axis_[level] < 0 || axis_[level] >= rank()) return false;
      const TfLiteDimensionMetadata& metadata = sparsity_.dim_metadata[level];
      if (metadata.format == kTfLiteDimDense && metadata.dense_size > tensor_.dims->data[axis_[level]]) return false;
      if (dimension < rank()) continue;
      if (metadata.format != kTfLiteDimDense || metadata.dense_size <= 0) return false;
      block_size_[axis_[level]] = metadata.dense_size;
    }
    size_t element_count = 1;
    for (int axis = 0; axis < rank(); ++axis) element_count *= tensor_.dims->data[axis];
    result_.assign(element_count * element_size_bytes_, 0);
    return true;
  }

  // `parent` is the index among all combinations of the levels above.
  bool Visit(int level, int64_t parent) {
    if (level == level_count()) return Store();
    const TfLiteDimensionMetadata& metadata = sparsity_.dim_metadata[level];
    if (metadata.format == kTfLiteDimDense) {
      for (int i = 0; i < metadata.dense_size; ++i) {
        index_[level] = i;
        if (!Visit(level + 1, parent * metadata.dense_size + i)) return false;
      }
      return true;
    }
    const TfLiteIntArray* segments = metadata.array_segments;
    const TfLiteIntArray* indices = metadata.array_indices;
    if (segments == nullptr || indices == nullptr || parent + 1 >= segments->size) return false;
    const int begin = segments->data[parent];
    const int end = segments->data[parent + 1];
    if (begin < 0 || end > indices->size) return false;
    for (int i = begin; i < end; ++i) {
      index_[level] = indices->data[i];
      if (!Visit(level + 1, i)) return false;
    }
    return true;
  }

  bool Store() {
    std::vector<int64_t> position(rank(), 0);
    for (int level = 0; level < level_count(); ++level) {
      const bool is_block = sparsity_.traversal_order->data[level] >= rank();
      position[axis_[level]] +=
          is_block ? index_[level] : static_cast<int64_t>(index_[level]) * block_size_[axis_[level]];
    }
    int64_t offset = 0;
    for (int axis = 0; axis < rank(); ++axis) {
      if (position[axis] < 0 || position[axis] >= tensor_.dims->data[axis]) return false;
      offset = offset * tensor_.dims->data[axis] + position[axis];
    }
    if (read_count_ >= stored_count_) return false;
    std::memcpy(&result_[offset * element_size_bytes_], tensor_.data.raw_const + read_count_++ * element_size_bytes_,
                element_size_bytes_);
    return true;
  }

  const TfLiteTensor& tensor_;
  const TfLiteSparsity& sparsity_;
  const size_t element_size_bytes_;
  const size_t stored_count_;
  size_t read_count_ = 0;
  std::vector<int> axis_;   // the tensor's axis, by level
  std::vector<int> index_;  // by level
  std::vector<int> block_size_;
  std::vector<uint8_t> result_;
};

}  // namespace

std::optional<std::vector<uint8_t>> Densify(const TfLiteTensor& tensor, size_t element_size_bytes) {
  return Densifier(tensor, element_size_bytes).Run();
}

}  // namespace tflite::webnn
