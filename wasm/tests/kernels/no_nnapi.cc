// Replaces TFLite's list of cases that Android's NNAPI must accelerate: browsers have no NNAPI.
#include "tensorflow/lite/delegates/nnapi/acceleration_test_util.h"

namespace tflite {

std::optional<NnapiAccelerationTestParams> GetNnapiAccelerationTestParam(std::string) { return std::nullopt; }

}  // namespace tflite
