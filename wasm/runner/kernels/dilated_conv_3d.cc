#include "runner/kernels/dilated_conv_3d.h"

#include "tensorflow/lite/core/c/builtin_op_data.h"
#include "tensorflow/lite/kernels/builtin_op_kernels.h"

namespace tflite::ops::builtin {

// No header of TFLite declares it.
TfLiteRegistration* Register_CONV_3D_REF();

}  // namespace tflite::ops::builtin

namespace tflite::webnn {
namespace {

// Both kernels share what they keep of a node.
const TfLiteRegistration& KernelFor(const TfLiteNode* node) {
  const auto* params = static_cast<const TfLiteConv3DParams*>(node->builtin_data);
  const bool is_dilated =
      params->dilation_depth_factor != 1 || params->dilation_height_factor != 1 || params->dilation_width_factor != 1;
  return is_dilated ? *ops::builtin::Register_CONV_3D_REF() : *ops::builtin::Register_CONV_3D();
}

TfLiteStatus Prepare(TfLiteContext* context, TfLiteNode* node) { return KernelFor(node).prepare(context, node); }

TfLiteStatus Eval(TfLiteContext* context, TfLiteNode* node) { return KernelFor(node).invoke(context, node); }

}  // namespace

const TfLiteRegistration* RegisterDilatedConv3d() {
  static const TfLiteRegistration registration = [] {
    TfLiteRegistration r = *ops::builtin::Register_CONV_3D();
    r.prepare = Prepare;
    r.invoke = Eval;
    return r;
  }();
  return &registration;
}

}  // namespace tflite::webnn
