#include "runtime/module/tflite_web_model_runner.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "runtime/module/javascript_ops.h"
#include "runtime/rewrite/rewrites.h"
#include "tensorflow/lite/logger.h"
#include "tflite_kernels/op_resolver.h"

namespace tflite::webnn {

TFLiteWebModelRunner::TFLiteWebModelRunner() {
  // Status and the report contain the messages, so keep them out of the page's console.
  LoggerOptions::SetMinimumLogSeverity(TFLITE_LOG_ERROR);
}

Status TFLiteWebModelRunner::InitFromBuffer(ModelBytes bytes, size_t size_bytes) {
  if (resolver_ == nullptr) {
    auto resolver = std::make_unique<MutableOpResolver>();
    AddOps(*resolver);
    FoldShapes(*resolver);
    AddJavascriptOps(options_.custom_ops, *resolver);
    resolver_ = std::move(resolver);
  }
  return loader_.Load(std::move(bytes), size_bytes, *resolver_);
}

Status TFLiteWebModelRunner::InitFromBuffer(const char* model_buffer_data, size_t model_buffer_size,
                                            std::unique_ptr<OpResolver> resolver) {
  resolver_ = std::move(resolver);
  ModelBytes copy(static_cast<uint8_t*>(malloc(model_buffer_size)), free);
  std::copy_n(model_buffer_data, model_buffer_size, copy.get());
  return InitFromBuffer(std::move(copy), model_buffer_size);
}

}  // namespace tflite::webnn
