#ifndef TFLITE_WEBNN_DELEGATE_BUILDER_CONSTANT_EMITTER_H_
#define TFLITE_WEBNN_DELEGATE_BUILDER_CONSTANT_EMITTER_H_

#include <map>
#include <string>
#include <vector>

#include "delegate/builder/graph_emitter.h"
#include "delegate/quantization/affine.h"

namespace tflite::webnn {

// The graph's constants, the second part of GraphBuilder: of the model, or created by a lowering.
class ConstantEmitter : public GraphEmitter {
 public:
  // `values` must have as many elements as `shape`.
  Operand Constant(const std::vector<int>& shape, const std::vector<float>& values);
  Operand Constant(const std::vector<int>& shape, const std::vector<int32_t>& values);
  // Integers as a constant of any type, which must be able to hold them.
  Operand Constant(DataType type, const std::vector<int>& shape, const std::vector<int64_t>& values);
  // One number, without axes.
  Operand Scalar(float value) { return Constant({}, std::vector<float>{value}); }
  Operand Scalar(DataType type, int64_t value) { return Constant(type, {}, {value}); }

 protected:
  ConstantEmitter(const OpSupportLimits* limits, const GraphView* view, WebnnGraph* graph)
      : GraphEmitter(limits, graph), view_(view) {}
  ~ConstantEmitter() = default;

  void BeginNode(std::string label);
  // These return false after they rejected.
  bool ReadQuantization(const TensorView& tensor, AffineQuantization* quantization);
  bool CheckData(const TensorView& tensor);
  // A constant of the model in its own type, and one as float32.
  Operand ModelConstant(const TensorView& tensor, const OperandDescriptor& descriptor);
  Operand FloatConstant(const TensorView& tensor);
  // One constant for all calls with the same content.
  Operand SharedConstant(const OperandDescriptor& descriptor, const void* data);
  // Copies the content.
  Operand OwnedConstant(const OperandDescriptor& descriptor, const void* data);
  // `make` runs now or, where constants are created later, when they are read.
  Operand GeneratedConstant(const OperandDescriptor& descriptor, WebnnGraph::MakeBytes make);

 private:
  // A constant whose content outlives the builder, or is kept.
  Operand ConstantAt(const OperandDescriptor& descriptor, const void* data);

  const GraphView* view_;
  std::map<int, Operand> float_constants_;  // by TFLite tensor index
  std::map<std::string, Operand> shared_constants_;
};

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_BUILDER_CONSTANT_EMITTER_H_
