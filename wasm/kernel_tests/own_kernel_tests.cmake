# Tests of wasm/kernels. AddressSanitizer and UndefinedBehaviorSanitizer are in the kernels and the test; both precede
# XNNPACK's library, of which only what packs weights is linked.
set(SANITIZER_FLAGS -fsanitize=address,undefined -fno-sanitize=alignment -fno-sanitize-recover=undefined)
file(GLOB KERNEL_FILES CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/../kernels/*.cc")
foreach(test dot16x2_gemm_test dwconv_test)
  add_program(${test} ${test}.cc ${KERNEL_FILES} "${GOOGLETEST_DIR}/googletest/src/gtest_main.cc")
  target_include_directories(${test} PRIVATE "${PROJECT_SOURCE_DIR}/..")
  target_link_libraries(${test} PRIVATE googletest XNNPACK)
  target_compile_options(${test} PRIVATE -Wall -Wextra -Wno-unused-parameter -Werror -O1 ${SANITIZER_FLAGS})
  target_link_options(${test} PRIVATE ${SANITIZER_FLAGS} -sMAXIMUM_MEMORY=1GB)
endforeach()
