// Stands in for TFLite's file with the cases that Android's NNAPI must accelerate: there is no NNAPI in a browser.
#include "tensorflow/lite/delegates/nnapi/acceleration_test_util.h"

namespace tflite {

std::optional<NnapiAccelerationTestParams> GetNnapiAccelerationTestParam(std::string) { return std::nullopt; }

}  // namespace tflite
