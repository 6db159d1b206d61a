#ifndef TFLITE_WEBNN_TESTS_UNIT_LOWERING_CASES_H_
#define TFLITE_WEBNN_TESTS_UNIT_LOWERING_CASES_H_

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

#include "tests/unit/test_model.h"

// Tables of the edges of lowerings: cases that the op cases of web_tests leave out, as TFLite's kernels reject them or
// as converters do not write them.
namespace tflite::webnn {

struct LoweringCase {
  const char* name;
  // Adds the node.
  void (*build)(TestSubgraph& graph);
  // The operators and the outputs, "reshape gather -> float32[2,3]", or why the node is rejected.
  const char* expected;
};

// Checks node 0, emits it unless it is rejected, and returns what LoweringCase expects.
std::string Lower(void (*build)(TestSubgraph& graph));
// The same with the operators' operands and options, a line for each. An operand is an input of the graph (t0), the
// numbers of a constant, or the result of an earlier line: "add(t0, {1,2})" and "gather(%0, {0,0}, axis=1)".
std::string LowerToCalls(void (*build)(TestSubgraph& graph));

inline void ExpectLowerings(std::initializer_list<LoweringCase> cases) {
  for (const LoweringCase& each : cases) EXPECT_EQ(Lower(each.build), each.expected) << each.name;
}
inline void ExpectCalls(std::initializer_list<LoweringCase> cases) {
  for (const LoweringCase& each : cases) EXPECT_EQ(LowerToCalls(each.build), each.expected) << each.name;
}

// The options of a node: OPTIONS(GatherOptionsT, o.axis = 1).
#define OPTIONS(Type, ...) \
  [] {                     \
    Type o;                \
    __VA_ARGS__;           \
    return o;              \
  }()

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_TESTS_UNIT_LOWERING_CASES_H_
