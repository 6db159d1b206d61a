#include "runtime/execute/collecting_reporter.h"

#include <cstdio>

namespace tflite::webnn {

int CollectingReporter::Report(const char* format, va_list args) {
  char line[1024];
  const int length = std::vsnprintf(line, sizeof(line), format, args);
  if (!text_.empty()) text_ += "; ";
  text_ += line;
  while (text_.ends_with('\n')) text_.pop_back();
  return length;
}

Status CollectingReporter::AddReported(Status error) {
  const std::string reported = Take();
  return reported.empty() ? std::move(error) : Status(error.code(), error.message() + ": " + reported);
}

}  // namespace tflite::webnn
