#ifndef TFLITE_WEBNN_RUNTIME_REWRITE_VARIABLES_H_
#define TFLITE_WEBNN_RUNTIME_REWRITE_VARIABLES_H_

#include <list>
#include <map>
#include <string>
#include <vector>

#include "tensorflow/lite/core/interpreter.h"

namespace tflite::webnn {

// A resource variable that the caller keeps between runs: a run reads it from one tensor of the subgraph, which is an
// input then, and leaves its next value in another, an output.
struct Variable {
  std::string name;
  int input = -1;
  int output = -1;
  std::vector<char> initial;  // what the subgraph of CALL_ONCE assigns; empty for zeros
};

struct Variables {
  std::vector<Variable> outside;
  // The values of variables that are never assigned: constants of the subgraph point at them.
  std::list<std::vector<char>> constants;
  // Why the others stay resources of TFLite, by index of the nodes that use them.
  std::map<int, std::string> kept;
  // Whether the interpreter has variables or tables, which all subgraphs share.
  bool are_shared = false;
};

// Takes resource variables out of the plan of a subgraph. Each ASSIGN_VARIABLE makes a new tensor of its value, and
// each READ_VARIABLE copies the one that is the latest in the order of the plan, so that nothing but tensors orders the
// nodes; VAR_HANDLE and CALL_ONCE go. Call it before delegates are applied. Keeps a variable
//   - that another subgraph uses, but for one that CALL_ONCE runs;
//   - that is used by anything but READ_VARIABLE and ASSIGN_VARIABLE;
//   - whose values may differ in type or shape;
//   - that is read before it has a value.
Variables TakeVariablesOut(Interpreter& interpreter, int subgraph_index);

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_RUNTIME_REWRITE_VARIABLES_H_
