#include "runtime/execute/execution_plan.h"

#include <cstring>
#include <map>
#include <set>

#include "delegate/webnn_delegate_impl.h"
#include "tensorflow/lite/context_util.h"

namespace tflite::webnn {
namespace {

bool IsComputed(const Subgraph& subgraph, int tensor_index) {
  return tensor_index >= 0 && subgraph.tensor(tensor_index)->allocation_type != kTfLiteMmapRo;
}

PlanStep WebnnStep(const WebnnDelegateKernel* kernel, int position) {
  PlanStep step{kernel, position, 1, {}, {}};
  for (const auto& input : kernel->graph().inputs) step.inputs.push_back(input.tensor_index);
  for (const auto& output : kernel->graph().outputs) step.outputs.push_back(output.tensor_index);
  return step;
}

PlanStep CpuStep(const Subgraph& subgraph, int first, int count) {
  PlanStep step{nullptr, first, count, {}, {}};
  std::set<int> read;
  std::set<int> written;
  for (int position = first; position < first + count; ++position) {
    const TfLiteNode& node = subgraph.node_and_registration(subgraph.execution_plan()[position])->first;
    for (int tensor : TfLiteIntArrayView(node.inputs)) {
      if (IsComputed(subgraph, tensor) && !written.count(tensor) && read.insert(tensor).second) {
        step.inputs.push_back(tensor);
      }
    }
    for (int tensor : TfLiteIntArrayView(node.outputs)) {
      if (written.insert(tensor).second) step.outputs.push_back(tensor);
    }
  }
  return step;
}

}  // namespace

std::vector<UpdateInPlace> UpdatesInPlace(const Subgraph& subgraph) {
  const std::vector<int>& plan = subgraph.execution_plan();
  const auto entry_at = [&](size_t position) { return subgraph.node_and_registration(plan[position]); };
  std::map<int, size_t> last_reader;  // by tensor: the position in the plan
  for (size_t position = 0; position < plan.size(); ++position) {
    for (int tensor : TfLiteIntArrayView(entry_at(position)->first.inputs)) last_reader[tensor] = position;
  }
  const std::set<int> inputs(subgraph.inputs().begin(), subgraph.inputs().end());
  const std::set<int> outputs(subgraph.outputs().begin(), subgraph.outputs().end());
  std::vector<UpdateInPlace> updates;
  for (size_t position = 0; position < plan.size(); ++position) {
    const auto& [node, registration] = *entry_at(position);
    if (registration.builtin_code != kTfLiteBuiltinDynamicUpdateSlice) continue;
    const int operand = node.inputs->data[0], result = node.outputs->data[0];
    const bool is_read_again = last_reader[operand] != position || node.inputs->data[1] == operand;
    if (inputs.count(operand) && outputs.count(result) && !outputs.count(operand) && !is_read_again) {
      updates.push_back({operand, result});
    }
  }
  return updates;
}

const uint8_t* ConstantReader::At(int64_t address, size_t size_bytes, const std::vector<PlanStep>& steps) {
  const auto size = static_cast<int64_t>(size_bytes);
  const auto is_within = [=](int64_t start, size_t all_bytes) {
    return address >= start && address + size <= start + static_cast<int64_t>(all_bytes);
  };
  if (!generated_.empty() && is_within(generated_address_, generated_.size()))
    return &generated_[address - generated_address_];
  generated_ = {};
  if (address < WebnnGraph::kGeneratedConstants) return reinterpret_cast<const uint8_t*>(address);
  for (const PlanStep& step : steps) {
    if (step.kernel == nullptr) continue;
    for (const WebnnGraph::Constant& constant : step.kernel->graph().constants) {
      if (!constant.make || !is_within(constant.address, constant.descriptor.size_bytes())) continue;
      const auto offset = static_cast<uint64_t>(address - constant.address);
      generated_ = constant.make({offset, size_bytes});
      generated_address_ = generated_.size() == size_bytes ? address : constant.address;  // some are created as one
      return &generated_[address - generated_address_];
    }
  }
  return nullptr;
}

const WebnnDelegateKernel* WebnnKernelOf(const TfLiteNode& node, const TfLiteRegistration& registration) {
  if (node.delegate == nullptr || registration.custom_name == nullptr) return nullptr;
  if (std::strcmp(registration.custom_name, kDelegateName) != 0) return nullptr;
  return static_cast<const WebnnDelegateKernel*>(static_cast<SimpleDelegateKernelInterface*>(node.user_data));
}

std::vector<PlanStep> StepsOf(Subgraph& subgraph) {
  std::vector<PlanStep> steps;
  const std::vector<int>& plan = subgraph.execution_plan();
  int cpu_first = 0;
  for (int position = 0; position <= static_cast<int>(plan.size()); ++position) {
    const bool at_end = position == static_cast<int>(plan.size());
    const auto* entry = at_end ? nullptr : subgraph.node_and_registration(plan[position]);
    const WebnnDelegateKernel* kernel = at_end ? nullptr : WebnnKernelOf(entry->first, entry->second);
    if (!at_end && kernel == nullptr) continue;
    if (position > cpu_first) steps.push_back(CpuStep(subgraph, cpu_first, position - cpu_first));
    // A partition of folded constants only has nothing to run.
    const bool has_work = kernel != nullptr && !kernel->graph().outputs.empty();
    if (has_work) steps.push_back(WebnnStep(kernel, position));
    cpu_first = position + 1;
  }
  return steps;
}

}  // namespace tflite::webnn
