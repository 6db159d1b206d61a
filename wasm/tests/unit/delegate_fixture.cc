#include "tests/unit/delegate_fixture.h"

#include <vector>

#include "delegate/webnn_delegate.h"

namespace tflite::webnn {

void DelegateTest::Apply(std::map<std::string, std::string> options) {
  options.try_emplace("op_support_limits", LimitsText());
  std::vector<const char*> keys, values;
  for (const auto& [key, value] : options) {
    keys.push_back(key.c_str());
    values.push_back(value.c_str());
  }
  delegate_.reset(tflite_plugin_create_delegate(keys.data(), values.data(), keys.size(),
                                                [](const char* message) { ADD_FAILURE() << message; }));
  model_ = std::make_unique<LoadedModel>(file_);
  status_ = model_->interpreter().ModifyGraphWithDelegate(delegate_.get());
}

void DelegateTest::AddChain(int count, int size) {
  TestSubgraph& graph = file_.main();
  int last = graph.Float({size});
  graph.SetInputs({last});
  for (int i = 0; i < 2 * count + 1; ++i) {
    const int next = graph.Float({size});
    if (i == count) {
      graph.Op(BuiltinOperator_SIN, {last}, {next});
    } else {
      graph.Op(BuiltinOperator_ADD, {last, last}, {next}, AddOptionsT());
    }
    last = next;
  }
  graph.SetOutputs({last});
}

}  // namespace tflite::webnn
