#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "delegate/ops/families.h"

// LSTMs and simple RNNs, unrolled step by step. The products with the input do not depend on the previous step, so one
// gemm computes them for all steps. The state is an input and an output of the graph.
namespace tflite::webnn {
namespace {

// Each step has about twenty operators: graphs of longer sequences would take minutes to build.
constexpr int kMaxSteps = 64;

// The input as [steps * batch, features].
struct Steps {
  int count = 1;
  int batch = 1;
  bool time_major = true;
  Operand rows;
};

// A sequence is [time, batch, features] or [batch, time, features]; a single step is [batch, features].
bool ReadSteps(const OpView& op, bool is_sequence, bool time_major, GraphBuilder& builder, Steps* steps) {
  Operand input = builder.Tensor(op.input(0));
  const std::vector<int> shape = builder.shape(input);
  if (shape.size() != (is_sequence ? 3 : 2)) {
    builder.Reject("input must have rank " + std::to_string(is_sequence ? 3 : 2));
    return false;
  }
  *steps = {1, shape[0], time_major || !is_sequence, input};
  if (!is_sequence) return true;
  steps->count = time_major ? shape[0] : shape[1];
  steps->batch = time_major ? shape[1] : shape[0];
  if (steps->count > kMaxSteps) {
    builder.Reject("the sequence has " + std::to_string(steps->count) + " steps, which are unrolled up to " +
                   std::to_string(kMaxSteps));
    return false;
  }
  if (!time_major) input = builder.Transpose(input, {1, 0, 2});
  steps->rows = builder.Reshape(input, {steps->count * steps->batch, shape[2]});
  return true;
}

// The results of all steps in the layout of the node's output.
Operand JoinSteps(const OpView& op, const Steps& steps, const std::vector<Operand>& results, GraphBuilder& builder) {
  Operand output = results.size() == 1 ? results[0] : builder.Concat(results, 0);
  if (builder.rejected()) return Operand();
  const int features = builder.shape(output)[1];
  if (op.output(0).rank() == 3) output = builder.Reshape(output, {steps.count, steps.batch, features});
  if (!steps.time_major) output = builder.Transpose(output, {1, 0, 2});
  return output;
}

// a * transposed(b) + c; without c if that is invalid.
Operand Product(Operand a, Operand b, Operand c, GraphBuilder& builder) {
  if (builder.shape(a).size() != 2 || builder.shape(b).size() != 2 || builder.shape(a)[1] != builder.shape(b)[1])
    return builder.Reject("weights " + ShapeText(builder.shape(b)) + " do not fit " + ShapeText(builder.shape(a)));
  std::vector<Option> options = {{"bTranspose", true}};
  if (c.valid()) options.push_back({"c", c});
  const OperandDescriptor output{builder.descriptor(a).data_type, {builder.shape(a)[0], builder.shape(b)[0]}};
  return builder.Emit({"gemm", {{"a", a}, {"b", b}}, {}, std::move(options)}, output);
}

Operand Activate(Operand x, TfLiteFusedActivation activation, GraphBuilder& builder) {
  if (activation == kTfLiteActTanh) return builder.Unary("tanh", x);
  if (activation == kTfLiteActSigmoid) return builder.Unary("sigmoid", x);
  return builder.Activation(x, activation);
}

Operand Clip(Operand x, float limit, GraphBuilder& builder) {
  return limit > 0.0f ? builder.Clamp(x, -limit, limit) : x;
}

// A float16 model unpacks zeros into the state, once; runs in steps would do it again.
Operand State(const OpView& op, int i, GraphBuilder& builder) {
  if (!op.HasInput(i) || !op.input(i).tensor().is_variable || op.input(i).IsConstant())
    return builder.Reject("input " + std::to_string(i) + " must be the state: a variable that no node writes");
  return builder.StateTensor(op.input(i));
}

// The inputs of one gate of an LSTM.
struct GateInputs {
  int weights;
  int recurrent_weights;
  int peephole;  // of the cell's state; optional, -1 for none
  int bias;
};

constexpr GateInputs kInputGate = {1, 5, 9, 12};
constexpr GateInputs kForgetGate = {2, 6, 10, 13};
constexpr GateInputs kCellGate = {3, 7, -1, 14};
constexpr GateInputs kOutputGate = {4, 8, 11, 15};

class Gate {
 public:
  Gate(const OpView& op, const Steps& steps, const GateInputs& inputs, GraphBuilder& builder)
      : batch_(steps.batch), builder_(builder) {
    for (int i : {inputs.weights, inputs.recurrent_weights, inputs.bias}) {
      if (!op.HasInput(i)) builder.Reject("input " + std::to_string(i) + " is missing");
    }
    if (builder.rejected()) return;
    recurrent_weights_ = builder.Tensor(op.input(inputs.recurrent_weights));
    if (inputs.peephole >= 0 && op.HasInput(inputs.peephole)) peephole_ = builder.Tensor(op.input(inputs.peephole));
    const Operand bias = builder.Tensor(op.input(inputs.bias));
    of_input_ = Product(steps.rows, builder.Tensor(op.input(inputs.weights)), bias, builder);
  }

  // The gate of one step, before its activation.
  Operand At(int step, Operand output, Operand cell) const {
    if (builder_.rejected()) return Operand();
    const int units = builder_.shape(of_input_)[1];
    const Operand of_input = builder_.Slice(of_input_, {step * batch_, 0}, {batch_, units});
    const Operand sum = Product(output, recurrent_weights_, of_input, builder_);
    return peephole_.valid() ? builder_.Binary("add", sum, builder_.Binary("mul", cell, peephole_)) : sum;
  }

 private:
  int batch_;
  GraphBuilder& builder_;
  Operand of_input_;  // weights * input + bias, for all steps
  Operand recurrent_weights_;
  Operand peephole_;
};

struct LstmParams {
  TfLiteFusedActivation activation;
  float cell_clip;
  float projection_clip;
};

class Lstm {
 public:
  Lstm(const OpView& op, const Steps& steps, const LstmParams& params, GraphBuilder& builder)
      : params_(params),
        builder_(builder),
        forget_gate_(op, steps, kForgetGate, builder),
        cell_gate_(op, steps, kCellGate, builder),
        output_gate_(op, steps, kOutputGate, builder) {
    if (op.HasInput(kInputGate.weights)) input_gate_.emplace(op, steps, kInputGate, builder);
    if (op.HasInput(16)) projection_ = builder.Tensor(op.input(16));
    if (op.HasInput(17)) projection_bias_ = builder.Tensor(op.input(17));
    one_ = builder.Scalar(1.0f);
  }

  // Updates output and cell state.
  void Step(int step, Operand* output, Operand* cell) const {
    const Operand forget = builder_.Unary("sigmoid", forget_gate_.At(step, *output, *cell));
    const Operand input = input_gate_ ? builder_.Unary("sigmoid", input_gate_->At(step, *output, *cell))
                                      : builder_.Binary("sub", one_, forget);
    const Operand candidate = Activate(cell_gate_.At(step, *output, *cell), params_.activation, builder_);
    const Operand kept = builder_.Binary("mul", forget, *cell);
    const Operand sum = builder_.Binary("add", kept, builder_.Binary("mul", candidate, input));
    *cell = Clip(sum, params_.cell_clip, builder_);
    const Operand gate = builder_.Unary("sigmoid", output_gate_.At(step, *output, *cell));
    *output = builder_.Binary("mul", gate, Activate(*cell, params_.activation, builder_));
    if (!projection_.valid()) return;
    *output = Clip(Product(*output, projection_, projection_bias_, builder_), params_.projection_clip, builder_);
  }

 private:
  LstmParams params_;
  GraphBuilder& builder_;
  std::optional<Gate> input_gate_;  // empty for CIFG, which uses 1 - forget gate
  Gate forget_gate_;
  Gate cell_gate_;
  Gate output_gate_;
  Operand projection_;
  Operand projection_bias_;
  Operand one_;
};

Operand EmitLstm(const OpView& op, const Steps& steps, const LstmParams& params, GraphBuilder& builder) {
  constexpr int kOutputState = 18;
  constexpr int kCellState = 19;
  for (int i = 20; i < 24; ++i) {
    if (op.HasInput(i)) builder.Reject("layer normalization within an LSTM is not supported");
  }
  // Without one, TFLite's kernel leaves garbage.
  if (params.activation == kTfLiteActNone) builder.Reject("an LSTM needs an activation");
  Operand output = State(op, kOutputState, builder);
  Operand cell = State(op, kCellState, builder);
  const Lstm lstm(op, steps, params, builder);
  std::vector<Operand> outputs;
  for (int step = 0; step < steps.count; ++step) {
    lstm.Step(step, &output, &cell);
    outputs.push_back(output);
  }
  builder.SetState(op.input(kOutputState), output);
  builder.SetState(op.input(kCellState), cell);
  return JoinSteps(op, steps, outputs, builder);
}

Operand LowerSequenceLstm(const OpView& op, GraphBuilder& builder) {
  const auto& params = op.params<TfLiteUnidirectionalSequenceLSTMParams>();
  Steps steps;
  if (params.diagonal_recurrent_tensors) builder.Reject("diagonal recurrent weights are not supported");
  if (!ReadSteps(op, /*is_sequence=*/true, params.time_major, builder, &steps)) return Operand();
  return EmitLstm(op, steps, {params.activation, params.cell_clip, params.proj_clip}, builder);
}

Operand LowerLstm(const OpView& op, GraphBuilder& builder) {
  const auto& params = op.params<TfLiteLSTMParams>();
  Steps steps;
  if (params.kernel_type != kTfLiteLSTMFullKernel) builder.Reject("the basic kernel of LSTM is not supported");
  if (!ReadSteps(op, /*is_sequence=*/false, true, builder, &steps)) return Operand();
  return EmitLstm(op, steps, {params.activation, params.cell_clip, params.proj_clip}, builder);
}

// Inputs: input, weights, recurrent weights, bias, state.
Operand EmitRnn(const OpView& op, const Steps& steps, TfLiteFusedActivation activation, GraphBuilder& builder) {
  constexpr GateInputs kOnlyGate = {1, 2, -1, 3};
  constexpr int kState = 4;
  Operand state = State(op, kState, builder);
  const Gate gate(op, steps, kOnlyGate, builder);
  std::vector<Operand> outputs;
  for (int step = 0; step < steps.count; ++step) {
    state = Activate(gate.At(step, state, Operand()), activation, builder);
    outputs.push_back(state);
  }
  builder.SetState(op.input(kState), state);
  return JoinSteps(op, steps, outputs, builder);
}

Operand LowerSequenceRnn(const OpView& op, GraphBuilder& builder) {
  const auto& params = op.params<TfLiteSequenceRNNParams>();
  Steps steps;
  if (!ReadSteps(op, /*is_sequence=*/true, params.time_major, builder, &steps)) return Operand();
  return EmitRnn(op, steps, params.activation, builder);
}

Operand LowerRnn(const OpView& op, GraphBuilder& builder) {
  Steps steps;
  if (!ReadSteps(op, /*is_sequence=*/false, true, builder, &steps)) return Operand();
  return EmitRnn(op, steps, op.params<TfLiteRNNParams>().activation, builder);
}

constexpr char kLstmOps[] = "gemm, slice, sigmoid, tanh, mul, add, sub, clamp, concat";

constexpr OpEntry kEntries[] = {
    {kTfLiteBuiltinUnidirectionalSequenceLstm, LowerSequenceLstm, kUnknown, kLstmOps,
     "more than 64 steps, layer normalization, diagonal weights, weights other than float32"},
    {kTfLiteBuiltinLstm, LowerLstm, kUnknown, kLstmOps,
     "the basic kernel, layer normalization, weights other than float32"},
    {kTfLiteBuiltinUnidirectionalSequenceRnn, LowerSequenceRnn, kUnknown, "gemm, slice, tanh, concat",
     "more than 64 steps, weights other than float32"},
    {kTfLiteBuiltinRnn, LowerRnn, kUnknown, "gemm, slice, tanh", "weights other than float32"},
};

}  // namespace

constinit const OpEntries kLstmOps = kEntries;

}  // namespace tflite::webnn
