#include "delegate/cost/model_cost.h"

#include <algorithm>
#include <cstdio>
#include <string_view>
#include <variant>
#include <vector>

#include "delegate/cost/cost_rates.h"
#include "delegate/cost/op_cost.h"
#include "tensorflow/lite/core/subgraph.h"
#include "tensorflow/lite/kernels/kernel_util.h"
#include "xnnpack_kernels/dot_product.h"

namespace tflite::webnn {
namespace {

// How much slower WebNN must seem.
constexpr double kClearly = 1.05;

// Products that only the lowering has, such as a Fourier transform's.
double ProductCount(const GraphBuilder& checker) {
  double products = 0;
  for (const WebnnGraph::Operator& call : checker.node_operators()) {
    const std::string_view name = call.op;
    if (name != "gemm" && name != "matmul") continue;
    const Operand left = std::get<Operand>(call.arguments.front());
    const auto elements = static_cast<double>(checker.descriptor(call.outputs.front()).element_count());
    products += elements * checker.shape(left).back();
  }
  return products;
}

// Whether engines compute an operator with its neighbour: most conversions, and what follows as an activation.
bool IsFused(const WebnnGraph::Operator& call, const GraphBuilder& checker) {
  const std::string_view name = call.op;
  if (name == "quantizeLinear" || name == "dequantizeLinear") return true;
  return (name == "clamp" || name == "relu") && &call != &checker.node_operators().front();
}

double WebnnProduct(const OpView& op, bool is_integer) {
  if (!is_integer) return IsDepthwise(op) ? webnn_rates::kDepthwiseProduct : webnn_rates::kFloatProduct;
  if (IsDepthwise(op)) return webnn_rates::kInt8DepthwiseProduct;
  const bool has_dots = AcceptedDotProduct() != DotProduct::kNone;
  return has_dots ? webnn_rates::kInt8ProductOfDots : webnn_rates::kInt8Product;
}

double SizeBytes(const TensorView& tensor) { return static_cast<double>(tensor.tensor().bytes); }

// The inputs and outputs, without pairs of one type and shape: such tensors may be persistent between runs.
double BoundaryBytes(const GraphView& view) {
  const Subgraph& subgraph = *static_cast<const Subgraph*>(view.context()->impl_);
  std::vector<int> inputs = subgraph.inputs();
  double size_bytes = 0;
  for (const int output : subgraph.outputs()) {
    const TensorView tensor = view.tensor(output);
    const auto counterpart = std::find_if(inputs.begin(), inputs.end(), [&](int input) {
      return input >= 0 && view.tensor(input).type() == tensor.type() && view.tensor(input).shape() == tensor.shape();
    });
    if (counterpart == inputs.end()) {
      size_bytes += SizeBytes(tensor);
    } else {
      inputs.erase(counterpart);
    }
  }
  for (const int input : inputs) {
    if (input >= 0) size_bytes += SizeBytes(view.tensor(input));
  }
  return size_bytes;
}

}  // namespace

void ModelCost::Add(const OpView& op, const GraphBuilder& checker) {
  AddToCpu(op);
  const bool is_integer = checker.form() == QuantizedForm::kFused;
  for (const WebnnGraph::Operator& call : checker.node_operators()) {
    if (IsFused(call, checker)) continue;
    webnn_ms_ += webnn_rates::kOperator;
    for (const Operand output : call.outputs) {
      const auto elements = static_cast<double>(checker.descriptor(output).element_count());
      webnn_ms_ += elements * (is_integer ? webnn_rates::kInt8Element : webnn_rates::kElement);
    }
  }
  webnn_ms_ += TranscendentalCount(op) * webnn_rates::kTranscendentalElement;
  const double products = std::max(ProductCount(op), ProductCount(checker));
  webnn_ms_ += products * WebnnProduct(op, is_integer);
  if (!HasWeights(op)) return;
  const TensorView weights = op.input(1);
  const double weight_bytes = static_cast<double>(NumElements(&weights.tensor())) * (is_integer ? 1 : sizeof(float));
  webnn_ms_ += weight_bytes * webnn_rates::kWeightByte;
}

void ModelCost::AddToCpu(const OpView& op) { cpu_ms_ += CpuMs(op); }

void ModelCost::AddRun(const GraphView& view) {
  webnn_ms_ += webnn_rates::kRun + BoundaryBytes(view) * webnn_rates::kBoundaryByte;
}

bool ModelCost::IsFasterOnCpu() const { return webnn_ms_ > kClearly * cpu_ms_; }

std::string ModelCost::Text() const {
  char text[256];
  std::snprintf(text, sizeof(text),
                "a run would take about %.2f ms on WebNN and %.2f ms on the CPU; devicePreference gpu, npu or cpu, or "
                "ignorePartitionCost, keeps the model on WebNN",
                webnn_ms_, cpu_ms_);
  return text;
}

}  // namespace tflite::webnn
