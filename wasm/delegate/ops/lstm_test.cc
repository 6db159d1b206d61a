#include <vector>

#include "tests/unit/lowering_cases.h"

namespace tflite::webnn {
namespace {

TEST(LstmLoweringTest, Edges) {
  ExpectLowerings({
      {"input of rank 0",
       [](TestSubgraph& g) {
         std::vector<int> inputs(24, -1);
         inputs[0] = g.Float({});
         for (int i : {2, 3, 4, 6, 7, 8}) inputs[i] = g.Float({1, 1});
         for (int i : {13, 14, 15}) inputs[i] = g.Float({1});
         for (int i : {18, 19}) g.tensor(inputs[i] = g.Float({1, 1})).is_variable = true;
         g.Op(BuiltinOperator_LSTM, inputs, {g.Float({1, 1})},
              OPTIONS(LSTMOptionsT, o.fused_activation_function = ActivationFunctionType_TANH));
       },
       "input must have rank 2"},
      {"output of rank 0",
       [](TestSubgraph& g) {
         std::vector<int> inputs(24, -1);
         inputs[0] = g.Float({1, 1});
         for (int i : {2, 3, 4, 6, 7, 8}) inputs[i] = g.Float({1, 1});
         for (int i : {13, 14, 15}) inputs[i] = g.Float({1});
         for (int i : {18, 19}) g.tensor(inputs[i] = g.Float({1, 1})).is_variable = true;
         g.Op(BuiltinOperator_LSTM, inputs, {g.Float({})},
              OPTIONS(LSTMOptionsT, o.fused_activation_function = ActivationFunctionType_TANH));
       },
       "WebNN returns float32[1,1], but tensor 12 't12' is float32[]"},
      {"65 steps",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_UNIDIRECTIONAL_SEQUENCE_RNN,
              {g.Float({65, 1, 1}), g.Float({1, 1}), g.Float({1, 1}), g.Float({1}), g.Float({1, 1})},
              {g.Float({65, 1, 1})}, OPTIONS(SequenceRNNOptionsT, o.time_major = true));
       },
       "the sequence has 65 steps, which are unrolled up to 64"},
      {"no steps",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_UNIDIRECTIONAL_SEQUENCE_RNN,
              {g.Float({0, 1, 1}), g.Float({1, 1}), g.Float({1, 1}), g.Float({1}), g.Float({1, 1})},
              {g.Float({0, 1, 1})}, OPTIONS(SequenceRNNOptionsT, o.time_major = true));
       },
       "tensor 0 't0' has shape [0,1,1]; WebNN needs every dimension known and above 0"},
      {"weights of rank 0",
       [](TestSubgraph& g) {
         const int state = g.Float({1, 1});
         g.tensor(state).is_variable = true;
         g.Op(BuiltinOperator_RNN, {g.Float({1, 1}), g.Float({}), g.Float({1, 1}), g.Float({1}), state},
              {g.Float({1, 1})}, RNNOptionsT());
       },
       "weights [] do not fit [1,1]"},
      {"a state that is no variable",
       [](TestSubgraph& g) {
         g.Op(BuiltinOperator_RNN, {g.Float({1, 1}), g.Float({1, 1}), g.Float({1, 1}), g.Float({1}), g.Float({1, 1})},
              {g.Float({1, 1})}, RNNOptionsT());
       },
       "input 4 must be the state: a variable that no node writes"},
      {"weights that do not fit",
       [](TestSubgraph& g) {
         const int state = g.Float({1, 1});
         g.tensor(state).is_variable = true;
         g.Op(BuiltinOperator_RNN, {g.Float({1, 2}), g.Float({1, 3}), g.Float({1, 1}), g.Float({1}), state},
              {g.Float({1, 1})}, RNNOptionsT());
       },
       "weights [1,3] do not fit [1,2]"},
  });
}

TEST(LstmLoweringTest, Calls) {
  ExpectCalls({
      {"two steps of two batches",
       [](TestSubgraph& g) {
         const int x = g.Float({2, 2, 1}), weights = g.Float({1, 1}), recurrent = g.Float({1, 1});
         const int bias = g.Float({1}), state = g.Float({2, 1});
         g.tensor(state).is_variable = true;
         g.Op(BuiltinOperator_UNIDIRECTIONAL_SEQUENCE_RNN, {x, weights, recurrent, bias, state}, {g.Float({2, 2, 1})},
              OPTIONS(SequenceRNNOptionsT, o.time_major = true,
                      o.fused_activation_function = ActivationFunctionType_TANH));
       },
       "reshape(t0, [4,1])\ngemm(%0, t1, bTranspose=1, c=t3)\n"
       "slice(%1, [0,0], [2,1])\ngemm(t4, t2, bTranspose=1, c=%2)\ntanh(%3)\n"
       "slice(%1, [2,0], [2,1])\ngemm(%4, t2, bTranspose=1, c=%5)\ntanh(%6)\n"
       "concat([%4, %7], 0)\nreshape(%8, [2,2,1])\n-> float32[2,2,1]"},
  });
}

}  // namespace
}  // namespace tflite::webnn
