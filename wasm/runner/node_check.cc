#include "runner/node_check.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <utility>
#include <vector>

#include "flatbuffers/flexbuffers.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"

namespace tflite::webnn {
namespace {

// Exclusive limit for block sizes, strides and dilations: squares of smaller values fit in an int32.
constexpr int kTooLarge = 1 << 15;
// XNN_MAX_TENSOR_DIMS: XNNPACK's delegate copies a permutation or a new shape into an array of this size, but checks
// only the rank of the input or of the result.
constexpr int64_t kLargestXnnpackRank = 6;

struct Check {
  BuiltinOperator op;
  const char* custom_name;
  NodeCheck* problem;
};

constexpr Check kChecks[] = {
#define FILE_CHECK(name, problem, ...) \
  {BuiltinOperator_##name, nullptr, [](const NodeFacts& node) { return problem(node __VA_OPT__(, ) __VA_ARGS__); }},
#define CUSTOM_FILE_CHECK(name, problem) {BuiltinOperator_CUSTOM, name, problem},
#include "delegate/op_table.def"
};

std::string FactorProblem(const char* name, int factor) {
  if (factor > 0 && factor < kTooLarge) return "";
  return "has the " + std::string(name) + " " + std::to_string(factor);
}

std::string FactorsProblem(std::initializer_list<std::pair<const char*, int>> factors) {
  for (const auto& [name, factor] : factors) {
    const std::string problem = FactorProblem(name, factor);
    if (!problem.empty()) return problem;
  }
  return "";
}

bool Contains(const flatbuffers::Vector<int64_t>* values, int64_t value) {
  return values != nullptr && std::find(values->begin(), values->end(), value) != values->end();
}

std::string RankText(const NodeFacts& node, int input, int64_t needed) {
  return "has an input " + std::to_string(input) + " of rank " + std::to_string(SizeOf(node.input(input)->shape())) +
         "; the op needs rank " + std::to_string(needed);
}

}  // namespace

// Pictures: kernels check the rank, but XNNPACK's delegate reads the shape before that (XnnpackDenials).
std::string PictureProblem(const NodeFacts& node, int input) {
  const Tensor& picture = *node.input(input);
  return SizeOf(picture.shape()) == 4 || node.MayHaveAnyRank(picture) ? "" : RankText(node, input, 4);
}

template <typename Options>
std::string BlockSizeProblem(const NodeFacts& node) {
  const std::string problem = PictureProblem(node, 0);
  const auto* options = node.node().builtin_options_as<Options>();
  return problem.empty() ? FactorProblem("block_size", options ? options->block_size() : 0) : problem;
}
template NodeCheck BlockSizeProblem<DepthToSpaceOptions>;
template NodeCheck BlockSizeProblem<SpaceToDepthOptions>;

template <typename Options>
std::string ConvolutionProblem(const NodeFacts& node, int input) {
  std::string problem = PictureProblem(node, input);
  if (!problem.empty()) return problem;
  const auto* options = node.node().builtin_options_as<Options>();
  if (options == nullptr) return "has no options";
  int dilation_h = 1, dilation_w = 1;
  if constexpr (requires { options->dilation_h_factor(); }) {
    dilation_h = options->dilation_h_factor();
    dilation_w = options->dilation_w_factor();
  }
  problem = FactorsProblem({{"stride_h", options->stride_h()},
                            {"stride_w", options->stride_w()},
                            {"dilation_h_factor", dilation_h},
                            {"dilation_w_factor", dilation_w}});
  // Any other padding makes the result empty; kernels divide by its size, or write to it.
  const bool is_known = options->padding() == Padding_SAME || options->padding() == Padding_VALID;
  return problem.empty() && !is_known ? "has the padding " + std::to_string(options->padding()) : problem;
}
template std::string ConvolutionProblem<Conv2DOptions>(const NodeFacts& node, int input);
template std::string ConvolutionProblem<DepthwiseConv2DOptions>(const NodeFacts& node, int input);
template std::string ConvolutionProblem<TransposeConvOptions>(const NodeFacts& node, int input);

std::string PoolProblem(const NodeFacts& node) {
  const std::string problem = PictureProblem(node, 0);
  if (!problem.empty()) return problem;
  const Pool2DOptions* options = node.node().builtin_options_as_Pool2DOptions();
  if (options == nullptr) return "has no options";
  return FactorsProblem({{"stride_h", options->stride_h()},
                         {"stride_w", options->stride_w()},
                         {"filter_height", options->filter_height()},
                         {"filter_width", options->filter_width()}});
}

std::string SplitProblem(const NodeFacts& node) {
  const SplitOptions* options = node.node().builtin_options_as_SplitOptions();
  const int num_splits = options ? options->num_splits() : 0;
  if (num_splits == node.output_count()) return "";
  return "has " + std::to_string(node.output_count()) + " outputs but num_splits " + std::to_string(num_splits);
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
std::string DeconvolutionProblem(const NodeFacts& node) {
  const flatbuffers::Vector<uint8_t>* options = node.node().custom_options();
  int32_t values[3];  // padding, stride_width, stride_height
  if (SizeOf(options) < static_cast<int64_t>(sizeof(values))) return "has custom options without padding and strides";
  std::memcpy(values, options->data(), sizeof(values));
  const auto [padding, stride_w, stride_h] = values;
  if (padding != kTfLitePaddingSame && padding != kTfLitePaddingValid) {
    return "has the padding " + std::to_string(padding);
  }
  return FactorsProblem({{"stride_w", stride_w}, {"stride_h", stride_h}});
}

// TensorFlow Lite's kernels of custom ops read their options without verifying them.
std::string FlexBufferProblem(const NodeFacts& node) {
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

std::string NodeProblem(const NodeFacts& node) {
  for (const Check& check : kChecks) {
    if (check.op != node.op()) continue;
    if (check.custom_name != nullptr && std::strcmp(check.custom_name, node.op_name()) != 0) continue;
    const std::string problem = check.problem(node);
    if (!problem.empty()) return problem;
  }
  return "";
}

}  // namespace tflite::webnn
