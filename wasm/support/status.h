#ifndef TFLITE_WEBNN_SUPPORT_STATUS_H_
#define TFLITE_WEBNN_SUPPORT_STATUS_H_

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace tflite::webnn {

// A part of a message: text, of which the view is not null, or an integer.
struct MessagePart {
  explicit MessagePart(std::string_view part) : text(part.data()), value(static_cast<int64_t>(part.size())) {}
  template <std::integral T>
  explicit MessagePart(T number) : text(nullptr), value(static_cast<int64_t>(number)) {}

  const char* text;  // null for an integer
  int64_t value;     // or the size of the text
};

// Success, or an error that JavaScript turns into one of its error classes (js/packages/core/src/errors.ts). It is a
// pointer, null for success, so that functions return it as cheaply as a bool.
class [[nodiscard]] Status {
 public:
  using Details = std::map<std::string, std::string>;

  Status() = default;
  // The message says what failed, where, and what to do.
  Status(const char* code, std::string message, Details details = {});
  Status(const char* code, std::initializer_list<MessagePart> message);
  Status(Status&&) noexcept = default;
  Status& operator=(Status&&) noexcept;
  ~Status();

  bool ok() const { return content_ == nullptr; }
  // Of an error only.
  const char* code() const { return content_->code; }
  const std::string& message() const { return content_->message; }
  // The error with these before its message; success is unchanged.
  template <typename... Parts>
  [[gnu::always_inline]] Status WithPrefix(const Parts&... parts) && {
    if (!ok()) AddPrefix({MessagePart(parts)...});
    return std::move(*this);
  }
  // {"code":...,"message":...,"details":{...}}, or "" for success.
  std::string ToJson() const;

 private:
  struct Content {
    const char* code;  // "MALFORMED_MODEL"
    std::string message;
    Details details;
  };

  void AddPrefix(std::initializer_list<MessagePart> prefix);

  std::unique_ptr<Content> content_;
};

// A value, or why there is none.
template <typename T>
struct [[nodiscard]] StatusOr : std::optional<T> {
  StatusOr(T value) : std::optional<T>(std::move(value)) {}
  StatusOr(Status error) : status(std::move(error)) {}
  bool ok() const { return status.ok(); }

  Status status;
};

// Ends the function with the status of a call that failed.
#define RETURN_IF_ERROR(...) \
  if (::tflite::webnn::Status status_of_call = (__VA_ARGS__); !status_of_call.ok()) return status_of_call

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
// Why a node is unchanged, or stays on the CPU. It ends in the report.
inline constexpr char kUnsupportedNode[] = "UNSUPPORTED_NODE";
}  // namespace error_code

// An error whose message consists of these parts: Error(code, "node ", i, " has no inputs"). Inlined, because there
// would be a function for each number of characters.
template <typename... Parts>
[[gnu::always_inline]] inline Status Error(const char* code, const Parts&... parts) {
  return {code, {MessagePart(parts)...}};
}
Status InvalidOption(std::string_view option, std::initializer_list<MessagePart> reason);
template <typename... Parts>
[[gnu::always_inline]] inline Status InvalidOption(std::string_view option, const Parts&... reason) {
  return InvalidOption(option, {MessagePart(reason)...});
}
template <typename... Parts>
[[gnu::always_inline]] inline Status Malformed(const Parts&... parts) {
  return Error(error_code::kMalformedModel, parts...);
}
template <typename... Parts>
[[gnu::always_inline]] inline Status Unsupported(const Parts&... parts) {
  return Error(error_code::kUnsupportedNode, parts...);
}

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_SUPPORT_STATUS_H_
