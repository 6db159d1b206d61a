#ifndef TFLITE_WEBNN_DELEGATE_WORKAROUNDS_WORKAROUNDS_H_
#define TFLITE_WEBNN_DELEGATE_WORKAROUNDS_WORKAROUNDS_H_

#include <cstdint>
#include <string_view>

namespace tflite::webnn {

// What lowerings do because of a browser's bug. tools/probe/workarounds.toml says which browsers have it, and why.
enum class Workaround : uint8_t {
  kTransposePairs,
  kConv2dLeftoverInput,
  kConv2dDepthwiseFilter,
  kConvTransposePadding,
  kDivisionByMinusOne,
  kGemmNan,
  kArgKeepDimensions,
  kMovedIntegers,
  kResample2dTies,
  kGatherIndices,
  kReductionRank,
  kConcatRank,
  kLargeConstants,
};

// The ids, in the same order.
inline constexpr std::string_view kWorkaroundIds[] = {
    "transpose_pairs",        "conv2d_leftover_input", "conv2d_depthwise_filter",
    "conv_transpose_padding", "division_by_minus_one", "gemm_nan",
    "arg_keep_dimensions",    "moved_integers",        "resample2d_ties",
    "gather_indices",         "reduction_rank",        "concat_rank",
    "large_constants",
};

class Workarounds {
 public:
  constexpr Workarounds() = default;
  constexpr Workarounds(Workaround one) : bits_(1u << static_cast<int>(one)) {}

  bool Has(Workaround one) const { return (bits_ & Workarounds(one).bits_) != 0; }
  void Add(Workarounds others) { bits_ |= others.bits_; }
  // Replaces the set by `all`, or by ids with commas in between. False if there is another id.
  bool Parse(std::string_view text);

 private:
  uint32_t bits_ = 0;
};

// Operands that accept fewer axes than opSupportLimits() promises, with spaces in between.
struct LimitedRank {
  Workaround workaround;
  int max_rank;
  std::string_view operands;
};

inline constexpr LimitedRank kLimitedRanks[] = {
    {Workaround::kGatherIndices, 4, "gather.indices gatherND.indices"},
    {Workaround::kReductionRank, 6,
     "reduceL1.input reduceL2.input reduceLogSum.input reduceLogSumExp.input reduceMax.input reduceMean.input "
     "reduceMin.input reduceSum.input reduceSumSquare.input"},
    {Workaround::kConcatRank, 6, "concat.inputs"},
};

// Larger constants make build() fail. JavaScript splits the weights of a gemm.
inline constexpr uint64_t kMaxConstantBytes = uint64_t{128} << 20;

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_WORKAROUNDS_WORKAROUNDS_H_
