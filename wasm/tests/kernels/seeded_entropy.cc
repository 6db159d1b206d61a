#include "tests/kernels/seeded_entropy.h"

#include <unistd.h>

#include <random>

namespace {

std::mt19937& Generator() {
  static std::mt19937 generator;
  return generator;
}

}  // namespace

namespace tflite::webnn {

void SeedEntropy(uint32_t seed) { Generator().seed(seed); }

}  // namespace tflite::webnn

// std::random_device calls this. The definition replaces the C library's.
extern "C" int getentropy(void* buffer, size_t size_bytes) {
  auto* bytes = static_cast<uint8_t*>(buffer);
  for (size_t i = 0; i < size_bytes; ++i) bytes[i] = Generator()();
  return 0;
}
