#ifndef TFLITE_WEBNN_COMPAT_SPARSE_ELEMENTS_H_
#define TFLITE_WEBNN_COMPAT_SPARSE_ELEMENTS_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "tensorflow/lite/core/c/common.h"

namespace tflite::webnn {

// Walks the format of TfLiteSparsity: levels in traversal order, each dense or compressed (CSR), block dimensions last.
// TFLite's FormatConverter allocates memory for each value.
class SparseWalk {
 public:
  // Each stored value goes to its position in `dense`; null only checks the positions.
  SparseWalk(const int* shape, int rank, const TfLiteTensor& sparse, size_t element_size_bytes, void* dense)
      : shape_(shape),
        rank_(rank),
        sparsity_(*sparse.sparsity),
        element_size_bytes_(element_size_bytes),
        stored_(sparse.data.raw_const),
        unread_count_(sparse.bytes / element_size_bytes),
        dense_(static_cast<char*>(dense)),
        position_(rank, 0) {}

  // False if indices are outside of the shape or of the stored values, as in a damaged file.
  bool Run() { return Prepare() && Visit(0, 0, 0); }

 private:
  struct Level {
    int axis;        // of the tensor
    int64_t steps;   // along the axis, by an index
    int64_t stride;  // elements of the dense tensor, by an index
  };

  bool Prepare() {
    const TfLiteIntArray* order = sparsity_.traversal_order;
    const TfLiteIntArray* block_map = sparsity_.block_map;
    const int count = sparsity_.dim_metadata_size;
    const int block_count = block_map != nullptr ? block_map->size : 0;
    if (order == nullptr || order->size != count || count != rank_ + block_count) return false;
    std::vector<int64_t> block_size(rank_, 1), stride(rank_, 1);
    std::vector<bool> is_visited(count, false);
    for (int level = 0; level < count; ++level) {
      const int dimension = order->data[level];
      if (dimension < 0 || dimension >= count || is_visited[dimension]) return false;
      if ((dimension < rank_) != (level < rank_)) return false;
      is_visited[dimension] = true;
      const int axis = dimension < rank_ ? dimension : block_map->data[dimension - rank_];
      if (axis < 0 || axis >= rank_) return false;
      levels_.push_back({axis, 1, 1});
      const TfLiteDimensionMetadata& metadata = sparsity_.dim_metadata[level];
      if (metadata.format == kTfLiteDimDense && metadata.dense_size > shape_[axis]) return false;
      if (dimension < rank_) continue;
      if (metadata.format != kTfLiteDimDense || metadata.dense_size <= 0) return false;
      block_size[axis] = metadata.dense_size;
    }
    for (int axis = rank_ - 2; axis >= 0; --axis) stride[axis] = stride[axis + 1] * shape_[axis + 1];
    for (int level = 0; level < count; ++level) {
      Level& at = levels_[level];
      if (level < rank_) at.steps = block_size[at.axis];
      at.stride = at.steps * stride[at.axis];
    }
    return true;
  }

  // `parent` is the index among all combinations of the levels above, `offset` what they add up to.
  bool Visit(int level, int64_t parent, int64_t offset) {
    if (level == sparsity_.dim_metadata_size) return Store(offset);
    const TfLiteDimensionMetadata& metadata = sparsity_.dim_metadata[level];
    int begin = 0, end = metadata.dense_size;
    const int* indices = nullptr;
    if (metadata.format != kTfLiteDimDense) {
      const TfLiteIntArray* segments = metadata.array_segments;
      if (segments == nullptr || metadata.array_indices == nullptr || parent + 1 >= segments->size) return false;
      begin = segments->data[parent];
      end = segments->data[parent + 1];
      if (begin < 0 || end > metadata.array_indices->size) return false;
      indices = metadata.array_indices->data;
    }
    const Level at = levels_[level];
    const int64_t before = position_[at.axis];
    const bool is_last = level + 1 == sparsity_.dim_metadata_size;
    for (int i = begin; i < end; ++i) {
      const int64_t index = indices != nullptr ? indices[i] : i;
      const int64_t position = before + index * at.steps;
      if (index < 0 || position >= shape_[at.axis]) return false;
      const int64_t element = offset + index * at.stride;
      if (!is_last) position_[at.axis] = position;
      const int64_t child = indices != nullptr ? i : parent * metadata.dense_size + i;
      if (!(is_last ? Store(element) : Visit(level + 1, child, element))) return false;
    }
    position_[at.axis] = before;
    return true;
  }

  bool Store(int64_t element) {
    if (unread_count_ == 0) return false;
    --unread_count_;
    if (dense_ == nullptr) return true;
    if (element_size_bytes_ == 2) {  // without a call for float16
      std::memcpy(dense_ + 2 * element, stored_, 2);
    } else {
      std::memcpy(dense_ + element_size_bytes_ * element, stored_, element_size_bytes_);
    }
    stored_ += element_size_bytes_;
    return true;
  }

  const int* shape_;
  const int rank_;
  const TfLiteSparsity& sparsity_;
  const size_t element_size_bytes_;
  const char* stored_;
  size_t unread_count_;
  char* dense_;
  std::vector<Level> levels_;
  std::vector<int64_t> position_;  // along each axis, by the levels above
};

// Writes the dense tensor, zero where the sparse one stores nothing.
inline bool StoreDense(const int* shape, int rank, const TfLiteTensor& sparse, size_t element_size_bytes, void* dense,
                       size_t dense_count) {
  std::memset(dense, 0, dense_count * element_size_bytes);
  return SparseWalk(shape, rank, sparse, element_size_bytes, dense).Run();
}

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_COMPAT_SPARSE_ELEMENTS_H_
