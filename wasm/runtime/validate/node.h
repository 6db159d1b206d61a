#ifndef TFLITE_WEBNN_RUNTIME_VALIDATE_NODE_H_
#define TFLITE_WEBNN_RUNTIME_VALIDATE_NODE_H_

#include <initializer_list>

#include "runtime/validate/node_info.h"
#include "support/status.h"

// The checks of tflite_kernels/op_table.def that only need the file. They cover what crashes a kernel or delegate of
// TensorFlow Lite; those report other problems themselves.
namespace tflite::webnn {

// Validates a node that has the right number of tensors.
using NodeCheck = Status(const NodeInfo& node);

// Runs all checks of the op.
NodeCheck ValidateNode;

// Ranks and options. In node.cc.
template <typename Options>
NodeCheck ValidateBlockSize;
NodeCheck ValidateCondition;
template <typename Options>
Status ValidateConvolution(const NodeInfo& node, int input);
NodeCheck ValidateConvolution3d;
NodeCheck ValidateDeconvolution;
NodeCheck ValidateFlexBuffer;
NodeCheck ValidateGather;
Status ValidatePaddings(const NodeInfo& node, int input);
Status ValidateImage(const NodeInfo& node, int input);
NodeCheck ValidatePool;
Status ValidateRanks(const NodeInfo& node, std::initializer_list<int64_t> ranks);
NodeCheck ValidateReshape;
NodeCheck ValidateScatter;
NodeCheck ValidateSplit;
NodeCheck ValidateTranspose;
NodeCheck ValidateDecompression;

// What crashes a kernel only while it runs. In node_tensors.cc.
NodeCheck ValidateBitwiseType;
NodeCheck ValidateConcatenation;
NodeCheck ValidateDiagonal;
NodeCheck ValidateElementwiseType;
NodeCheck ValidateFakeQuant;
NodeCheck ValidateCompressedType;
NodeCheck ValidateRadius;
NodeCheck ValidateReshapedType;
NodeCheck ValidateSlice;
NodeCheck ValidateTable;

// Quantized tensors that XNNPACK's delegate accepts and then crashes on. In xnnpack_quantization.cc.
NodeCheck ValidateProduct;
NodeCheck ValidateQuantize;

// Scales on which kernels abort because they do not fit a fixed-point multiplier. In quantization.cc.
using ScaleCheck = bool(const NodeInfo& node);
ScaleCheck CanAdd;
ScaleCheck CanCompare;
bool CanConvolve(const NodeInfo& node, int input);
template <int input>
bool CanConvolve(const NodeInfo& node) {
  return CanConvolve(node, input);
}
ScaleCheck CanDivide;
ScaleCheck CanFilterInTime;
ScaleCheck CanHardSwish;
ScaleCheck CanLeakyRelu;
ScaleCheck CanMultiply;
ScaleCheck CanMultiplyMatrices;
ScaleCheck CanPrelu;
ScaleCheck CanRescale;
ScaleCheck CanRescaleInFloat;
ScaleCheck CanSoftmax;
ScaleCheck CanSquareDifference;
ScaleCheck AcceptsAbsolutes;
ScaleCheck AcceptsReciprocalRoots;
Status ValidateMultiplier(const NodeInfo& node, ScaleCheck fit);
// The same, and several scales of a tensor of which the kernel reads one.
Status ValidateOneScale(const NodeInfo& node, ScaleCheck fit = nullptr);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNTIME_VALIDATE_NODE_H_
