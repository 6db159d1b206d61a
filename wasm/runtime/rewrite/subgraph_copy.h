#ifndef TFLITE_WEBNN_RUNTIME_REWRITE_SUBGRAPH_COPY_H_
#define TFLITE_WEBNN_RUNTIME_REWRITE_SUBGRAPH_COPY_H_

#include <map>
#include <vector>

#include "tensorflow/lite/core/subgraph.h"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tflite::webnn {

// Copies nodes of one subgraph into another of the same interpreter, with the tensors that they need. The content of
// constants is shared.
class SubgraphCopy {
 public:
  using Operators = flatbuffers::Vector<flatbuffers::Offset<Operator>>;

  // `operators` are those of `source` in the file. All must outlive the copy.
  SubgraphCopy(Subgraph& graph, const Subgraph& source, const Operators& operators)
      : graph_(graph), source_(source), operators_(operators) {}

  // Uses a tensor of the graph instead of a copy of the source's.
  void Bind(int source_tensor, int tensor) { tensors_[source_tensor] = tensor; }
  // The graph's tensor for one of the source, copied when first requested; negative indices are unchanged.
  int Tensor(int source_tensor);
  // Copies a node of the file and returns its index; -1 if TFLite cannot add it. It is at the end of the graph's plan.
  int AppendNode(int index);
  // Clears all tensors but constants: what is copied next shares only these with what was copied before.
  void StartAgain();

 private:
  std::vector<int> Tensors(const TfLiteIntArray& indices);

  Subgraph& graph_;
  const Subgraph& source_;
  const Operators& operators_;
  std::map<int, int> tensors_;  // of the source, to the graph's
};

// Whether nodes generate random numbers: each copy of one would generate the same ones.
bool GeneratesRandomNumbers(const Subgraph& graph);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNTIME_REWRITE_SUBGRAPH_COPY_H_
