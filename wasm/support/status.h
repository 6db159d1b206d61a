#ifndef TFLITE_WEBNN_SUPPORT_STATUS_H_
#define TFLITE_WEBNN_SUPPORT_STATUS_H_

#include <map>
#include <string>

namespace tflite::webnn {

// Success, or an error that JavaScript turns into one of its error classes (js/runtime/src/errors.ts).
struct [[nodiscard]] Status {
  std::string code;     // "MALFORMED_MODEL"; empty for success
  std::string message;  // what failed, where, and what to do
  std::map<std::string, std::string> details;

  bool ok() const { return code.empty(); }
  // {"code":...,"message":...,"details":{...}}, or "" for success.
  std::string ToJson() const;
};

namespace error_code {
inline constexpr char kInvalidOption[] = "INVALID_OPTION";
inline constexpr char kNotATfliteModel[] = "NOT_A_TFLITE_MODEL";
inline constexpr char kMalformedModel[] = "MALFORMED_MODEL";
inline constexpr char kUnsupportedSchemaVersion[] = "UNSUPPORTED_SCHEMA_VERSION";
inline constexpr char kFlexOp[] = "FLEX_OP";
inline constexpr char kEdgeTpuOp[] = "EDGE_TPU_OP";
inline constexpr char kOpsNotInBuild[] = "OPS_NOT_IN_BUILD";
inline constexpr char kUnresolvedCustomOp[] = "UNRESOLVED_CUSTOM_OP";
inline constexpr char kInterpreterBuildFailed[] = "INTERPRETER_BUILD_FAILED";
inline constexpr char kDelegateFailed[] = "DELEGATE_FAILED";
inline constexpr char kAllocateTensorsFailed[] = "ALLOCATE_TENSORS_FAILED";
inline constexpr char kInvalidInputShape[] = "INVALID_INPUT_SHAPE";
inline constexpr char kInvokeFailed[] = "INVOKE_FAILED";
}  // namespace error_code

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_SUPPORT_STATUS_H_
