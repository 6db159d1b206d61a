#ifndef TFLITE_WEBNN_KERNEL_TESTS_SEEDED_ENTROPY_H_
#define TFLITE_WEBNN_KERNEL_TESTS_SEEDED_ENTROPY_H_

#include <cstdint>

namespace tflite::webnn {

// Starts the numbers that std::random_device gives anew: tests draw their shapes and data from it, and a run that
// fails can be had again, case by case.
void SeedEntropy(uint32_t seed);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_KERNEL_TESTS_SEEDED_ENTROPY_H_
