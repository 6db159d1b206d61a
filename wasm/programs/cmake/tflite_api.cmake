# Abseil, and what of TensorFlow Lite only programs link: its C API, the asynchronous one, its debug tools. The module
# uses nothing of either, so it does not compile them.
set(ABSL_PROPAGATE_CXX_STD ON)
set(CMAKE_POLICY_DEFAULT_CMP0077 NEW)
block()
  string(APPEND CMAKE_CXX_FLAGS_RELEASE " -Oz")
  set(CMAKE_UNITY_BUILD ON)
  set(CMAKE_UNITY_BUILD_BATCH_SIZE 0)
  add_subdirectory("${SOURCES_DIR}/abseil-cpp" "${CMAKE_BINARY_DIR}/abseil-cpp" EXCLUDE_FROM_ALL SYSTEM)
endblock()
# Their names collide in a batch.
set(ABSL_DIR "${SOURCES_DIR}/abseil-cpp/absl")
set_source_files_properties("${ABSL_DIR}/strings/numbers.cc"
  DIRECTORY "${ABSL_DIR}/strings" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
set_source_files_properties("${ABSL_DIR}/time/time.cc" "${ABSL_DIR}/time/internal/cctz/src/time_zone_posix.cc"
  DIRECTORY "${ABSL_DIR}/time" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
set_source_files_properties("${TFLITE_DIR}/simple_planner.cc" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)

set(TFLITE_API_SOURCES
  c/c_api_for_testing.cc
  c/c_api_opaque_internal.cc
  core/acceleration/configuration/delegate_registry.cc
  core/acceleration/configuration/nnapi_plugin.cc
  core/acceleration/configuration/stable_delegate_registry.cc
  core/acceleration/configuration/xnnpack_plugin.cc
  core/async/c/async_kernel.cc
  core/async/c/task.cc
  core/async/interop/attribute_map_internal.cc
  core/async/interop/c/attribute_map.cc
  core/async/interop/c/constants.cc
  core/async/interop/c/types.cc
  core/async/interop/reconcile_fns.cc
  core/async/interop/variant.cc
  core/c/c_api.cc
  core/c/c_api_experimental.cc
  core/c/c_api_opaque.cc
  core/c/operator.cc
  core/create_op_resolver_with_builtin_ops.cc
  core/model_building.cc
  core/tools/verifier.cc
  core/tools/verifier_internal.cc
  delegates/interpreter_utils.cc
  delegates/nnapi/nnapi_delegate_disabled.cc
  delegates/serialization.cc
  delegates/utils/simple_opaque_delegate.cc
  experimental/resource/cache_buffer.cc
  mutable_op_resolver_utils.cc
  nnapi/nnapi_implementation_disabled.cc
  optional_debug_tools.cc
  profiling/telemetry/c/telemetry_setting_internal.cc
  profiling/telemetry/profiler.cc
  simple_memory_arena_debug_dump.cc
  simple_planner.cc
  kernels/atan2_custom.cc
  kernels/cpu_backend_gemm_eigen.cc
  kernels/deprecated_backends.cc
  kernels/eigen_support.cc
  kernels/gru_cell.cc
  kernels/irfft2d.cc
  kernels/multinomial.cc
  kernels/pooling3d.cc
  kernels/random_standard_normal_custom.cc
  kernels/random_uniform_custom.cc
  kernels/register_ref.cc
  kernels/roll.cc
  kernels/sign_custom.cc
  kernels/table.cc
  kernels/unidirectional_sequence_gru.cc
  kernels/internal/opaque_tensor_ctypes.cc
  kernels/internal/optimized/neon_tensor_utils.cc
  kernels/internal/optimized/sse_tensor_utils.cc
  kernels/internal/transpose_utils.cc
  delegates/xnnpack/windows_util.cc)
list(TRANSFORM TFLITE_API_SOURCES PREPEND "${TFLITE_DIR}/")
add_library(tflite_api STATIC EXCLUDE_FROM_ALL ${TFLITE_API_SOURCES}
  "${TFLITE_MLIR_DIR}/core/model_builder_base.cc" "${TFLITE_MLIR_DIR}/mmap_allocation_disabled.cc")
target_link_libraries(tflite_api PUBLIC
  tensorflowlite absl::status absl::statusor absl::strings absl::flat_hash_map absl::synchronization)
target_include_directories(tflite_api SYSTEM BEFORE PRIVATE "${PROJECT_SOURCE_DIR}/third_party/compat/include")
target_compile_options(tflite_api PRIVATE ${PROGRAM_COMPILE_OPTIONS})
set_target_properties(tflite_api PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 15)
