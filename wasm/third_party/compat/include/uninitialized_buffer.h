#ifndef TFLITE_WEBNN_COMPAT_UNINITIALIZED_BUFFER_H_
#define TFLITE_WEBNN_COMPAT_UNINITIALIZED_BUFFER_H_

#include <cstddef>
#include <memory>

namespace tflite::webnn {

// Bytes that are written before they are read. std::vector<char> clears them one by one, in code that engines have not
// optimized when a model loads: a millisecond for each megabyte.
class UninitializedBuffer {
 public:
  UninitializedBuffer() = default;
  explicit UninitializedBuffer(size_t size_bytes) : data_(new char[size_bytes]) {}

  char* data() { return data_.get(); }
  const char* data() const { return data_.get(); }

 private:
  std::unique_ptr<char[]> data_;
};

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_COMPAT_UNINITIALIZED_BUFFER_H_
