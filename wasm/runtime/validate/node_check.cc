#include "runtime/validate/node_check.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <set>
#include <utility>
#include <vector>

#include "flatbuffers/flexbuffers.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"
#include "tflite_kernels/custom_kernels.h"

namespace tflite::webnn {
namespace {

// Exclusive limit for block sizes, strides and dilations: squares of smaller values fit in an int32.
constexpr int kTooLarge = 1 << 15;
// XNN_MAX_TENSOR_DIMS: XNNPACK's delegate copies a permutation or a new shape into an array of this size, but checks
// only the rank of the input or of the result.
constexpr int64_t kLargestXnnpackRank = 6;

// Custom ops of TensorFlow Lite whose kernels read their FlexBuffer options without verifying them.
const std::set<std::string> kFlexBufferOps = {"AudioSpectrogram", "Mfcc", "NumericVerify",
                                              "TFLite_Detection_PostProcess", "aeq.hadamard_rotation"};

// TFLite's kernel refuses a fused activation, and XNNPACK's leaves it out.
std::string ConcatenationProblem(const ConcatenationOptions* options) {
  if (options == nullptr || options->fused_activation_function() == ActivationFunctionType_NONE) return "";
  return std::string("has the fused activation ") +
         EnumNameActivationFunctionType(options->fused_activation_function()) + ", which no kernel computes";
}

std::string SplitProblem(const NodeFacts& node) {
  const SplitOptions* options = node.node().builtin_options_as_SplitOptions();
  const int num_splits = options ? options->num_splits() : 0;
  if (num_splits == node.output_count()) return "";
  return "has " + std::to_string(node.output_count()) + " outputs but num_splits " + std::to_string(num_splits);
}

std::string FactorProblem(const char* name, int factor) {
  if (factor > 0 && factor < kTooLarge) return "";
  return "has the " + std::string(name) + " " + std::to_string(factor);
}

template <typename Options>
std::string BlockSizeProblem(const Options* options) {
  return FactorProblem("block_size", options ? options->block_size() : 0);
}

// Also for pools, which have no dilation: `dilation_h` and `dilation_w` then are 1.
template <typename Options>
std::string StrideProblem(const Options* options, int dilation_h, int dilation_w) {
  if (options == nullptr) return "has no options";
  const std::pair<const char*, int> factors[] = {{"stride_h", options->stride_h()},
                                                 {"stride_w", options->stride_w()},
                                                 {"dilation_h_factor", dilation_h},
                                                 {"dilation_w_factor", dilation_w}};
  for (const auto& [name, factor] : factors) {
    const std::string problem = FactorProblem(name, factor);
    if (!problem.empty()) return problem;
  }
  return "";
}

template <typename Options>
std::string ConvolutionProblem(const Options* options) {
  return StrideProblem(options, options ? options->dilation_h_factor() : 1, options ? options->dilation_w_factor() : 1);
}

std::string PoolProblem(const Pool2DOptions* options) {
  const std::string problem = StrideProblem(options, 1, 1);
  if (!problem.empty()) return problem;
  const std::string height_problem = FactorProblem("filter_height", options->filter_height());
  return height_problem.empty() ? FactorProblem("filter_width", options->filter_width()) : height_problem;
}

std::string RankText(const NodeFacts& node, int input, int64_t needed) {
  return "has an input " + std::to_string(input) + " of rank " + std::to_string(SizeOf(node.input(input)->shape())) +
         "; the op needs rank " + std::to_string(needed);
}

std::string MatrixProblem(const NodeFacts& node) {
  for (int i = 0; i < 2; ++i) {
    const Tensor& matrix = *node.input(i);
    if (SizeOf(matrix.shape()) < 2 && !node.MayHaveAnyRank(matrix)) return RankText(node, i, 2) + " or more";
  }
  return "";
}

// Pictures: kernels check the rank, but XNNPACK's delegate reads the shape before that (XnnpackDenials).
std::string PictureProblem(const NodeFacts& node, int input) {
  const Tensor& picture = *node.input(input);
  return SizeOf(picture.shape()) == 4 || node.MayHaveAnyRank(picture) ? "" : RankText(node, input, 4);
}

// A condition of rank 1 chooses along the first dimension of the other inputs.
std::string ConditionProblem(const NodeFacts& node) {
  return SizeOf(node.input(0)->shape()) == 1 && SizeOf(node.input(1)->shape()) == 0 ? RankText(node, 1, 1) : "";
}

// Paddings and crops have a row per dimension; kernels check those computed at run time.
std::string PaddingsProblem(const NodeFacts& node, int input) {
  const Tensor& paddings = *node.input(input);
  if (!node.IsConstant(paddings) || SizeOf(paddings.shape()) == 2) return "";
  return RankText(node, input, 2);
}

// TfLiteTransposeConvParams of version 1 begins with these values; the kernel and two delegates read them unchecked.
std::string DeconvolutionProblem(const flatbuffers::Vector<uint8_t>* options) {
  int32_t values[3];  // padding, stride_width, stride_height
  if (SizeOf(options) < static_cast<int64_t>(sizeof(values))) return "has custom options without padding and strides";
  std::memcpy(values, options->data(), sizeof(values));
  const auto [padding, stride_w, stride_h] = values;
  if (padding != kTfLitePaddingSame && padding != kTfLitePaddingValid) {
    return "has the padding " + std::to_string(padding);
  }
  const std::string problem = FactorProblem("stride_w", stride_w);
  return problem.empty() ? FactorProblem("stride_h", stride_h) : problem;
}

std::string CustomOptionsProblem(const NodeFacts& node) {
  if (std::strcmp(node.op_name(), kConvolution2DTransposeBiasName) == 0) {
    return DeconvolutionProblem(node.node().custom_options());
  }
  if (kFlexBufferOps.count(node.op_name()) == 0) return "";
  const auto* options = node.node().custom_options();
  if (options != nullptr && flexbuffers::VerifyBuffer(options->data(), options->size())) return "";
  return "has custom options that are not a FlexBuffer";
}

// XNNPACK unpacks constants into a buffer sized by the result's shape.
std::string UnpackingProblem(const NodeFacts& node) {
  const auto* stored = node.input(0)->shape();
  const auto* unpacked = node.output(0)->shape();
  if (!node.IsConstant(*node.input(0))) return "";
  const bool are_equal = SizeOf(stored) == SizeOf(unpacked) &&
                         (SizeOf(stored) == 0 || std::equal(stored->begin(), stored->end(), unpacked->begin()));
  return are_equal ? "" : "unpacks a constant to another shape";
}

std::string TransposeProblem(const NodeFacts& node) {
  int64_t count = 1;
  for (int64_t i = 0; i < SizeOf(node.input(1)->shape()); ++i) count *= node.input(1)->shape()->Get(i);
  const int64_t rank = SizeOf(node.input(0)->shape());
  if (count <= kLargestXnnpackRank || rank > kLargestXnnpackRank) return "";
  return "transposes " + std::to_string(count) + " dimensions; its input has " + std::to_string(rank);
}

std::string ReshapeProblem(const NodeFacts& node) {
  const ReshapeOptions* options = node.node().builtin_options_as_ReshapeOptions();
  int64_t count = options ? SizeOf(options->new_shape()) : 0;
  if (node.input_count() > 1) count = node.ConstantIntegers(*node.input(1)).size();
  if (count <= kLargestXnnpackRank || SizeOf(node.output(0)->shape()) > kLargestXnnpackRank) return "";
  return "reshapes to " + std::to_string(count) + " dimensions; its output has " +
         std::to_string(SizeOf(node.output(0)->shape()));
}

// Kernels of recurrent ops read dimensions without, or before, checking the rank.
std::string RanksProblem(const NodeFacts& node, std::initializer_list<int64_t> ranks) {
  int i = 0;
  for (int64_t rank : ranks) {
    if (node.input(i) != nullptr && SizeOf(node.input(i)->shape()) != rank) return RankText(node, i, rank);
    ++i;
  }
  return "";
}

bool Contains(const flatbuffers::Vector<int64_t>* values, int64_t value) {
  return values != nullptr && std::find(values->begin(), values->end(), value) != values->end();
}

// The kernel takes each dimension of the result from the slices or from the indices, and reads beyond their last.
std::string GatherProblem(const NodeFacts& node) {
  const StablehloGatherOptions* options = node.node().builtin_options_2_as_StablehloGatherOptions();
  if (options == nullptr) return "has no options";
  const int64_t slice_rank = SizeOf(options->slice_sizes());
  int64_t kept = 0;
  for (int64_t i = 0; i < slice_rank; ++i) kept += !Contains(options->collapsed_slice_dims(), i);
  const int64_t rank = SizeOf(node.output(0)->shape());
  int64_t from_slices = 0;
  for (int64_t i = 0; i < rank; ++i) from_slices += Contains(options->offset_dims(), i);
  const int64_t index_rank = SizeOf(node.input(1)->shape());
  const int64_t vector_dimension = options->index_vector_dim();
  const int64_t from_indices = rank - from_slices;
  const bool skips = vector_dimension >= 0 && vector_dimension < from_indices;
  const bool fits = slice_rank - SizeOf(options->collapsed_slice_dims()) == kept && from_slices <= kept &&
                    from_indices + skips <= index_rank;
  return fits ? "" : "has slices and indices that do not make a result of rank " + std::to_string(rank);
}

std::string RankProblem(const NodeFacts& node) {
  switch (node.op()) {
    case BuiltinOperator_AVERAGE_POOL_2D:
    case BuiltinOperator_CONV_2D:
    case BuiltinOperator_DEPTHWISE_CONV_2D:
    case BuiltinOperator_DEPTH_TO_SPACE:
    case BuiltinOperator_L2_POOL_2D:
    case BuiltinOperator_MAX_POOL_2D:
    case BuiltinOperator_RESIZE_BILINEAR:
    case BuiltinOperator_RESIZE_NEAREST_NEIGHBOR:
    case BuiltinOperator_SPACE_TO_DEPTH:
      return PictureProblem(node, 0);
    case BuiltinOperator_BIDIRECTIONAL_SEQUENCE_RNN:
      return RanksProblem(node, {3, 2, 2, 1, 2, 2, 2, 1, 2});
    case BuiltinOperator_RNN:
      return RanksProblem(node, {2, 2, 2, 1, 2});
    case BuiltinOperator_UNIDIRECTIONAL_SEQUENCE_RNN:
      return RanksProblem(node, {3, 2, 2, 1, 2});
    case BuiltinOperator_SELECT:
      return ConditionProblem(node);
    case BuiltinOperator_TRANSPOSE_CONV:
      return PictureProblem(node, 2);
    default:
      return "";
  }
}

std::string OptionProblem(const NodeFacts& node) {
  switch (node.op()) {
    case BuiltinOperator_AVERAGE_POOL_2D:
    case BuiltinOperator_L2_POOL_2D:
    case BuiltinOperator_MAX_POOL_2D:
      return PoolProblem(node.node().builtin_options_as_Pool2DOptions());
    case BuiltinOperator_BATCH_MATMUL:
      return MatrixProblem(node);
    case BuiltinOperator_BATCH_TO_SPACE_ND:
    case BuiltinOperator_SPACE_TO_BATCH_ND:
      return PaddingsProblem(node, 2);
    case BuiltinOperator_CONCATENATION:
      return ConcatenationProblem(node.node().builtin_options_as_ConcatenationOptions());
    case BuiltinOperator_CONV_2D:
      return ConvolutionProblem(node.node().builtin_options_as_Conv2DOptions());
    case BuiltinOperator_CUSTOM:
      return CustomOptionsProblem(node);
    case BuiltinOperator_DENSIFY:
    case BuiltinOperator_DEQUANTIZE:
      return UnpackingProblem(node);
    case BuiltinOperator_DEPTH_TO_SPACE:
      return BlockSizeProblem(node.node().builtin_options_as_DepthToSpaceOptions());
    case BuiltinOperator_DEPTHWISE_CONV_2D:
      return ConvolutionProblem(node.node().builtin_options_as_DepthwiseConv2DOptions());
    case BuiltinOperator_MIRROR_PAD:
    case BuiltinOperator_PAD:
    case BuiltinOperator_PADV2:
      return PaddingsProblem(node, 1);
    case BuiltinOperator_RESHAPE:
      return ReshapeProblem(node);
    case BuiltinOperator_SPACE_TO_DEPTH:
      return BlockSizeProblem(node.node().builtin_options_as_SpaceToDepthOptions());
    case BuiltinOperator_SPLIT:
      return SplitProblem(node);
    case BuiltinOperator_STABLEHLO_GATHER:
      return GatherProblem(node);
    case BuiltinOperator_TRANSPOSE:
      return TransposeProblem(node);
    case BuiltinOperator_TRANSPOSE_CONV:
      return StrideProblem(node.node().builtin_options_as_TransposeConvOptions(), 1, 1);
    default:
      return "";
  }
}

}  // namespace

std::string NodeProblem(const NodeFacts& node) {
  std::string problem = RankProblem(node);
  if (problem.empty()) problem = OptionProblem(node);
  if (problem.empty()) problem = QuantizationProblem(node);
  if (problem.empty()) problem = RunProblem(node);
  return problem.empty() ? XnnpackProblem(node) : problem;
}

}  // namespace tflite::webnn
