#include "tests/unit/kernel_bits.h"

#include <gtest/gtest.h>

#include <string>

#include "delegate/model/op_name.h"
#include "runtime/rewrite/mutable_node.h"

namespace tflite::webnn {

void ExpectBitsOfTflite(LoadedModel& model, const TfLiteRegistration& tflite) {
  auto& [node, registration] = MutableNode(model.graph(), 0);
  EXPECT_NE(registration.invoke, tflite.invoke) << "the table has this project's kernel";
  TfLiteTensor& output = *model.graph().tensor(model.graph().outputs()[0]);
  std::memset(output.data.raw, 0x33, output.bytes);
  ASSERT_EQ(model.graph().Invoke(), kTfLiteOk);
  const std::string found(output.data.raw, output.bytes);
  std::memset(output.data.raw, 0x55, output.bytes);
  ASSERT_EQ(tflite.invoke(model.graph().context(), &node), kTfLiteOk);
  EXPECT_EQ(found, std::string(output.data.raw, output.bytes))
      << OpName(registration) << " of " << TfLiteTypeGetName(model.graph().tensor(model.graph().inputs()[0])->type);
}

}  // namespace tflite::webnn
