# Tests of wasm/kernels. AddressSanitizer and UndefinedBehaviorSanitizer are in the kernels and the test; both precede
# XNNPACK's library, of which only what packs weights is linked.
set(SANITIZER_FLAGS -fsanitize=address,undefined -fno-sanitize=alignment -fno-sanitize-recover=undefined)
# Without a stack trace of each allocation: JavaScript makes them, in 97 % of the time. Errors still have theirs.
set(SANITIZER_OPTIONS "${CMAKE_CURRENT_BINARY_DIR}/sanitizer_options.c")
file(CONFIGURE OUTPUT "${SANITIZER_OPTIONS}" CONTENT
  "const char* __asan_default_options(void) { return \"malloc_context_size=0\"; }\n")
file(GLOB KERNEL_FILES CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/kernels/*.cc")
function(add_own_kernel_test name)
  add_program(${name} ${ARGN} ${KERNEL_FILES} "${SANITIZER_OPTIONS}" "${GOOGLETEST_DIR}/googletest/src/gtest_main.cc")
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name} PRIVATE googletest XNNPACK)
  target_compile_options(${name} PRIVATE -Wall -Wextra -Wno-unused-parameter -Werror -O1 ${SANITIZER_FLAGS})
  target_link_options(${name} PRIVATE ${SANITIZER_FLAGS} -sMAXIMUM_MEMORY=1GB)
endfunction()
add_own_kernel_test(dot16x2_gemm_test dot16x2_gemm_test.cc four_bit_gemm_test.cc)
add_own_kernel_test(dwconv_test dwconv_test.cc)
add_own_kernel_test(f32_kernels_test f32_gemm_test.cc f32_conv_hwc2chw_test.cc)

# XNNPACK's own cases and harness, with this project's kernels in the place of XNNPACK's.
set(MICROKERNEL_TESTS_DIR "${SOURCES_DIR}/xnnpack_tests")
function(add_microkernel_test name tester)
  set(sources "${tester}" test/next_prime.cc ${ARGN})
  list(TRANSFORM sources PREPEND "${MICROKERNEL_TESTS_DIR}/")
  use_mended(sources "${MICROKERNEL_TESTS_DIR}")
  set_source_files_properties(${sources} PROPERTIES COMPILE_OPTIONS -Wno-everything)
  add_own_kernel_test(${name} ${sources})
  target_include_directories(${name} SYSTEM PRIVATE "${MICROKERNEL_TESTS_DIR}")
  target_compile_definitions(${name} PRIVATE $<TARGET_PROPERTY:xnnpack_settings,INTERFACE_COMPILE_DEFINITIONS>)
endfunction()

# use_gemm_kernels(<kernel> <file> <is_igemm> <what Test() takes after the kernel>): what follows the definition of the
# cases, a suite for each of XNNPACK's kernels, is replaced.
function(use_gemm_kernels kernel file is_igemm arguments)
  set(suites "#include \"kernels/dot16x2_gemm.h\"\n")
  foreach(rows 1 4)
    string(APPEND suites
      "INSTANTIATE_TEST_SUITE_P(${kernel}_${rows}x8c2, GemmTest, testing::ValuesIn(CreateTests1("
      "8, 8, ${rows}, 8, 2, 1, ${is_igemm}, false, 1, [](GemmMicrokernelTester& tester) {"
      "tester.Test(tflite_webnn_${kernel}_ukernel_${rows}x8c2__wasmsimd_dot16x2, ${arguments}); })),"
      "[](const auto& info) { return info.param.test_name; });\n")
  endforeach()
  mend("${MICROKERNEL_TESTS_DIR}" "test/${file}.cc" "#if XNN_.*" "${suites}}}\n")
endfunction()
foreach(i "" i)
  if(i)
    set(is_igemm true)
    set(pack conv_goki_w)
  else()
    set(is_igemm false)
    set(pack gemm_goi_w)
  endif()
  use_gemm_kernels(qs8_qc8w_${i}gemm_minmax_fp32 qs8-qc8w-${i}gemm-minmax-fp32 ${is_igemm}
    "xnn_init_qs8_qc8w_conv_minmax_fp32_scalar_params, xnn_pack_qs8_${pack}, xnn_qs8_requantize_fp32")
  use_gemm_kernels(qu8_${i}gemm_minmax_fp32 qu8-${i}gemm-minmax-fp32 ${is_igemm}
    "xnn_init_qu8_conv_minmax_fp32_scalar_params, xnn_pack_qu8_${pack}, xnn_qu8_requantize_fp32")
  use_gemm_kernels(qd8_f32_qc8w_${i}gemm_minmax qd8-f32-qc8w-${i}gemm-minmax ${is_igemm}
    "xnn_init_f32_minmax_scalar_params, xnn_pack_qs8_${pack}")
  list(APPEND GEMM_CASES test/qs8-qc8w-${i}gemm-minmax-fp32.cc test/qu8-${i}gemm-minmax-fp32.cc
    test/qd8-f32-qc8w-${i}gemm-minmax.cc)
endforeach()
add_microkernel_test(gemm_microkernel_test test/gemm-microkernel-tester.cc ${GEMM_CASES})

function(use_dwconv_kernels kernel file taps element parameters init)
  foreach(count IN LISTS taps)
    string(APPEND suites "XNN_UKERNEL(0, tflite_webnn_${kernel}_ukernel_${count}p8c__wasm, 8, false, 8, ${count}, "
      "${element}, void, ${parameters}, ${init})\n")
  endforeach()
  mend("${MICROKERNEL_TESTS_DIR}" "test/${file}.cc"
    "#include \"src/[a-z0-9-]+/[a-z0-9-]+.inc\"\n" "${suites}"
    "#include \"src/xnnpack/dwconv.h\"" "#include \"kernels/dwconv.h\"")
endfunction()
use_dwconv_kernels(f32_dwconv_minmax f32-dwconv-minmax "3;4;9;25;49" float xnn_f32_minmax_params
  xnn_init_f32_minmax_scalar_params)
use_dwconv_kernels(qs8_qc8w_dwconv_minmax_fp32 qs8-qc8w-dwconv-minmax-fp32 "3;9;25;49" int8_t
  xnn_qs8_qc8w_conv_minmax_params xnn_init_qs8_qc8w_conv_minmax_fp32_scalar_params)
use_dwconv_kernels(qu8_dwconv_minmax_fp32 qu8-dwconv-minmax-fp32 "9;25;49" uint8_t
  xnn_qu8_conv_minmax_params xnn_init_qu8_conv_minmax_fp32_scalar_params)
# Their weights have an order of their own.
mend("${MICROKERNEL_TESTS_DIR}" test/dwconv-microkernel-tester.cc
  "(#include \"src/xnnpack/pack.h\"\n)" "\\1#include \"kernels/dwconv.h\"\n"
  "xnn_(pack_q[su]8_dwconv_ghw_w)" "tflite_webnn_\\1")
add_microkernel_test(dwconv_microkernel_test test/dwconv-microkernel-tester.cc
  test/f32-dwconv-minmax.cc test/qs8-qc8w-dwconv-minmax-fp32.cc test/qu8-dwconv-minmax-fp32.cc)
