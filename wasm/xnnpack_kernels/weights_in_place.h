#ifndef TFLITE_WEBNN_XNNPACK_KERNELS_WEIGHTS_IN_PLACE_H_
#define TFLITE_WEBNN_XNNPACK_KERNELS_WEIGHTS_IN_PLACE_H_

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct xnn_gemm_config;

// For XNNPACK's fully-connected-nc.c, which wasm/cmake/xnnpack.cmake makes call it: the configuration for int8 weights
// of `columns` x `depth`. It is `usual` unless these weights may be reordered where they lie.
const struct xnn_gemm_config* tflite_webnn_qd8_f32_qc8w_gemm_config(const void* weights, size_t columns, size_t depth,
                                                                    bool is_transposed,
                                                                    const struct xnn_gemm_config* usual);

#ifdef __cplusplus
}  // extern "C"

#include <vector>

namespace tflite::webnn {

// Int8 weights of fully connected layers whose owner lets XNNPACK's operators reorder them where they lie: a copy in
// the kernels' order would be as large. Their addresses are known to all operators of this module.
class WeightsInPlace {
 public:
  WeightsInPlace() = default;
  WeightsInPlace(const WeightsInPlace&) = delete;
  WeightsInPlace& operator=(const WeightsInPlace&) = delete;
  // The weights are unchanged.
  ~WeightsInPlace();

  // Whether weights of this shape have kernels here.
  static bool CanReorder(size_t columns, size_t depth);
  // Lets operators reorder the int8 matrix of `columns` rows with `depth` elements each.
  void Allow(void* weights, size_t columns, size_t depth);
  // Whether an operator has reordered what is at this address.
  bool AreReordered(const void* weights) const;
  // Gives all weights their own order, or that of the operators again, which must not run in between.
  void UseOwnOrder(bool is_own) const;
  // Gives all weights their own order, and allows no more. No operator may be left.
  void Restore();

 private:
  std::vector<void*> allowed_;
};

}  // namespace tflite::webnn
#endif

#endif  // TFLITE_WEBNN_XNNPACK_KERNELS_WEIGHTS_IN_PLACE_H_
