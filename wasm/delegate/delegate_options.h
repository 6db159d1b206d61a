#ifndef TFLITE_WEBNN_DELEGATE_DELEGATE_OPTIONS_H_
#define TFLITE_WEBNN_DELEGATE_DELEGATE_OPTIONS_H_

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "delegate/workarounds/workarounds.h"
#include "support/status.h"

// The delegate's options: each is one row, a member of DelegateOptions. `build.py docs` generates the options of
// JavaScript and Python and docs/reference/delegate-options.md from the rows; TFLite's tools turn them into flags.
namespace tflite::webnn {

// One of the row's choices, by its index.
struct Choice {
  uint32_t number = 0;
};
using OpNames = std::set<std::string, std::less<>>;
using NodeIndices = std::set<int>;

enum class OptionScope : uint8_t {
  kContext,   // read by the code that opens the MLContext: JavaScript, or delegate/webnn_context.h
  kDelegate,  // read by the delegate
  kRuntime,   // read by the delegate; the runtime sets it, not the user
};

struct OptionRow {
  const char* name;
  OptionScope scope;
  const char* default_value;
  // Shown to users. Names of options are in backticks.
  const char* text;
  std::span<const char* const> choices = {};
};

// A row and the option's value.
class DelegateOption {
 public:
  DelegateOption(const DelegateOption&) = delete;
  DelegateOption& operator=(const DelegateOption&) = delete;

  const OptionRow& row() const { return row_; }
  // "choice", "count", "flag", "ops", "nodes", "text" or "workarounds".
  const char* type() const;
  // What a value must be: "one of default (0), gpu (1), cpu (2), npu (3)".
  std::string expected() const;
  // False if `text` is not a value of the type; the option's value is then unspecified.
  bool Set(std::string_view text);

 protected:
  using Value = std::variant<Choice, int, bool, OpNames, NodeIndices, std::string, Workarounds>;

  DelegateOption(std::vector<DelegateOption*>& all, const OptionRow& row, Value value);
  const Value& any_value() const { return value_; }

 private:
  const OptionRow row_;
  Value value_;
};

template <typename T>
class TypedOption : public DelegateOption {
 public:
  TypedOption(std::vector<DelegateOption*>& all, const OptionRow& row) : DelegateOption(all, row, T{}) {}
  const T& operator*() const { return *std::get_if<T>(&any_value()); }
  const T* operator->() const { return &**this; }
};

class DelegateOptions {
 public:
  // Sets an option by name. The error does not repeat the name.
  Status Set(std::string_view name, std::string_view text);
  const std::vector<DelegateOption*>& all() const { return all_; }

 private:
  using enum OptionScope;
  static constexpr const char* kDevices[] = {"default", "gpu", "cpu", "npu"};
  static constexpr const char* kPowers[] = {"default", "high-performance", "low-power"};
  std::vector<DelegateOption*> all_;  // in the order of the rows

 public:
  TypedOption<Choice> device_preference{all_,
                                        {"device_preference", kContext, "default",
                                         "The device to request; `default` leaves it to the browser.", kDevices}};
  TypedOption<Choice> power_preference{
      all_, {"power_preference", kContext, "default", "Whether to prefer speed or battery life.", kPowers}};
  TypedOption<int> max_partitions{all_,
                                  {"max_partitions", kDelegate, "0",
                                   "The maximum number of partitions on WebNN, the largest first; 0 for no limit."}};
  TypedOption<int> min_nodes_per_partition{
      all_, {"min_nodes_per_partition", kDelegate, "0", "The minimum number of nodes in a WebNN partition."}};
  TypedOption<bool> ignore_partition_cost{
      all_,
      {"ignore_partition_cost", kDelegate, "false",
       "Also run partitions and entire models that are slower on WebNN than on the CPU, by the delegate's estimate. "
       "The estimate never applies if `allowed_ops` names ops, and to entire models only on the default device."}};
  TypedOption<OpNames> allowed_ops{
      all_,
      {"allowed_ops", kDelegate, "",
       "TFLite ops (e.g. CONV_2D) that WebNN may run; if none is named, all that it supports."}};
  TypedOption<OpNames> excluded_ops{all_, {"excluded_ops", kDelegate, "", "TFLite ops that WebNN must not run."}};
  TypedOption<Workarounds> workarounds{
      all_,
      {"workarounds", kDelegate, "all",
       "Bugs to work around, by id, or `all`. Of a browser whose version is known, its own are the default."}};
  TypedOption<NodeIndices> excluded_nodes{all_,
                                          {"excluded_nodes", kRuntime, "", "Nodes that the browser has rejected."}};
  TypedOption<bool> estimate_model_cost{all_,
                                        {"estimate_model_cost", kRuntime, "false",
                                         "Whether a model that WebNN can run entirely stays on the CPU where it is "
                                         "faster, by the delegate's estimate."}};
  TypedOption<std::string> op_support_limits{
      all_,
      {"op_support_limits", kRuntime, "",
       "What the MLContext supports (delegate/graph/op_support_limits.h); without it the delegate is not applied."}};
};

// JSON: the rows. `build.py docs` reads it.
std::string DescribeDelegateOptions();

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_DELEGATE_OPTIONS_H_
