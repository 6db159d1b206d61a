# TFLite's tests of its XNNPACK delegate, as xnnpack_<name>: they run with the WebNN delegate instead
# (webnn_as_xnnpack.cc).
set(XNNPACK_TESTS_DIR "${TFLITE_DIR}/delegates/xnnpack")

add_library(webnn_as_xnnpack OBJECT EXCLUDE_FROM_ALL webnn_as_xnnpack.cc)
target_link_libraries(webnn_as_xnnpack PUBLIC kernel_test_support webnn_delegate)
target_compile_options(webnn_as_xnnpack PRIVATE -Wall -Wextra -Wno-unused-parameter -Werror -O1)

# Separate from kernel_test_headers, one of which clashes with the testers' fp16.h.
add_test_headers(xnnpack_test_headers
  <gmock/gmock.h> <gtest/gtest.h> "${TFLITE_DIR}/interpreter.h" "${TFLITE_DIR}/kernels/register.h"
  "${TFLITE_DIR}/schema/schema_generated.h")

# Each test file builds its models, and compares with TFLite's kernels, in a "tester"; some files share one.
file(GLOB testers CONFIGURE_DEPENDS "${XNNPACK_TESTS_DIR}/*_tester.cc")
foreach(tester IN LISTS testers ITEMS "${XNNPACK_TESTS_DIR}/test_util.cc")
  cmake_path(GET tester STEM name)
  add_library(xnnpack_${name} OBJECT EXCLUDE_FROM_ALL "${tester}")
  target_link_libraries(xnnpack_${name} PUBLIC kernel_test_main kernel_test_support webnn_provider tflite_tools)
  target_include_directories(xnnpack_${name} SYSTEM PRIVATE "${SOURCES_DIR}/fp16/include")
  target_compile_options(xnnpack_${name} PRIVATE ${TEST_OPTIONS})
  target_precompile_headers(xnnpack_${name} REUSE_FROM xnnpack_test_headers)
endforeach()

file(GLOB tests CONFIGURE_DEPENDS "${XNNPACK_TESTS_DIR}/*_test.cc")
foreach(test IN LISTS tests)
  cmake_path(GET test STEM name)
  file(STRINGS "${test}" testers REGEX "/xnnpack/[a-z0-9_]+_tester.h\"")
  list(TRANSFORM testers REPLACE ".*/xnnpack/([a-z0-9_]+).h\".*" "xnnpack_\\1")
  add_test_program(xnnpack_${name} "${test}" xnnpack_test_headers ${testers} xnnpack_test_util webnn_as_xnnpack)
  foreach(function Create Delete)
    target_link_options(xnnpack_${name} PRIVATE "-Wl,--wrap=TfLiteXNNPackDelegate${function}")
  endforeach()
endforeach()
