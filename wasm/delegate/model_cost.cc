#include "delegate/model_cost.h"

#include <algorithm>
#include <cstdio>
#include <string_view>
#include <variant>
#include <vector>

#include "delegate/op_registry.h"
#include "kernels/dot_product.h"
#include "tensorflow/lite/core/subgraph.h"
#include "tensorflow/lite/kernels/kernel_util.h"

namespace tflite::webnn {
namespace {

// Milliseconds, fitted to the 73 models of docs/todays-models.md and the 37 of web_tests/models/models.toml: Chromium
// 147, TFLite backend, one thread.
constexpr double kWebnnRun = 0.15;
constexpr double kWebnnBorderByte = 1.6e-7;
constexpr double kWebnnOperator = 3e-4;
constexpr double kWebnnElement = 1e-7;
constexpr double kWebnnFloatProduct = 2.2e-8;
constexpr double kWebnnInt8Product = 1e-8;
constexpr double kCpuNode = 1e-4;
constexpr double kCpuElement = 3e-7;
constexpr double kCpuFloatProduct = 5e-8;
constexpr double kCpuInt8Product = 3.3e-8;
constexpr double kCpuInt8ProductOfDots = 2.3e-8;
constexpr double kCpuInt16Product = 2e-7;
// FULLY_CONNECTED of float32 activations and packed weights: XNNPACK's kernels for int8, and for int4; TFLite's for
// int4 in blocks.
constexpr double kCpuDynamicProduct = 2.4e-8;
constexpr double kCpuDynamicProductOfDots = 1.7e-8;
constexpr double kCpuInt4Product = 8e-8;
constexpr double kCpuBlockwiseProduct = 2.5e-7;
// Weights beyond what the processor's caches hold come from memory in each run.
constexpr double kCachedBytes = 16e6;
constexpr double kWeightByte = 5e-8;
// How much slower WebNN must seem.
constexpr double kClearly = 1.25;

double ElementCount(const OpView& op) {
  double elements = 0;
  for (int i = 0; i < op.output_count(); ++i) {
    if (!op.output(i).IsConstant()) elements += static_cast<double>(NumElements(&op.output(i).tensor()));
  }
  return elements;
}

double ElementCount(const OperandDescriptor& operand) { return static_cast<double>(operand.element_count()); }

double ProductCount(const OpView& op) {
  const OpRow* row = FindOp(op);
  if (row == nullptr || row->products_per_element == nullptr) return 0;
  return ElementCount(op) * row->products_per_element(op);
}

// Products that only the lowering has, such as a Fourier transform's.
double ProductCount(const GraphBuilder& checker) {
  double products = 0;
  for (const WebnnGraph::Operator& call : checker.node_operators()) {
    const std::string_view name = call.op;
    if (name != "gemm" && name != "matmul") continue;
    const Operand left = std::get<Operand>(call.arguments.front());
    products += ElementCount(checker.descriptor(call.outputs.front())) * checker.shape(left).back();
  }
  return products;
}

bool HasWeights(const OpView& op) { return ProductCount(op) > 0 && op.HasInput(1) && op.input(1).IsConstant(); }

// Float32 activations and weights that XNNPACK or TFLite reads as they are.
bool IsDynamic(const OpView& op) {
  return op.builtin_code() == kTfLiteBuiltinFullyConnected && op.output(0).type() == kTfLiteFloat32 && HasWeights(op) &&
         op.input(1).type() != kTfLiteFloat32;
}

double CpuProduct(const OpView& op) {
  const bool has_dots = AcceptedDotProduct() != DotProduct::kNone;
  const TfLiteType type = op.output(0).type();
  if (type == kTfLiteInt16) return kCpuInt16Product;
  if (type != kTfLiteFloat32) return has_dots ? kCpuInt8ProductOfDots : kCpuInt8Product;
  if (!IsDynamic(op)) return kCpuFloatProduct;
  const TfLiteTensor& weights = op.input(1).tensor();
  if (weights.quantization.type == kTfLiteBlockwiseQuantization) return kCpuBlockwiseProduct;
  if (weights.type == kTfLiteInt4) return kCpuInt4Product;
  return has_dots ? kCpuDynamicProductOfDots : kCpuDynamicProduct;
}

double SizeBytes(const TensorView& tensor) { return static_cast<double>(tensor.tensor().bytes); }

// The inputs and outputs, without pairs of one type and shape: such tensors may stay where they are between runs.
double BorderBytes(const GraphView& view) {
  const Subgraph& subgraph = *static_cast<const Subgraph*>(view.context()->impl_);
  std::vector<int> inputs = subgraph.inputs();
  double size_bytes = 0;
  for (const int output : subgraph.outputs()) {
    const TensorView tensor = view.tensor(output);
    const auto twin = std::find_if(inputs.begin(), inputs.end(), [&](int input) {
      return input >= 0 && view.tensor(input).type() == tensor.type() && view.tensor(input).shape() == tensor.shape();
    });
    if (twin == inputs.end()) {
      size_bytes += SizeBytes(tensor);
    } else {
      inputs.erase(twin);
    }
  }
  for (const int input : inputs) {
    if (input >= 0) size_bytes += SizeBytes(view.tensor(input));
  }
  return size_bytes;
}

double ReadingMs(double weight_bytes) { return std::max(weight_bytes - kCachedBytes, 0.0) * kWeightByte; }

}  // namespace

void ModelCost::Add(const OpView& op, const GraphBuilder& checker) {
  AddToCpu(op);
  for (const WebnnGraph::Operator& call : checker.node_operators()) {
    const std::string_view name = call.op;
    if (name == "quantizeLinear" || name == "dequantizeLinear") continue;  // engines fuse most of them
    webnn_ms_ += kWebnnOperator;
    for (const Operand output : call.outputs) {
      webnn_ms_ += ElementCount(checker.descriptor(output)) * kWebnnElement;
    }
  }
  const bool is_integer = checker.form() == QuantizedForm::kFused;
  const double products = std::max(ProductCount(op), ProductCount(checker));
  webnn_ms_ += products * (is_integer ? kWebnnInt8Product : kWebnnFloatProduct);
  if (!HasWeights(op)) return;
  const TensorView weights = op.input(1);
  webnn_weight_bytes_ += static_cast<double>(NumElements(&weights.tensor())) * (is_integer ? 1 : sizeof(float));
}

void ModelCost::AddToCpu(const OpView& op) {
  cpu_ms_ += kCpuNode + ElementCount(op) * kCpuElement;
  const double products = ProductCount(op);
  if (products == 0) return;
  cpu_ms_ += products * CpuProduct(op);
  if (HasWeights(op)) cpu_weight_bytes_ += SizeBytes(op.input(1));
}

void ModelCost::AddRun(const GraphView& view) {
  webnn_ms_ += kWebnnRun + BorderBytes(view) * kWebnnBorderByte + ReadingMs(webnn_weight_bytes_);
  cpu_ms_ += ReadingMs(cpu_weight_bytes_);
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
