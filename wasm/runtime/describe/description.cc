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
  json.Key("variables");
  json.BeginArray();
  for (const Variable& variable : session.variables().outside) {
    json.BeginObject();
    json.Key("name");
    json.String(variable.name);
    write_tensor("input", variable.input);
    write_tensor("output", variable.output);
    json.Key("address");
    const char* initial = variable.initial.empty() ? nullptr : variable.initial.data();
    json.Int(static_cast<int64_t>(reinterpret_cast<uintptr_t>(initial)));
    json.EndObject();
  }
  json.EndArray();
}

// The subgraphs of signatures, except the main one.
void WriteSubgraphs(JsonWriter& json, const Session& session) {
  const Interpreter& interpreter = session.interpreter();
  std::set<int> indices;
  for (const std::string* key : interpreter.signature_keys()) {
    indices.insert(interpreter.GetSubgraphIndexFromSignature(key->c_str()));
  }
  indices.erase(session.main_subgraph());
  json.Key("subgraphs");
  json.BeginArray();
  for (int index : indices) {
    json.BeginObject();
    json.Key("index");
    json.Int(index);
    WriteTensors(json, "inputs", session, interpreter.subgraph(index)->inputs(), index);
    WriteTensors(json, "outputs", session, interpreter.subgraph(index)->outputs(), index);
    json.EndObject();
  }
  json.EndArray();
}

void WriteStringOrNull(JsonWriter& json, const std::string& value) {
  if (value.empty()) {
    json.Null();
  } else {
    json.String(value);
  }
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

void WriteStrings(JsonWriter& json, const std::vector<std::string>& values) {
  json.BeginArray();
  for (const std::string& value : values) json.String(value);
  json.EndArray();
}

// Graphs are in the order of the steps, which XNNPACK's partitioning may change.
void WriteGraphIndex(JsonWriter& json, const std::vector<PlanStep>& steps, const WebnnDelegateKernel* kernel) {
  if (kernel == nullptr) return json.Null();
  int index = 0;
  for (const PlanStep& step : steps) {
    if (step.kernel == kernel) break;
    if (step.kernel != nullptr) ++index;
  }
  json.Int(index);
}

// A CompositeOrigin or a PatternPlace.
template <typename Place>
void WritePlace(JsonWriter& json, const std::optional<Place>& place) {
  if (!place) return json.Null();
  json.BeginObject();
  json.Key("name");
  json.String(place->name);
  json.Key("node");
  json.Int(place->node_index);
  json.EndObject();
}

void WriteNodes(JsonWriter& json, const PartitionReport& report) {
  json.Key("nodes");
  json.BeginArray();
  for (const NodePlacement& node : report.nodes) {
    const bool webnn = node.reason.empty();
    json.NewLine();
    json.BeginObject();
    json.Key("index");
    json.Int(node.node_index);
    json.Key("op");
    json.String(node.op);
    json.Key("version");
    json.Int(node.version);
    json.Key("name");
    json.String(node.name);
    json.Key("placement");
    json.String(webnn ? "webnn" : "cpu");
    json.Key("partition");
    json.Int(node.partition);
    json.Key("reason");
    WriteStringOrNull(json, node.reason);
    json.Key("supported");
    json.Bool(node.supported);
    json.Key("composite");
    WritePlace(json, node.composite);
    json.Key("pattern");
    WritePlace(json, node.pattern);
    json.Key("quantized");
    WriteStringOrNull(json, FormName(node.lowering.form));
    json.Key("notFused");
    WriteStringOrNull(json, node.lowering.condition);
    json.Key("webnnOps");
    WriteStrings(json, node.webnn_ops);
    json.EndObject();
  }
  json.EndArray();
}

void WritePartition(JsonWriter& json, const Session& session, const Partition& partition,
                    const std::vector<std::string>& ops) {
  json.NewLine();
  json.BeginObject();
  json.Key("placement");
  json.String(partition.kernel ? "webnn" : "cpu");
  json.Key("graph");
  WriteGraphIndex(json, session.steps(), partition.kernel);
  json.Key("nodes");
  json.IntArray(partition.nodes);
  json.Key("ops");
  WriteStrings(json, ops);
  WriteTensors(json, "inputs", session, partition.inputs, session.main_subgraph());
  WriteTensors(json, "outputs", session, partition.outputs, session.main_subgraph());
  json.EndObject();
}

void WritePartitions(JsonWriter& json, const Session& session) {
  const PartitionReport& report = session.report();
  std::map<int, const std::string*> op_of;
  for (const NodePlacement& node : report.nodes) op_of[node.node_index] = &node.op;
  json.Key("partitions");
  json.BeginArray();
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
  json.Key("kind");
  json.String(step.kernel ? "webnn" : "cpu");
  if (step.kernel) {
    json.Key("graph");
    json.Int(graph_index);
  } else {
    json.Key("first");
    json.Int(step.first);
    json.Key("count");
    json.Int(step.count);
  }
  json.Key("inputs");
  json.IntArray(step.inputs);
  json.Key("outputs");
  json.IntArray(step.outputs);
  json.EndObject();
}

void WritePlan(JsonWriter& json, const std::vector<PlanStep>& steps) {
  json.Key("plan");
  json.BeginArray();
  int graph_count = 0;
  for (const PlanStep& step : steps) WriteStep(json, step, step.kernel ? graph_count++ : -1);
  json.EndArray();
  json.Key("graphs");
  json.BeginArray();
  for (const PlanStep& step : steps) {
    if (!step.kernel) continue;
    json.NewLine();
    step.kernel->graph().WriteJson(json);
  }
  json.EndArray();
}

void WriteDelegate(JsonWriter& json, const Session& session) {
  json.Key("delegate");
  json.BeginObject();
  json.Key("enabled");
  json.Bool(session.options().enable_webnn_delegate);
  json.Key("error");
  WriteStringOrNull(json, session.constraints().webnn_error);
  json.Key("isFasterOnCpu");
  json.Bool(session.constraints().is_faster_on_cpu);
  json.Key("workarounds");
  json.BeginArray();
  for (size_t i = 0; i < std::size(kWorkaroundIds); ++i) {
    if (session.report().workarounds.Has(static_cast<Workaround>(i))) json.String(kWorkaroundIds[i]);
  }
  json.EndArray();
  json.EndObject();
}

void WriteIndexOrNull(JsonWriter& json, int index) {
  if (index < 0) return json.Null();
  json.Int(index);
}

void WriteXnnpack(JsonWriter& json, const Session& session) {
  json.BeginObject();
  json.Key("dotProduct");
  json.String(NameOf(AcceptedDotProduct()));
  json.Key("deniedNodes");
  json.BeginArray();
  for (const XnnpackExclusions::Node& node : session.xnnpack_exclusions()) {
    json.BeginObject();
    json.Key("subgraph");
    WriteIndexOrNull(json, node.subgraph);
    json.Key("node");
    WriteIndexOrNull(json, node.node);
    json.Key("reason");
    json.String(node.reason);
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
}

}  // namespace

std::string DescribeModel(const Session& session) {
  const Interpreter& interpreter = session.interpreter();
  JsonWriter json;
  json.BeginObject();
  WriteTensors(json, "inputs", session, session.inputs(), session.main_subgraph());
  WriteTensors(json, "outputs", session, session.outputs(), session.main_subgraph());
  WriteVariables(json, session);
  WriteSignatures(json, interpreter);
  WriteSubgraphs(json, session);
  json.Key("sharesState");
  json.Bool(session.variables().are_shared);
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

}  // namespace tflite::webnn
