#include "runner/kernels/exact_conv_3d.h"

#include "tensorflow/lite/core/c/builtin_op_data.h"
#include "tensorflow/lite/kernels/builtin_op_kernels.h"

namespace tflite::ops::builtin {

// No header of TFLite declares these.
TfLiteRegistration* Register_CONV_3D_REF();
TfLiteRegistration* Register_CONV_3D_TRANSPOSE_REF();

}  // namespace tflite::ops::builtin

namespace tflite::webnn {
namespace {

using KernelFor = const TfLiteRegistration& (*)(const TfLiteConv3DParams&);

const TfLiteRegistration& Conv3dFor(const TfLiteConv3DParams& params) {
  const bool is_dilated =
      params.dilation_depth_factor != 1 || params.dilation_height_factor != 1 || params.dilation_width_factor != 1;
  return is_dilated ? *ops::builtin::Register_CONV_3D_REF() : *ops::builtin::Register_CONV_3D();
}

const TfLiteRegistration& Conv3dTransposeFor(const TfLiteConv3DParams& params) {
  return params.padding == kTfLitePaddingSame ? *ops::builtin::Register_CONV_3D_TRANSPOSE_REF()
                                              : *ops::builtin::Register_CONV_3D_TRANSPOSE();
}

const TfLiteConv3DParams& ParamsOf(const TfLiteNode* node) {
  return *static_cast<const TfLiteConv3DParams*>(node->builtin_data);
}

// A registration that picks the correct kernel for each node. Both kernels share the node's data.
template <KernelFor kernel_for>
TfLiteRegistration Chosen(const TfLiteRegistration& base) {
  TfLiteRegistration r = base;
  r.prepare = [](TfLiteContext* context, TfLiteNode* node) {
    return kernel_for(ParamsOf(node)).prepare(context, node);
  };
  r.invoke = [](TfLiteContext* context, TfLiteNode* node) { return kernel_for(ParamsOf(node)).invoke(context, node); };
  return r;
}

}  // namespace

const TfLiteRegistration* RegisterExactConv3d() {
  static const TfLiteRegistration registration = Chosen<Conv3dFor>(*ops::builtin::Register_CONV_3D());
  return &registration;
}

const TfLiteRegistration* RegisterExactConv3dTranspose() {
  static const TfLiteRegistration registration =
      Chosen<Conv3dTransposeFor>(*ops::builtin::Register_CONV_3D_TRANSPOSE());
  return &registration;
}

}  // namespace tflite::webnn
