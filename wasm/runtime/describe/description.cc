#include "runtime/describe/description.h"

#include <map>
#include <set>

#include "runtime/describe/subgraph_description.h"
#include "runtime/describe/tensor_description.h"
#include "support/json_writer.h"
#include "xnnpack_kernels/dot_product.h"

namespace tflite::webnn {
namespace {

void WriteVariables(JsonWriter& json, const Session& session) {
  const auto write_tensor = [&](const char* key, int index) {
    json.Key(key);
    BeginTensor(json, *session.tensor(index, session.main_subgraph()), index);
    json.EndObject();
  };
  json.BeginArray("variables");
  for (const Variable& variable : session.variables().outside) {
    json.BeginObject();
    json.Field("name", variable.name);
    write_tensor("input", variable.input);
    write_tensor("output", variable.output);
    const char* initial = variable.initial.empty() ? nullptr : variable.initial.data();
    json.Field("address", reinterpret_cast<uintptr_t>(initial));
    json.EndObject();
  }
  json.EndArray();
}

// Whether TFLite keeps values from run to run.
bool KeepsState(const Session& session) {
  if (session.variables().are_shared) return true;
  const Interpreter& interpreter = session.interpreter();
  for (size_t i = 0; i < interpreter.subgraphs_size(); ++i) {
    const Subgraph& graph = *interpreter.subgraph(static_cast<int>(i));
    for (size_t j = 0; j < graph.tensors_size(); ++j) {
      if (graph.tensor(static_cast<int>(j))->is_variable) return true;
    }
  }
  return false;
}

// The subgraphs of signatures, except the main one.
void WriteSubgraphs(JsonWriter& json, const Session& session) {
  const Interpreter& interpreter = session.interpreter();
  std::set<int> indices;
  if (const auto* signatures = session.file().signature_defs()) {
    for (const SignatureDef* signature : *signatures) indices.insert(static_cast<int>(signature->subgraph_index()));
  }
  indices.erase(session.main_subgraph());
  json.BeginArray("subgraphs");
  for (int index : indices) {
    json.BeginObject();
    json.Field("index", index);
    if (session.constraints().calls_signatures) json.Field("runsAlone", true);
    WriteTensors(json, "inputs", session, interpreter.subgraph(index)->inputs(), index);
    WriteTensors(json, "outputs", session, interpreter.subgraph(index)->outputs(), index);
    json.EndObject();
  }
  json.EndArray();
}

void WriteStringOrNull(JsonWriter& json, const char* key, const std::string& value) {
  if (value.empty()) return json.Field(key, nullptr);
  json.Field(key, value);
}

const char* FormName(QuantizedForm form) {
  switch (form) {
    case QuantizedForm::kNone:
      return "";
    case QuantizedForm::kFused:
      return "fused";
    case QuantizedForm::kFloat:
      return "float";
    case QuantizedForm::kCpu:
      return "cpu";
  }
}

// Graphs are in the order of the steps, which XNNPACK's partitioning may change.
void WriteGraphIndex(JsonWriter& json, const std::vector<PlanStep>& steps, const WebnnDelegateKernel* kernel) {
  if (kernel == nullptr) return json.Field("graph", nullptr);
  int index = 0;
  for (const PlanStep& step : steps) {
    if (step.kernel == kernel) break;
    if (step.kernel != nullptr) ++index;
  }
  json.Field("graph", index);
}

// A CompositeOrigin or a PatternOrigin.
template <typename Origin>
void WriteOrigin(JsonWriter& json, const char* key, const std::optional<Origin>& origin) {
  if (!origin) return json.Field(key, nullptr);
  json.BeginObject(key);
  json.Field("name", origin->name);
  json.Field("node", origin->node_index);
  json.EndObject();
}

void WriteNodes(JsonWriter& json, const PartitionReport& report) {
  json.BeginArray("nodes");
  for (const NodePlacement& node : report.nodes) {
    const bool webnn = node.reason.empty();
    json.NewLine();
    json.BeginObject();
    json.Field("index", node.node_index);
    json.Field("op", node.op);
    json.Field("version", node.version);
    json.Field("name", node.name);
    json.Field("placement", webnn ? "webnn" : "cpu");
    json.Field("partition", node.partition);
    WriteStringOrNull(json, "reason", node.reason);
    json.Field("supported", node.supported);
    WriteOrigin(json, "composite", node.composite);
    WriteOrigin(json, "pattern", node.pattern);
    WriteStringOrNull(json, "quantized", FormName(node.lowering.form));
    WriteStringOrNull(json, "notFused", node.lowering.condition);
    json.Field("webnnOps", node.webnn_ops);
    json.EndObject();
  }
  json.EndArray();
}

void WritePartition(JsonWriter& json, const Session& session, const Partition& partition,
                    const std::vector<std::string>& ops) {
  json.NewLine();
  json.BeginObject();
  json.Field("placement", partition.kernel ? "webnn" : "cpu");
  WriteGraphIndex(json, session.steps(), partition.kernel);
  json.Field("nodes", partition.nodes);
  json.Field("ops", ops);
  WriteTensors(json, "inputs", session, partition.inputs, session.main_subgraph());
  WriteTensors(json, "outputs", session, partition.outputs, session.main_subgraph());
  json.EndObject();
}

void WritePartitions(JsonWriter& json, const Session& session) {
  const PartitionReport& report = session.report();
  std::map<int, const std::string*> op_of;
  for (const NodePlacement& node : report.nodes) op_of[node.node_index] = &node.op;
  json.BeginArray("partitions");
  for (const Partition& partition : report.partitions) {
    std::vector<std::string> ops;
    for (int node_index : partition.nodes) ops.push_back(*op_of.at(node_index));
    WritePartition(json, session, partition, ops);
  }
  json.EndArray();
}

void WriteStep(JsonWriter& json, const PlanStep& step, int graph_index) {
  json.NewLine();
  json.BeginObject();
  json.Field("kind", step.kernel ? "webnn" : "cpu");
  if (step.kernel) {
    json.Field("graph", graph_index);
  } else {
    json.Field("first", step.first);
    json.Field("count", step.count);
  }
  json.Field("inputs", step.inputs);
  json.Field("outputs", step.outputs);
  json.EndObject();
}

void WritePlan(JsonWriter& json, const std::vector<PlanStep>& steps) {
  json.BeginArray("plan");
  int graph_count = 0;
  for (const PlanStep& step : steps) WriteStep(json, step, step.kernel ? graph_count++ : -1);
  json.EndArray();
  json.BeginArray("graphs");
  for (const PlanStep& step : steps) {
    if (!step.kernel) continue;
    json.NewLine();
    step.kernel->graph().WriteJson(json);
  }
  json.EndArray();
}

void WriteDelegate(JsonWriter& json, const Session& session) {
  json.BeginObject("delegate");
  json.Field("enabled", session.options().enable_webnn_delegate);
  WriteStringOrNull(json, "error", session.constraints().webnn_error);
  json.Field("isFasterOnCpu", session.constraints().is_faster_on_cpu);
  json.BeginArray("workarounds");
  for (size_t i = 0; i < std::size(kWorkaroundIds); ++i) {
    if (session.report().workarounds.Has(static_cast<Workaround>(i))) json.Value(kWorkaroundIds[i]);
  }
  json.EndArray();
  json.EndObject();
}

void WriteIndexOrNull(JsonWriter& json, const char* key, int index) {
  if (index < 0) return json.Field(key, nullptr);
  json.Field(key, index);
}

void WriteXnnpack(JsonWriter& json, const Session& session) {
  json.BeginObject();
  json.Field("dotProduct", NameOf(AcceptedDotProduct()));
  json.BeginArray("excludedNodes");
  for (const XnnpackExclusions::Node& node : session.xnnpack_exclusions()) {
    json.BeginObject();
    WriteIndexOrNull(json, "subgraph", node.subgraph);
    WriteIndexOrNull(json, "node", node.node);
    json.Field("reason", node.reason);
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
}

// The name of the node's first output tensor, which identifies nodes in tools. Delegates' operators have none.
std::string NodeName(const Interpreter& interpreter, const NodeTime& time) {
  if (time.node_index < 0) return time.op;
  const Subgraph* graph = interpreter.subgraph(static_cast<int>(time.subgraph_index));
  const auto* entry = graph ? graph->node_and_registration(static_cast<int>(time.node_index)) : nullptr;
  if (entry == nullptr || entry->first.outputs->size == 0) return "";
  const TfLiteTensor* output = graph->tensor(entry->first.outputs->data[0]);
  return output != nullptr && output->name != nullptr ? output->name : "";
}

}  // namespace

std::string DescribeModel(const Session& session) {
  JsonWriter json;
  json.BeginObject();
  WriteTensors(json, "inputs", session, session.inputs(), session.main_subgraph());
  WriteTensors(json, "outputs", session, session.outputs(), session.main_subgraph());
  WriteVariables(json, session);
  WriteSignatures(json, session.file());
  WriteSubgraphs(json, session);
  json.Field("sharesState", session.variables().are_shared);
  json.Field("keepsState", KeepsState(session));
  json.Field("threads", session.threads());
  WriteNodes(json, session.report());
  WritePartitions(json, session);
  WritePlan(json, session.steps());
  WriteDelegate(json, session);
  json.Key("xnnpack");
  WriteXnnpack(json, session);
  json.EndObject();
  return json.Take();
}

std::string DescribeXnnpack(const Session& session) {
  JsonWriter json;
  WriteXnnpack(json, session);
  return json.Take();
}

std::string DescribeTimes(const NodeProfiler& profiler, const Interpreter& interpreter) {
  JsonWriter json;
  json.BeginArray();
  for (const NodeTime& time : profiler.times()) {
    json.BeginObject();
    json.Field("op", time.op);
    json.Field("name", NodeName(interpreter, time));
    json.Field("node", time.node_index);
    json.Field("subgraph", time.subgraph_index);
    json.Field("ms", time.ms);
    json.EndObject();
  }
  json.EndArray();
  return json.Take();
}

}  // namespace tflite::webnn
