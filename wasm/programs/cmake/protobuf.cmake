# Protocol Buffers: messages of TFLite's tools, compiled for the lite runtime. This build also compiles protoc, with the
# C++ generator only; Node runs it.
set(protobuf_SOURCE_DIR "${SOURCES_DIR}/protobuf")
include("${protobuf_SOURCE_DIR}/src/file_lists.cmake")
set(UTF8_RANGE_DIR "${protobuf_SOURCE_DIR}/third_party/utf8_range")
set(PROTOBUF_INCLUDES "${protobuf_SOURCE_DIR}/src" "${UTF8_RANGE_DIR}")

# The full runtime also lists the lite runtime's files, and messages that Chromium's archive does not contain; protoc
# needs neither those messages nor their users.
list(REMOVE_ITEM libprotobuf_srcs ${libprotobuf_lite_srcs})
list(FILTER libprotobuf_srcs EXCLUDE REGEX "/json/|/util/(field_mask|time|type_resolver|json)_util\\.cc$")
list(FILTER libprotobuf_srcs EXCLUDE REGEX "/(any|api|duration|empty|field_mask|source_context|struct|timestamp|type|wrappers)\\.pb\\.cc$")
list(FILTER libprotoc_srcs INCLUDE REGEX "/compiler/(cpp/.*|[a-z_]+\\.cc|[a-z]+\\.pb\\.cc)$")

add_library(protobuf_lite STATIC EXCLUDE_FROM_ALL ${libprotobuf_lite_srcs} "${UTF8_RANGE_DIR}/utf8_range.c")
target_include_directories(protobuf_lite SYSTEM PUBLIC ${PROTOBUF_INCLUDES})
target_link_libraries(protobuf_lite PUBLIC
  absl::absl_check absl::absl_log absl::btree absl::cord absl::flat_hash_map absl::flat_hash_set absl::hash
  absl::log_initialize absl::node_hash_map absl::status absl::statusor absl::strings absl::str_format absl::synchronization
  absl::time absl::any_invocable)
target_compile_options(protobuf_lite PRIVATE ${PROGRAM_COMPILE_OPTIONS})
set_target_properties(protobuf_lite PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 12)

add_executable(protoc EXCLUDE_FROM_ALL protoc_cpp_main.cc ${libprotoc_srcs} ${libprotobuf_srcs})
target_link_libraries(protoc PRIVATE protobuf_lite)
target_compile_options(protoc PRIVATE -Wno-everything -O0)
target_precompile_headers(protoc PRIVATE <google/protobuf/compiler/cpp/helpers.h>)
target_link_options(protoc PRIVATE
  -O0 -sNODERAWFS=1 -sEXIT_RUNTIME=1 -sALLOW_MEMORY_GROWTH=1 -sSTACK_SIZE=4MB -sWASM_BIGINT=1)

# Messages of TFLite's tools, by the include paths of their headers.
set(MESSAGES_DIR "${CMAKE_CURRENT_BINARY_DIR}/messages")
set(MESSAGES
  tensorflow/core/example/example
  tensorflow/core/example/feature
  tensorflow/lite/profiling/proto/model_runtime_info
  tensorflow/lite/profiling/proto/profiling_info
  tensorflow/lite/tools/benchmark/proto/benchmark_result
  tensorflow/lite/tools/evaluation/proto/evaluation_config
  tensorflow/lite/tools/evaluation/proto/evaluation_stages
  tensorflow/lite/tools/evaluation/proto/preprocessing_steps)
file(MAKE_DIRECTORY "${MESSAGES_DIR}")
# One process per message: with all eight in one, two of the 16 files had 15 damaged bytes, in several versions of Node
# and with any memory size, as after a write to freed memory. The cause is unknown.
foreach(message IN LISTS MESSAGES)
  set(output "${MESSAGES_DIR}/${message}.pb.cc")
  list(APPEND message_sources "${output}")
  add_custom_command(
    OUTPUT "${output}"
    COMMAND node "$<TARGET_FILE:protoc>"
      "--proto_path=${TOOLS_SOURCES_DIR}" "--cpp_out=lite:${MESSAGES_DIR}" "${message}.proto"
    DEPENDS protoc "${TOOLS_SOURCES_DIR}/${message}.proto"
    VERBATIM)
endforeach()
add_library(messages STATIC EXCLUDE_FROM_ALL ${message_sources})
target_include_directories(messages SYSTEM PUBLIC "${MESSAGES_DIR}")
target_link_libraries(messages PUBLIC protobuf_lite)
target_compile_options(messages PRIVATE ${PROGRAM_COMPILE_OPTIONS})
set_target_properties(messages PROPERTIES UNITY_BUILD ON)
