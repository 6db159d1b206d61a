#ifndef TFLITE_WEBNN_RUNNER_NODE_CHECK_H_
#define TFLITE_WEBNN_RUNNER_NODE_CHECK_H_

#include <initializer_list>
#include <string>

#include "runner/node_facts.h"

// The checks of delegate/op_table.def that only need the file. They cover what crashes a kernel or delegate of
// TensorFlow Lite; those report other problems themselves.
namespace tflite::webnn {

// The problem of a node that has the right number of tensors, or "".
using NodeCheck = std::string(const NodeFacts& node);

// The first problem that a check of the op finds.
NodeCheck NodeProblem;

// Ranks and options. In node_check.cc.
template <typename Options>
NodeCheck BlockSizeProblem;
NodeCheck ConditionProblem;
template <typename Options>
std::string ConvolutionProblem(const NodeFacts& node, int input);
NodeCheck DeconvolutionProblem;
NodeCheck FlexBufferProblem;
NodeCheck GatherProblem;
std::string PaddingsProblem(const NodeFacts& node, int input);
std::string PictureProblem(const NodeFacts& node, int input);
NodeCheck PoolProblem;
std::string RanksProblem(const NodeFacts& node, std::initializer_list<int64_t> ranks);
NodeCheck ReshapeProblem;
NodeCheck SplitProblem;
NodeCheck TransposeProblem;
NodeCheck UnpackingProblem;

// What crashes a kernel only while it runs. In run_check.cc.
NodeCheck BitwiseTypeProblem;
NodeCheck ConcatenationProblem;
NodeCheck DiagonalProblem;
NodeCheck ElementwiseTypeProblem;
NodeCheck FakeQuantProblem;
NodeCheck PackedTypeProblem;
NodeCheck PadProblem;
NodeCheck RadiusProblem;
NodeCheck ReshapedTypeProblem;
NodeCheck SliceProblem;
NodeCheck SparseIndicesProblem;
NodeCheck TableProblem;

// Quantized tensors that XNNPACK's delegate takes and then crashes on. In xnnpack_check.cc.
NodeCheck ProductProblem;
NodeCheck QuantizeProblem;

// Scales on which kernels abort because they do not fit a fixed-point multiplier. In quantization_check.cc.
using ScaleCheck = bool(const NodeFacts& node);
ScaleCheck CanAdd;
ScaleCheck CanCompare;
bool CanConvolve(const NodeFacts& node, int input);
template <int input>
bool CanConvolve(const NodeFacts& node) {
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
ScaleCheck CanTakeAbsolutes;
ScaleCheck CanTakeReciprocalRoots;
std::string MultiplierProblem(const NodeFacts& node, ScaleCheck fit);
// The same, and several scales of a tensor of which the kernel reads one.
std::string OneScaleProblem(const NodeFacts& node, ScaleCheck fit = nullptr);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNNER_NODE_CHECK_H_
