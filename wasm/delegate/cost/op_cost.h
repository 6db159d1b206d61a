#ifndef TFLITE_WEBNN_DELEGATE_COST_OP_COST_H_
#define TFLITE_WEBNN_DELEGATE_COST_OP_COST_H_

#include "delegate/model/graph_view.h"

namespace tflite::webnn {

// What model_cost.h and partition_cost.h count of a node, and the time of its run on the CPU by cost_rates.h.

// Elements of the outputs that are not constants.
double ElementCount(const OpView& op);
// Multiplications.
double ProductCount(const OpView& op);
// Whether it multiplies by constants of the model.
bool HasWeights(const OpView& op);
bool IsDepthwise(const OpView& op);
// Elements of outputs that take a function such as exp, which costs more than an addition.
double TranscendentalCount(const OpView& op);
double CpuMs(const OpView& op);
// The same of a plan's nodes, which a delegate can read. Infinity in a module without WebNN.
double CpuMs(TfLiteContext* context);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_COST_OP_COST_H_
