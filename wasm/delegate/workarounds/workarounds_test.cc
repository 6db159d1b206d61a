#include "delegate/workarounds/workarounds.h"

#include <gtest/gtest.h>

#include <iterator>
#include <string>

namespace tflite::webnn {
namespace {

constexpr int kCount = static_cast<int>(std::size(kWorkaroundIds));

TEST(WorkaroundsTest, NothingIsTheEmptySet) {
  Workarounds workarounds(Workaround::kGemmNan);
  EXPECT_TRUE(workarounds.Parse(""));
  for (int i = 0; i < kCount; ++i) EXPECT_FALSE(workarounds.Has(static_cast<Workaround>(i))) << kWorkaroundIds[i];
}

TEST(WorkaroundsTest, AllIsEachOne) {
  Workarounds workarounds;
  EXPECT_TRUE(workarounds.Parse("all"));
  for (int i = 0; i < kCount; ++i) EXPECT_TRUE(workarounds.Has(static_cast<Workaround>(i))) << kWorkaroundIds[i];
}

TEST(WorkaroundsTest, EachIdIsItsOwnWorkaroundOnly) {
  for (int i = 0; i < kCount; ++i) {
    Workarounds workarounds;
    EXPECT_TRUE(workarounds.Parse(kWorkaroundIds[i]));
    for (int j = 0; j < kCount; ++j) {
      EXPECT_EQ(workarounds.Has(static_cast<Workaround>(j)), i == j) << kWorkaroundIds[i] << " " << kWorkaroundIds[j];
    }
  }
}

TEST(WorkaroundsTest, IdsOfTheEnumHaveItsOrder) {
  EXPECT_EQ(kWorkaroundIds[static_cast<int>(Workaround::kTransposePairs)], "transpose_pairs");
  EXPECT_EQ(kWorkaroundIds[static_cast<int>(Workaround::kGatherIndices)], "gather_indices");
  EXPECT_EQ(kWorkaroundIds[static_cast<int>(Workaround::kLargeConstants)], "large_constants");
  EXPECT_EQ(static_cast<int>(Workaround::kLargeConstants), kCount - 1);
}

TEST(WorkaroundsTest, ListReplacesTheSet) {
  Workarounds workarounds(Workaround::kTransposePairs);
  EXPECT_TRUE(workarounds.Parse("gemm_nan,concat_rank"));
  EXPECT_FALSE(workarounds.Has(Workaround::kTransposePairs));
  EXPECT_TRUE(workarounds.Has(Workaround::kGemmNan));
  EXPECT_TRUE(workarounds.Has(Workaround::kConcatRank));
}

TEST(WorkaroundsTest, UnknownIdsAreRejected) {
  for (const char* text : {"gemm", "gemm_nan,none", "gemm_nan, concat_rank", "all,gemm_nan", "ALL"}) {
    EXPECT_FALSE(Workarounds().Parse(text)) << text;
  }
}

TEST(WorkaroundsTest, RanksAreLimitedByWorkaroundsWithTheSameName) {
  for (const LimitedRank& limited : kLimitedRanks) {
    EXPECT_FALSE(limited.operands.empty());
    EXPECT_GT(limited.max_rank, 0);
    const std::string id(kWorkaroundIds[static_cast<int>(limited.workaround)]);
    EXPECT_TRUE(id.ends_with("_rank") || id.ends_with("_indices")) << id;
  }
}

}  // namespace
}  // namespace tflite::webnn
