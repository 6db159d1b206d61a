#ifndef TFLITE_WEBNN_TESTS_UNIT_BUILDER_FIXTURE_H_
#define TFLITE_WEBNN_TESTS_UNIT_BUILDER_FIXTURE_H_

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "delegate/builder/graph_builder.h"
#include "tests/unit/test_model.h"

namespace tflite::webnn {

// The operand limits of a context: all types and ranks to 5 for the operators that tests use. `rows` are further lines;
// they replace those of the same operand.
std::string LimitsText(const std::string& rows = "");

// Loads `file_` for a GraphBuilder at its first use: change the members before.
class BuilderTest : public testing::Test {
 protected:
  // A builder at node 0. One that emits writes to `graph_`.
  GraphBuilder& Check(QuantizedForm form = QuantizedForm::kNone) { return Begin(nullptr, form); }
  GraphBuilder& Emit(QuantizedForm form = QuantizedForm::kNone) { return Begin(&graph_, form); }

  TensorView Tensor(int index) { return View().tensor(index); }
  OpView Op(int index) { return View().op(index); }
  const GraphView& View();
  // The names of the emitted operators with spaces between.
  std::string Operators() const;
  // The content of a constant of `graph_`.
  template <typename T>
  std::vector<T> Content(const WebnnGraph::Constant& constant) const {
    std::vector<T> values(constant.descriptor.element_count());
    const std::vector<uint8_t> generated =
        constant.make ? constant.make({0, constant.descriptor.size_bytes()}) : Bytes();
    const void* bytes = constant.make ? generated.data() : reinterpret_cast<const void*>(constant.address);
    std::memcpy(values.data(), bytes, constant.descriptor.size_bytes());
    return values;
  }

  TestModel file_;
  std::string limits_text_;
  Workarounds workarounds_;
  WebnnGraph graph_;

 private:
  using Bytes = std::vector<uint8_t>;
  GraphBuilder& Begin(WebnnGraph* graph, QuantizedForm form);

  OpSupportLimits limits_;
  std::unique_ptr<LoadedModel> model_;
  std::unique_ptr<GraphView> view_;
  std::unique_ptr<GraphBuilder> builder_;
};

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_TESTS_UNIT_BUILDER_FIXTURE_H_
