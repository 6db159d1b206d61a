#ifndef TFLITE_WEBNN_TESTS_UNIT_DELEGATE_FIXTURE_H_
#define TFLITE_WEBNN_TESTS_UNIT_DELEGATE_FIXTURE_H_

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>

#include "delegate/webnn_delegate_impl.h"
#include "tensorflow/lite/delegates/external/external_delegate_interface.h"
#include "tests/unit/builder_fixture.h"

namespace tflite::webnn {

// Applies the WebNN delegate to a model.
class DelegateTest : public testing::Test {
 protected:
  // Applies it to `file_`; TFLite's status is in `status_`.
  void Apply(std::map<std::string, std::string> options = {});
  const WebnnDelegate& delegate() { return GetWebnnDelegate(delegate_.get()); }

  // Makes `count` ADDs of `size` floats, a SIN, which this context does not have, and `count` ADDs.
  void AddChain(int count, int size);

  TestModel file_;
  std::unique_ptr<TfLiteDelegate, decltype(&tflite_plugin_destroy_delegate)> delegate_{nullptr,
                                                                                       tflite_plugin_destroy_delegate};
  std::unique_ptr<LoadedModel> model_;
  TfLiteStatus status_ = kTfLiteError;
};

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_TESTS_UNIT_DELEGATE_FIXTURE_H_
