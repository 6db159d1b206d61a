#ifndef TFLITE_WEBNN_DELEGATE_COST_MODEL_COST_H_
#define TFLITE_WEBNN_DELEGATE_COST_MODEL_COST_H_

#include <string>

#include "delegate/builder/graph_builder.h"
#include "delegate/model/graph_view.h"

namespace tflite::webnn {

// Estimates how long one run of an entire model takes on WebNN and on the CPU, by the rates of cost_rates.h
// (docs/explanation/delegate.md, "The cost rule").
class ModelCost {
 public:
  // Adds a node that `checker` has just lowered. A pattern is added by its last node; its others only cost the CPU.
  void Add(const OpView& op, const GraphBuilder& checker);
  void AddToCpu(const OpView& op);
  // Adds what a run costs besides its nodes: the dispatch, the copies of inputs and outputs.
  void AddRun(const GraphView& view);

  bool IsFasterOnCpu() const;
  // Both estimates, and how to have the model on WebNN anyway.
  std::string Text() const;

 private:
  double webnn_ms_ = 0;
  double cpu_ms_ = 0;
};

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_COST_MODEL_COST_H_
