# Tests of wasm/xnnpack_kernels. AddressSanitizer and UndefinedBehaviorSanitizer are in the kernels and the test; both precede
# XNNPACK's library, of which only what packs weights is linked.
set(SANITIZER_FLAGS -fsanitize=address,undefined -fno-sanitize=alignment -fno-sanitize-recover=undefined)
file(GLOB KERNEL_FILES CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/xnnpack_kernels/*.cc")
function(add_custom_kernel_test name)
  add_program(${name} ${ARGN} ${KERNEL_FILES} sanitizer_options.c "${GOOGLETEST_DIR}/googletest/src/gtest_main.cc")
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name} PRIVATE googletest XNNPACK)
  target_compile_options(${name} PRIVATE -Wall -Wextra -Wno-unused-parameter -Werror -O1 ${SANITIZER_FLAGS})
  target_link_options(${name} PRIVATE ${SANITIZER_FLAGS} -sMAXIMUM_MEMORY=1GB)
endfunction()
add_custom_kernel_test(dot16x2_gemm_test dot16x2_gemm_test.cc four_bit_gemm_test.cc)
add_custom_kernel_test(dwconv_test dwconv_test.cc)
add_custom_kernel_test(f32_kernels_test f32_gemm_test.cc f32_conv_hwc2chw_test.cc)

# Tests of what a module has.
add_custom_kernel_test(op_table_test op_table_test.cc selected_configs_test.cc "${PROJECT_SOURCE_DIR}/tflite_kernels/op_resolver.cc")
target_link_libraries(op_table_test PRIVATE runtime custom_kernels without_webnn)

# XNNPACK's own cases and harness, with this project's kernels in place of XNNPACK's.
set(MICROKERNEL_TESTS_DIR "${SOURCES_DIR}/xnnpack_tests")
function(add_microkernel_test name)
  list(TRANSFORM ARGN PREPEND "${MICROKERNEL_TESTS_DIR}/test/" REGEX "-" OUTPUT_VARIABLE sources)
  list(APPEND sources "${MICROKERNEL_TESTS_DIR}/test/next_prime.cc")
  set_source_files_properties(${sources} PROPERTIES COMPILE_OPTIONS -Wno-everything)
  add_custom_kernel_test(${name} ${sources})
  target_include_directories(${name} SYSTEM BEFORE PRIVATE "${CMAKE_CURRENT_LIST_DIR}/microkernels")
  target_include_directories(${name} SYSTEM PRIVATE "${MICROKERNEL_TESTS_DIR}")
  target_compile_definitions(${name} PRIVATE $<TARGET_PROPERTY:xnnpack_settings,INTERFACE_COMPILE_DEFINITIONS>)
endfunction()
add_microkernel_test(gemm_microkernel_test gemm_microkernel_test.cc gemm-microkernel-tester.cc)
# Lists of kernels in microkernels/ are found before XNNPACK's.
add_microkernel_test(dwconv_microkernel_test dwconv-microkernel-tester.cc
  f32-dwconv-minmax.cc qs8-qc8w-dwconv-minmax-fp32.cc qu8-dwconv-minmax-fp32.cc)
