# benchmark_model and inference_diff, from TFLite's unmodified sources.
set(PROFILING_SOURCES
  profiling/memory_usage_monitor.cc
  profiling/model_runtime_info.cc
  profiling/profile_buffer.cc
  profiling/profile_summarizer.cc
  profiling/profile_summary_formatter.cc)
set(BENCHMARK_SOURCES
  tools/benchmark/benchmark_main.cc
  tools/benchmark/benchmark_model.cc
  tools/benchmark/benchmark_tflite_model.cc
  tools/benchmark/benchmark_utils.cc
  tools/benchmark/profiling_listener.cc
  tools/benchmark/register_custom_op.cc)
set(INFERENCE_DIFF_SOURCES
  tools/evaluation/evaluation_delegate_provider.cc
  tools/evaluation/stages/inference_profiler_stage.cc
  tools/evaluation/stages/tflite_inference_stage.cc
  tools/evaluation/tasks/inference_diff/run_eval.cc
  tools/evaluation/tasks/task_executor.cc
  tools/evaluation/tasks/task_executor_main.cc)
foreach(list PROFILING_SOURCES BENCHMARK_SOURCES INFERENCE_DIFF_SOURCES)
  list(TRANSFORM ${list} PREPEND "${TFLITE_DIR}/")
endforeach()

add_library(tflite_profiling STATIC EXCLUDE_FROM_ALL
  ${PROFILING_SOURCES} "${TOOLS_SOURCES_DIR}/third_party/xla/xla/tsl/util/stats_calculator.cc")
target_link_libraries(tflite_profiling PUBLIC tflite_tools messages)
target_compile_options(tflite_profiling PRIVATE ${PROGRAM_COMPILE_OPTIONS})

add_program(benchmark_model THREADS ${BENCHMARK_SOURCES})
add_program(inference_diff THREADS ${INFERENCE_DIFF_SOURCES})
target_include_directories(inference_diff SYSTEM PRIVATE "${SOURCES_DIR}/fp16/include")
foreach(tool benchmark_model inference_diff)
  target_link_libraries(${tool} PRIVATE webnn_provider tflite_tools tflite_profiling)
  target_compile_options(${tool} PRIVATE ${PROGRAM_COMPILE_OPTIONS})
endforeach()
set_target_properties(tflite_profiling benchmark_model inference_diff PROPERTIES UNITY_BUILD ON)
# It defines a function of benchmark_tflite_model.cc again, which is weak there.
set_source_files_properties("${TFLITE_DIR}/tools/benchmark/register_custom_op.cc"
  PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
