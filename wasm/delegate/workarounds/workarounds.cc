#include "delegate/workarounds/workarounds.h"

#include <algorithm>
#include <iterator>

#include "support/text.h"

namespace tflite::webnn {

bool Workarounds::Parse(std::string_view text) {
  constexpr uint32_t kAll = (1u << std::size(kWorkaroundIds)) - 1;
  bits_ = text == "all" ? kAll : 0;
  if (bits_ != 0) return true;
  for (std::string_view id : SplitText(text, ',')) {
    const auto* found = std::find(std::begin(kWorkaroundIds), std::end(kWorkaroundIds), id);
    if (found == std::end(kWorkaroundIds)) return false;
    Add(static_cast<Workaround>(found - std::begin(kWorkaroundIds)));
  }
  return true;
}

}  // namespace tflite::webnn
