#include "runtime/validate/node.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <initializer_list>
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

// The parser of StableHLO's options copies lists of any length into arrays of this one.
constexpr int64_t kMaxListed = TFLITE_STABLEHLO_GATHER_PARAMS_MAX_DIMENSION_COUNT;
static_assert(kMaxListed == TFLITE_STABLEHLO_SCATTER_PARAMS_MAX_DIMENSION_COUNT);

struct Check {
  BuiltinOperator op;
  const char* custom_name;
  NodeCheck* validate;
};

constexpr Check kChecks[] = {
#define FILE_CHECK(name, validate, ...) \
  {BuiltinOperator_##name, nullptr, [](const NodeInfo& node) { return validate(node __VA_OPT__(, ) __VA_ARGS__); }},
#define CUSTOM_FILE_CHECK(name, validate) {BuiltinOperator_CUSTOM, name, validate},
#include "tflite_kernels/op_table.def"
};

Status ValidateExtent(const char* name, int value) {
  if (value > 0 && value < kTooLarge) return {};
  return Malformed("has the ", name, " ", value);
}

Status ValidateExtents(std::initializer_list<std::pair<const char*, int>> extents) {
  for (const auto& [name, value] : extents) {
    RETURN_IF_ERROR(ValidateExtent(name, value));
  }
  return {};
}

bool Contains(const flatbuffers::Vector<int64_t>* values, int64_t value) {
  return values != nullptr && std::find(values->begin(), values->end(), value) != values->end();
}

Status ValidateLists(std::initializer_list<const flatbuffers::Vector<int64_t>*> lists) {
  for (const auto* list : lists) {
    if (SizeOf(list) > kMaxListed)
      return Malformed("lists ", SizeOf(list), " dimensions; at most ", kMaxListed, " can be");
  }
  return {};
}

// Any other padding makes the result empty; kernels divide by its size, or write to it.
Status ValidateWindowPadding(Padding padding) {
  const bool is_known = padding == Padding_SAME || padding == Padding_VALID;
  return is_known ? Status() : Malformed("has the padding ", int{padding});
}

Status RankError(const NodeInfo& node, int input, int64_t needed) {
  return Malformed("has an input ", input, " of rank ", SizeOf(node.input(input)->shape()), "; the op needs rank ",
                   needed);
}

}  // namespace

// Images: kernels check the rank, but XNNPACK's delegate reads the shape before that (XnnpackExclusions).
Status ValidateImage(const NodeInfo& node, int input) {
  const Tensor& image = *node.input(input);
  return SizeOf(image.shape()) == 4 || node.MayHaveAnyRank(image) ? Status() : RankError(node, input, 4);
}

template <typename Options>
Status ValidateBlockSize(const NodeInfo& node) {
  RETURN_IF_ERROR(ValidateImage(node, 0));
  const auto* options = node.node().builtin_options_as<Options>();
  return ValidateExtent("block_size", options ? options->block_size() : 0);
}
template NodeCheck ValidateBlockSize<DepthToSpaceOptions>;
template NodeCheck ValidateBlockSize<SpaceToDepthOptions>;

template <typename Options>
Status ValidateConvolution(const NodeInfo& node, int input) {
  RETURN_IF_ERROR(ValidateImage(node, input));
  const auto* options = node.node().builtin_options_as<Options>();
  if (options == nullptr) return Malformed("has no options");
  int dilation_h = 1, dilation_w = 1;
  if constexpr (requires { options->dilation_h_factor(); }) {
    dilation_h = options->dilation_h_factor();
    dilation_w = options->dilation_w_factor();
  }
  RETURN_IF_ERROR(ValidateExtents({{"stride_h", options->stride_h()},
                                   {"stride_w", options->stride_w()},
                                   {"dilation_h_factor", dilation_h},
                                   {"dilation_w_factor", dilation_w}}));
  return ValidateWindowPadding(options->padding());
}
template Status ValidateConvolution<Conv2DOptions>(const NodeInfo& node, int input);
template Status ValidateConvolution<DepthwiseConv2DOptions>(const NodeInfo& node, int input);
template Status ValidateConvolution<TransposeConvOptions>(const NodeInfo& node, int input);

Status ValidateConvolution3d(const NodeInfo& node) {
  const Conv3DOptions* options = node.node().builtin_options_as_Conv3DOptions();
  if (options == nullptr) return Malformed("has no options");
  RETURN_IF_ERROR(ValidateExtents({{"stride_d", options->stride_d()},
                                   {"stride_h", options->stride_h()},
                                   {"stride_w", options->stride_w()},
                                   {"dilation_d_factor", options->dilation_d_factor()},
                                   {"dilation_h_factor", options->dilation_h_factor()},
                                   {"dilation_w_factor", options->dilation_w_factor()}}));
  return ValidateWindowPadding(options->padding());
}

Status ValidatePool(const NodeInfo& node) {
  RETURN_IF_ERROR(ValidateImage(node, 0));
  const Pool2DOptions* options = node.node().builtin_options_as_Pool2DOptions();
  if (options == nullptr) return Malformed("has no options");
  return ValidateExtents({{"stride_h", options->stride_h()},
                          {"stride_w", options->stride_w()},
                          {"filter_height", options->filter_height()},
                          {"filter_width", options->filter_width()}});
}

Status ValidateSplit(const NodeInfo& node) {
  const SplitOptions* options = node.node().builtin_options_as_SplitOptions();
  const int num_splits = options ? options->num_splits() : 0;
  if (num_splits == node.output_count()) return {};
  return Malformed("has ", node.output_count(), " outputs but num_splits ", num_splits);
}

// A condition of rank 1 chooses along the first dimension of the other inputs.
Status ValidateCondition(const NodeInfo& node) {
  return SizeOf(node.input(0)->shape()) == 1 && SizeOf(node.input(1)->shape()) == 0 ? RankError(node, 1, 1) : Status();
}

// Paddings and crops have a row per dimension; kernels check those computed at run time.
Status ValidatePaddings(const NodeInfo& node, int input) {
  const Tensor& paddings = *node.input(input);
  if (!node.IsConstant(paddings) || SizeOf(paddings.shape()) == 2) return {};
  return RankError(node, input, 2);
}

// TfLiteTransposeConvParams of version 1 begins with these values; the kernel and two delegates read them unchecked.
Status ValidateDeconvolution(const NodeInfo& node) {
  const flatbuffers::Vector<uint8_t>* options = node.node().custom_options();
  int32_t values[3];  // padding, stride_width, stride_height
  if (SizeOf(options) < static_cast<int64_t>(sizeof(values)))
    return Malformed("has custom options without padding and strides");
  std::memcpy(values, options->data(), sizeof(values));
  const auto [padding, stride_w, stride_h] = values;
  if (padding != kTfLitePaddingSame && padding != kTfLitePaddingValid) {
    return Malformed("has the padding ", padding);
  }
  return ValidateExtents({{"stride_w", stride_w}, {"stride_h", stride_h}});
}

// TensorFlow Lite's kernels of custom ops read their options without verifying them.
Status ValidateFlexBuffer(const NodeInfo& node) {
  const auto* options = node.node().custom_options();
  if (options != nullptr && flexbuffers::VerifyBuffer(options->data(), options->size())) return {};
  return Malformed("has custom options that are not a FlexBuffer");
}

// XNNPACK unpacks constants into a buffer sized by the result's shape.
Status ValidateDecompression(const NodeInfo& node) {
  const auto* stored = node.input(0)->shape();
  const auto* unpacked = node.output(0)->shape();
  if (!node.IsConstant(*node.input(0))) return {};
  const bool are_equal = SizeOf(stored) == SizeOf(unpacked) &&
                         (SizeOf(stored) == 0 || std::equal(stored->begin(), stored->end(), unpacked->begin()));
  return are_equal ? Status() : Malformed("unpacks a constant to another shape");
}

Status ValidateTranspose(const NodeInfo& node) {
  const int64_t count = ElementCount(*node.input(1));
  const int64_t rank = SizeOf(node.input(0)->shape());
  if (count <= kLargestXnnpackRank || rank > kLargestXnnpackRank) return {};
  return Malformed("transposes ", count, " dimensions; its input has ", rank);
}

Status ValidateReshape(const NodeInfo& node) {
  const ReshapeOptions* options = node.node().builtin_options_as_ReshapeOptions();
  int64_t count = options ? SizeOf(options->new_shape()) : 0;
  if (node.input_count() > 1) count = node.ConstantIntegers(*node.input(1)).size();
  if (count <= kLargestXnnpackRank || SizeOf(node.output(0)->shape()) > kLargestXnnpackRank) return {};
  return Malformed("reshapes to ", count, " dimensions; its output has ", SizeOf(node.output(0)->shape()));
}

// Kernels of recurrent ops read dimensions without, or before, checking the rank.
Status ValidateRanks(const NodeInfo& node, std::initializer_list<int64_t> ranks) {
  int i = 0;
  for (int64_t rank : ranks) {
    if (node.input(i) != nullptr && SizeOf(node.input(i)->shape()) != rank) return RankError(node, i, rank);
    ++i;
  }
  return {};
}

// The kernel reads each dimension of the result from the slices or from the indices, and reads beyond their last.
Status ValidateGather(const NodeInfo& node) {
  const StablehloGatherOptions* options = node.node().builtin_options_2_as_StablehloGatherOptions();
  if (options == nullptr) return Malformed("has no options");
  RETURN_IF_ERROR(ValidateLists(
      {options->offset_dims(), options->collapsed_slice_dims(), options->start_index_map(), options->slice_sizes()}));
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
  return fits ? Status() : Malformed("has slices and indices that do not make a result of rank ", rank);
}

Status ValidateScatter(const NodeInfo& node) {
  const StablehloScatterOptions* options = node.node().builtin_options_2_as_StablehloScatterOptions();
  if (options == nullptr) return {};
  return ValidateLists(
      {options->update_window_dims(), options->inserted_window_dims(), options->scatter_dims_to_operand_dims()});
}

Status ValidateNode(const NodeInfo& node) {
  for (const Check& check : kChecks) {
    if (check.op != node.op()) continue;
    if (check.custom_name != nullptr && std::strcmp(check.custom_name, node.op_name()) != 0) continue;
    RETURN_IF_ERROR(check.validate(node));
  }
  return {};
}

}  // namespace tflite::webnn
