#ifndef TFLITE_WEBNN_RUNTIME_XNNPACK_PACKED_WEIGHTS_H_
#define TFLITE_WEBNN_RUNTIME_XNNPACK_PACKED_WEIGHTS_H_

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <vector>

#include "include/xnnpack.h"
#include "tensorflow/lite/delegates/xnnpack/xnnpack_delegate.h"

namespace tflite::webnn {

// The weights as XNNPACK's kernels read them, each content once: the prefill and decode of a language model have the
// same ones. It compares contents, since a key of XNNPACK is an address, which may have had other contents before. It
// must outlive the XNNPACK delegate.
class PackedWeights {
 public:
  PackedWeights();
  PackedWeights(const PackedWeights&) = delete;
  PackedWeights& operator=(const PackedWeights&) = delete;

  // Frees all weights. No operator may have them any more.
  void Clear() { weights_.clear(); }

  // For TfLiteXNNPackDelegateOptions, which accepts the provider under this name.
  TfLiteXNNPackDelegateWeightsCache* cache() {
    return reinterpret_cast<TfLiteXNNPackDelegateWeightsCache*>(&provider_);
  }

 private:
  struct Free {
    void operator()(void* memory) const { free(memory); }
  };
  using Memory = std::unique_ptr<void, Free>;
  struct Weights {
    Memory memory;
    size_t size_bytes;
  };

  // Memory for an operator's weights, or null. One operator is packed at a time.
  void* Reserve(size_t size_bytes);
  // Keeps what was packed at `packed`, or returns the address of equal weights.
  void* Insert(void* packed, size_t size_bytes);

  xnn_weights_cache_provider provider_;
  Memory reserved_;
  std::vector<Weights> weights_;
};

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNTIME_XNNPACK_PACKED_WEIGHTS_H_
