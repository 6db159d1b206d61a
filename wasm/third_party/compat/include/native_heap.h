#ifndef TFLITE_WEBNN_COMPAT_NATIVE_HEAP_H_
#define TFLITE_WEBNN_COMPAT_NATIVE_HEAP_H_

#include <cstddef>
#include <utility>
#include <vector>

// Heaps that return equal elements in the order of native LiteRT, which is linked with libstdc++: of two equal children
// the later one moves up. With Emscripten's library it is the earlier one.
namespace tflite::webnn {

// Moves `value` up from an open position, but not above `top`.
template <typename Iterator, typename Value, typename Less>
void MoveUp(Iterator heap, std::ptrdiff_t open, std::ptrdiff_t top, Value value, Less less) {
  for (std::ptrdiff_t parent = (open - 1) / 2; open > top && less(heap[parent], value); parent = (open - 1) / 2) {
    heap[open] = std::move(heap[parent]);
    open = parent;
  }
  heap[open] = std::move(value);
}

// Fills an open position of a heap of `size` elements with `value`: the open position goes down to a leaf first.
template <typename Iterator, typename Value, typename Less>
void FillOpen(Iterator heap, std::ptrdiff_t open, std::ptrdiff_t size, Value value, Less less) {
  const std::ptrdiff_t top = open;
  for (std::ptrdiff_t child = 2 * open + 2; child <= size; child = 2 * open + 2) {
    if (child == size || less(heap[child], heap[child - 1])) --child;
    heap[open] = std::move(heap[child]);
    open = child;
  }
  MoveUp(heap, open, top, std::move(value), less);
}

// std::partial_sort().
template <typename Iterator, typename Less>
void PartialSort(Iterator first, Iterator middle, Iterator last, Less less) {
  const std::ptrdiff_t size = middle - first;
  if (size == 0) return;
  for (std::ptrdiff_t parent = (size - 2) / 2; size > 1 && parent >= 0; --parent) {
    auto value = std::move(first[parent]);
    FillOpen(first, parent, size, std::move(value), less);
  }
  for (Iterator next = middle; next != last; ++next) {
    if (!less(*next, *first)) continue;
    auto value = std::move(*next);
    *next = std::move(*first);
    FillOpen(first, 0, size, std::move(value), less);
  }
  for (std::ptrdiff_t last = size - 1; last > 0; --last) {
    auto value = std::move(first[last]);
    first[last] = std::move(first[0]);
    FillOpen(first, 0, last, std::move(value), less);
  }
}

// std::priority_queue.
template <typename Value, typename Less>
class PriorityQueue {
 public:
  explicit PriorityQueue(Less less) : less_(less) {}

  bool empty() const { return values_.empty(); }
  size_t size() const { return values_.size(); }
  const Value& top() const { return values_.front(); }

  void push(Value value) {
    values_.push_back(value);
    MoveUp(values_.begin(), static_cast<std::ptrdiff_t>(values_.size()) - 1, 0, std::move(value), less_);
  }
  void emplace(Value value) { push(std::move(value)); }

  void pop() {
    Value value = std::move(values_.back());
    values_.pop_back();
    if (!values_.empty()) {
      FillOpen(values_.begin(), 0, static_cast<std::ptrdiff_t>(values_.size()), std::move(value), less_);
    }
  }

 private:
  Less less_;
  std::vector<Value> values_;
};

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_COMPAT_NATIVE_HEAP_H_
