#include "tensorflow/lite/core/c/builtin_op_data.h"
#include "tensorflow/lite/kernels/builtin_op_kernels.h"
#include "tflite_kernels/custom_kernels.h"

namespace tflite::ops::builtin {

// No header of TFLite declares these.
TfLiteRegistration* Register_CONV_3D_REF();
TfLiteRegistration* Register_CONV_3D_TRANSPOSE_REF();

}  // namespace tflite::ops::builtin

namespace tflite::webnn {
namespace {

const TfLiteConv3DParams& ParamsOf(const TfLiteNode* node) {
  return *static_cast<const TfLiteConv3DParams*>(node->builtin_data);
}

// Both kernels of an op share the node's data.
const TfLiteRegistration& Conv3dFor(const TfLiteNode* node) {
  const TfLiteConv3DParams& params = ParamsOf(node);
  const bool is_dilated =
      params.dilation_depth_factor != 1 || params.dilation_height_factor != 1 || params.dilation_width_factor != 1;
  return is_dilated ? *ops::builtin::Register_CONV_3D_REF() : *ops::builtin::Register_CONV_3D();
}

const TfLiteRegistration& Conv3dTransposeFor(const TfLiteNode* node) {
  return ParamsOf(node).padding == kTfLitePaddingSame ? *ops::builtin::Register_CONV_3D_TRANSPOSE_REF()
                                                      : *ops::builtin::Register_CONV_3D_TRANSPOSE();
}

}  // namespace

// CONV_3D with TFLite's reference kernel for dilated convolutions: the optimized one copies as many channels as the
// input's depth (DilatedIm2col3D in im2col_utils.h), and with more channels its sums read uninitialized memory.
TfLiteStatus PrepareExactConv3d(TfLiteContext* context, TfLiteNode* node) {
  return Conv3dFor(node).prepare(context, node);
}

TfLiteStatus EvalExactConv3d(TfLiteContext* context, TfLiteNode* node) { return Conv3dFor(node).invoke(context, node); }

// CONV_3D_TRANSPOSE with TFLite's reference kernel if there is padding: the optimized one uses the height's padding for
// the depth (Conv3DTranspose in optimized_ops.h).
TfLiteStatus PrepareExactConv3dTranspose(TfLiteContext* context, TfLiteNode* node) {
  return Conv3dTransposeFor(node).prepare(context, node);
}

TfLiteStatus EvalExactConv3dTranspose(TfLiteContext* context, TfLiteNode* node) {
  return Conv3dTransposeFor(node).invoke(context, node);
}

}  // namespace tflite::webnn
