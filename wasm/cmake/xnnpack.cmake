# XNNPACK for WebAssembly. Its own CMakeLists forces relaxed SIMD and -mfp16, so it is not used;
# its lists of microkernels are.
include(xnnpack_sources)
set(XNNPACK_DIR "${SOURCES_DIR}/xnnpack")
include("${XNNPACK_DIR}/cmake/gen/scalar_microkernels.cmake")
include("${XNNPACK_DIR}/cmake/gen/wasmsimd_microkernels.cmake")
include("${XNNPACK_DIR}/cmake/gen/wasmrelaxedsimd_microkernels.cmake")

set(XNNPACK_MICROKERNELS ${PROD_SCALAR_MICROKERNEL_SRCS} ${PROD_WASMSIMD_MICROKERNEL_SRCS})
if(RELAXED_SIMD)
  list(APPEND XNNPACK_MICROKERNELS ${PROD_WASMRELAXEDSIMD_MICROKERNEL_SRCS})
endif()
# These use half-precision intrinsics that Emscripten 3.1.69 lacks.
list(FILTER XNNPACK_MICROKERNELS EXCLUDE REGEX "f16-v(cos|sin|log|tanh|sqrt)/gen/f16-[a-z]+-wasmrelaxedsimd")

# XNNPACK computes SAME padding as an unsigned difference. If windows are smaller than strides it wraps, and every window
# reads padding. The build compiles copies of these files that stop at zero (doz: difference or zero).
set(XNNPACK_MENDED_DIR "${CMAKE_CURRENT_BINARY_DIR}/xnnpack_mended")
set(XNNPACK_MENDED src/operators/average-pooling-nhwc.c src/operators/convolution-nhwc.c)
foreach(file IN LISTS XNNPACK_MENDED)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${XNNPACK_DIR}/${file}")
  file(READ "${XNNPACK_DIR}/${file}" text)
  string(REGEX REPLACE "(total_padding_[a-z]+ =)([^;]+) - (input_[a-z]+);" "\\1 doz(\\2, \\3);" mended "${text}")
  if(mended STREQUAL text)
    message(FATAL_ERROR "${file} of XNNPACK has no padding to mend: if its SAME padding no longer wraps below zero, "
                        "delete this block of wasm/cmake/xnnpack.cmake")
  endif()
  file(CONFIGURE OUTPUT "${XNNPACK_MENDED_DIR}/${file}" CONTENT "${mended}" @ONLY)
endforeach()

list(REMOVE_ITEM XNNPACK_SOURCES ${XNNPACK_MENDED})
set(XNNPACK_FILES ${XNNPACK_MICROKERNELS} ${XNNPACK_SOURCES})
list(TRANSFORM XNNPACK_FILES PREPEND "${XNNPACK_DIR}/")
list(TRANSFORM XNNPACK_MENDED PREPEND "${XNNPACK_MENDED_DIR}/" OUTPUT_VARIABLE XNNPACK_MENDED_FILES)
list(APPEND XNNPACK_FILES ${XNNPACK_MENDED_FILES})
add_library(XNNPACK STATIC ${XNNPACK_FILES} "${CMAKE_CURRENT_SOURCE_DIR}/compat/xnnpack_build_identifier.c")
target_include_directories(XNNPACK SYSTEM PUBLIC
  "${XNNPACK_DIR}/include" "${XNNPACK_DIR}/src" "${XNNPACK_DIR}"
  "${SOURCES_DIR}/fp16/include" "${SOURCES_DIR}/fxdiv/include" "${PTHREADPOOL_DIR}/include")
target_include_directories(XNNPACK SYSTEM BEFORE PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/compat/include")
target_link_libraries(XNNPACK PUBLIC cpuinfo)

# The sources need every XNN_ENABLE_* switch defined, as 0 or 1. The names come from XNNPACK's own CMakeLists,
# so a new version's switches are included.
set(XNNPACK_ENABLED XNN_ENABLE_MEMOPT XNN_ENABLE_SPARSE XNN_ENABLE_CPUINFO XNN_ENABLE_GEMM_M_SPECIALIZATION)
file(STRINGS "${XNNPACK_DIR}/CMakeLists.txt" XNNPACK_SWITCH_LINES REGEX "ADD_COMPILE_DEFINITIONS\\(\"XNN_ENABLE")
foreach(line IN LISTS XNNPACK_SWITCH_LINES)
  string(REGEX MATCH "XNN_ENABLE_[A-Z0-9_]+" switch "${line}")
  if(switch IN_LIST XNNPACK_ENABLED)
    target_compile_definitions(XNNPACK PRIVATE ${switch}=1)
  else()
    target_compile_definitions(XNNPACK PRIVATE ${switch}=0)
  endif()
endforeach()
target_compile_definitions(XNNPACK PRIVATE XNN_LOG_LEVEL=2 "XNNPACK_COMMIT=\"${XNNPACK_COMMIT}\"")
target_compile_options(XNNPACK PRIVATE -Wno-everything -Os ${RUNTIME_COMPILE_FLAGS})
# Optimize the kernels for speed, except half precision in software, which no delegate uses.
list(TRANSFORM XNNPACK_MICROKERNELS PREPEND "${XNNPACK_DIR}/" OUTPUT_VARIABLE XNNPACK_FAST_FILES)
list(FILTER XNNPACK_FAST_FILES EXCLUDE REGEX "/f16-")
set_source_files_properties(${XNNPACK_FAST_FILES} "${XNNPACK_DIR}/src/reference/packing.cc" PROPERTIES
  COMPILE_OPTIONS "-O3;${RUNTIME_COMPILE_FLAGS}")

# Depthwise convolutions use the plain SIMD kernels in every variant: with relaxed SIMD's multiply-add, 5 x 5 filters took
# more than twice as long in V8 on x86-64 (`build.py profile palm_detection_lite`).
set_property(SOURCE "${XNNPACK_DIR}/src/configs/dwconv-config.c" APPEND PROPERTY COMPILE_OPTIONS -mno-relaxed-simd)

# A module for certain models contains only the XNNPACK code that they can reach. The functions that SELECTION_DIR names
# compile under unused names; stubs that return "unsupported" take their places. Linked before XNNPACK.
if(SELECTION_DIR)
  set(XNNPACK_SELECTED_FILES ${XNNPACK_SOURCES})
  list(FILTER XNNPACK_SELECTED_FILES INCLUDE REGEX "^src/(configs|subgraph)/")
  list(TRANSFORM XNNPACK_SELECTED_FILES PREPEND "${XNNPACK_DIR}/")
  add_library(xnnpack_selected OBJECT EXCLUDE_FROM_ALL ${XNNPACK_SELECTED_FILES})
  add_library(xnnpack_absent OBJECT EXCLUDE_FROM_ALL "${SELECTION_DIR}/xnnpack_absent.c")
  foreach(library xnnpack_selected xnnpack_absent)
    target_include_directories(${library} SYSTEM PRIVATE $<TARGET_PROPERTY:XNNPACK,INCLUDE_DIRECTORIES>)
    target_compile_definitions(${library} PRIVATE $<TARGET_PROPERTY:XNNPACK,COMPILE_DEFINITIONS>)
    target_compile_options(${library} PRIVATE $<TARGET_PROPERTY:XNNPACK,COMPILE_OPTIONS>)
  endforeach()
  target_compile_options(xnnpack_selected PRIVATE -include "${SELECTION_DIR}/xnnpack_renamed.h")
endif()
