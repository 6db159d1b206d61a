#ifndef TFLITE_WEBNN_TESTS_KERNELS_SEEDED_ENTROPY_H_
#define TFLITE_WEBNN_TESTS_KERNELS_SEEDED_ENTROPY_H_

#include <cstdint>

namespace tflite::webnn {

// Restarts std::random_device at a seed. Tests get random shapes and data from it, so each failing case can be
// reproduced.
void SeedEntropy(uint32_t seed);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_TESTS_KERNELS_SEEDED_ENTROPY_H_
