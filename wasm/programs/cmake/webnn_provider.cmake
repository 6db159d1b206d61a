# Shared by TFLite's tools and tests: command lines, delegate providers, and this project's provider.
set(TFLITE_TOOL_SOURCES
  core/acceleration/configuration/c/xnnpack_plugin.cc
  profiling/memory_info.cc
  profiling/time.cc
  tools/command_line_flags.cc
  tools/delegates/delegate_provider.cc
  tools/delegates/default_execution_provider.cc
  tools/delegates/xnnpack_delegate_provider.cc
  tools/evaluation/utils.cc
  tools/model_loader.cc
  tools/tool_params.cc
  tools/utils.cc)
list(TRANSFORM TFLITE_TOOL_SOURCES PREPEND "${TFLITE_DIR}/")
# Object libraries, because providers register themselves and no symbol refers to them.
add_library(tflite_tools OBJECT EXCLUDE_FROM_ALL ${TFLITE_TOOL_SOURCES})
target_include_directories(tflite_tools SYSTEM BEFORE PUBLIC "${PROGRAMS_COMPAT_DIR}" "${TOOLS_SOURCES_DIR}"
  "${TOOLS_SOURCES_DIR}/third_party/xla")
target_link_libraries(tflite_tools PUBLIC tflite_api absl::log absl::check absl::absl_log absl::absl_check)
target_compile_options(tflite_tools PRIVATE -Wno-everything -Os)
set_target_properties(tflite_tools PROPERTIES UNITY_BUILD ON)

add_library(webnn_provider OBJECT EXCLUDE_FROM_ALL program_webnn.cc webnn_delegate_provider.cc
  "${PROJECT_SOURCE_DIR}/runtime/execute/blocking_host.cc")
target_link_libraries(webnn_provider PUBLIC webnn_delegate tflite_tools)
target_compile_options(webnn_provider PRIVATE
  -Wall -Wextra -Wno-unused-parameter -Werror -Oz ${OWN_COMPILE_FLAGS})
