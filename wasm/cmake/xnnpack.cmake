# XNNPACK for WebAssembly. Its own CMakeLists forces relaxed SIMD and -mfp16, so it is not used;
# its lists of SIMD microkernels are.
include(xnnpack_sources)
set(XNNPACK_DIR "${SOURCES_DIR}/xnnpack")
include("${XNNPACK_DIR}/cmake/gen/wasmsimd_microkernels.cmake")
include("${XNNPACK_DIR}/cmake/gen/wasmrelaxedsimd_microkernels.cmake")

# A patch of dwconv2d-chw-config.c chooses other kernels: those of the first list are not called, those of the second
# are.
set(CHW_PREFIX src/f32-dwconv2d-chw/gen/f32-dwconv2d-chw)
foreach(kernel 3x3p1-minmax-wasmsimd-x86-loadsplat-2x4 3x3s2p1-minmax-wasmsimd-x86-splat-1x4-acc2
    5x5p2-minmax-wasmsimd-x86-splat-3x4 5x5s2p2-minmax-wasmsimd-x86-splat-1x4-acc2)
  list(REMOVE_ITEM PROD_WASMSIMD_MICROKERNEL_SRCS "${CHW_PREFIX}-${kernel}.c")
endforeach()
foreach(kernel 3x3p1-minmax-wasmsimd-x86-loadsplat-1x4-acc2 3x3s2p1-minmax-wasmsimd-x86-splat-1x4-acc4
    5x5p2-minmax-wasmsimd-x86-loadsplat-1x4-acc3 5x5s2p2-minmax-wasmsimd-x86-loadsplat-1x4-acc3)
  list(APPEND PROD_WASMSIMD_MICROKERNEL_SRCS "${CHW_PREFIX}-${kernel}.c")
endforeach()

set(XNNPACK_PLAIN_MICROKERNELS ${XNNPACK_SCALAR_MICROKERNELS} ${PROD_WASMSIMD_MICROKERNEL_SRCS}
  src/x32-packw/gen/x32-packw-gio-wasmsimd-u2.c)
set(XNNPACK_MICROKERNELS ${XNNPACK_PLAIN_MICROKERNELS})
if(RELAXED_SIMD)
  list(APPEND XNNPACK_MICROKERNELS ${PROD_WASMRELAXEDSIMD_MICROKERNEL_SRCS})
endif()
# These use half-precision intrinsics that Emscripten 3.1.69 does not know yet.
list(FILTER XNNPACK_MICROKERNELS EXCLUDE REGEX "f16-v(cos|sin|log|tanh|sqrt)/gen/f16-[a-z]+-wasmrelaxedsimd")
# This project's kernels (below) replace the first two. Nothing calls the others: tiles of 16 columns need
# XNN_ENABLE_WASM_REVECTORIZE, and TFLite's delegate has no complex products.
list(FILTER XNNPACK_MICROKERNELS EXCLUDE REGEX "-dwconv/gen/|qd8-f32-qc4w-gemm/|c2s[24]-|x16c4-|f32-vcmul|4x2c4-(minmax-)?wasmrelaxed|f32-gemm-1x8-minmax-wasmrelaxedsimd-fma-loadsplat|f32-conv-hwc2chw/.*wasm")

add_library(xnnpack_headers INTERFACE)
target_include_directories(xnnpack_headers SYSTEM INTERFACE
  "${XNNPACK_DIR}/include" "${XNNPACK_DIR}/src" "${XNNPACK_DIR}"
  "${SOURCES_DIR}/fp16/include" "${SOURCES_DIR}/fxdiv/include" "${PTHREADPOOL_DIR}/include")
target_link_libraries(xnnpack_headers INTERFACE cpuinfo)

# What XNNPACK's own files are compiled with, besides.
add_library(xnnpack_settings INTERFACE)
target_link_libraries(xnnpack_settings INTERFACE xnnpack_headers)
target_include_directories(xnnpack_settings INTERFACE "${CMAKE_CURRENT_SOURCE_DIR}")
target_include_directories(xnnpack_settings SYSTEM BEFORE INTERFACE "${CMAKE_CURRENT_SOURCE_DIR}/third_party/compat/include")
target_compile_definitions(xnnpack_settings INTERFACE XNN_LOG_LEVEL=2 "XNNPACK_COMMIT=\"${XNNPACK_COMMIT}\"")
# Every XNN_ENABLE_* switch that the sources test must be defined, as 0 or 1: the names are read
# from XNNPACK's own CMakeLists so that none is missing when the version moves.
set(XNNPACK_ENABLED XNN_ENABLE_MEMOPT XNN_ENABLE_SPARSE XNN_ENABLE_CPUINFO XNN_ENABLE_GEMM_M_SPECIALIZATION)
file(STRINGS "${XNNPACK_DIR}/CMakeLists.txt" XNNPACK_SWITCH_LINES REGEX "ADD_COMPILE_DEFINITIONS\\(\"XNN_ENABLE")
foreach(line IN LISTS XNNPACK_SWITCH_LINES)
  string(REGEX MATCH "XNN_ENABLE_[A-Z0-9_]+" switch "${line}")
  if(switch IN_LIST XNNPACK_ENABLED)
    target_compile_definitions(xnnpack_settings INTERFACE ${switch}=1)
  else()
    target_compile_definitions(xnnpack_settings INTERFACE ${switch}=0)
  endif()
endforeach()

# The microkernels are fast, but for half precision in software, which no delegate requests. Only those of relaxed SIMD,
# and what checks whether it is there, are compiled with it: ccache compiles all other files once for all variants.
set(relaxed $<$<BOOL:${RELAXED_SIMD}>:-mrelaxed-simd>)
# add_microkernels(<target> <regex> [<option>...]): those of the remaining ones whose names match
macro(add_microkernels target regex)
  set(sources ${remaining})
  list(FILTER sources INCLUDE REGEX "${regex}")
  list(FILTER remaining EXCLUDE REGEX "${regex}")
  list(TRANSFORM sources PREPEND "${XNNPACK_DIR}/")
  if(sources)
    add_batches(${target} 40 OPTIONS ${ARGN} FILES ${sources})
    list(APPEND XNNPACK_BATCHES ${target})
  endif()
endmacro()
set(remaining ${XNNPACK_MICROKERNELS})
list(REMOVE_ITEM remaining ${XNNPACK_PLAIN_MICROKERNELS})
add_microkernels(xnnpack_relaxed_f16 "/f16-" -Oz ${relaxed})
add_microkernels(xnnpack_relaxed_keep_nan "-minmax-wasmrelaxedsimd-x86" -O3 ${relaxed} -include keep_nan.h)
add_microkernels(xnnpack_relaxed "." -O3 ${relaxed})
set(remaining ${XNNPACK_MICROKERNELS})
list(REMOVE_ITEM remaining ${PROD_WASMRELAXEDSIMD_MICROKERNEL_SRCS})
add_microkernels(xnnpack_f16 "/f16-" -Oz)
add_microkernels(xnnpack_keep_nan "-minmax-wasmsimd-x86|f32-v(max|min)-wasmsimd-x86" -O3 -include keep_nan.h)
add_microkernels(xnnpack_simd "wasmsimd" -O3)
add_microkernels(xnnpack_scalar "." -O3)

# A batch is linked entirely. A module for certain models (below) replaces what is in configs/ and subgraph/, and
# nothing else may share a batch with that.
set(remaining ${XNNPACK_SOURCES})
foreach(folder configs/ subgraph/ operators/ "")
  set(sources ${remaining})
  list(FILTER sources INCLUDE REGEX "^src/${folder}")
  list(REMOVE_ITEM remaining ${sources})
  list(TRANSFORM sources PREPEND "${XNNPACK_DIR}/")
  set(colliding ${sources}) # in a batch, by names of static functions
  list(FILTER colliding INCLUDE REGEX
    "/operators/|/reference/|/(raddstore|unary-)[a-z]+-config|/(depthwise-con|decon)volution|/fully-connected|/even-split")
  set_source_files_properties(${colliding} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  string(REGEX REPLACE "(.+)/" "_\\1" suffix "${folder}")
  add_batches(xnnpack_sources${suffix} 25 OPTIONS -Oz ${relaxed} FILES ${sources})
  list(APPEND XNNPACK_BATCHES xnnpack_sources${suffix})
endforeach()
set_source_files_properties("${XNNPACK_DIR}/src/subgraph.c" PROPERTIES
  COMPILE_OPTIONS "-Oz;-include;${CMAKE_CURRENT_SOURCE_DIR}/third_party/compat/weak_defines.h;${RUNTIME_COMPILE_FLAGS}")
set_source_files_properties("${XNNPACK_DIR}/src/operator-run.c" PROPERTIES COMPILE_OPTIONS "-Os;${RUNTIME_COMPILE_FLAGS}")
set_source_files_properties("${XNNPACK_DIR}/src/reference/packing.cc" PROPERTIES
  COMPILE_OPTIONS "-O3;${RUNTIME_COMPILE_FLAGS}")

file(GLOB KERNEL_FILES CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/xnnpack_kernels/*.cc")
add_library(kernels OBJECT ${KERNEL_FILES})
target_include_directories(kernels PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}")
target_link_libraries(kernels PRIVATE xnnpack_headers)
target_compile_options(kernels PRIVATE
  -Wall -Wextra -Wno-unused-parameter -Werror -O3 ${relaxed} ${OWN_COMPILE_FLAGS})
# It works once for a model.
set_source_files_properties(xnnpack_kernels/weights_in_place.cc PROPERTIES COMPILE_OPTIONS -Oz)

add_library(XNNPACK STATIC "${CMAKE_CURRENT_SOURCE_DIR}/third_party/compat/xnnpack_build_identifier.c" $<TARGET_OBJECTS:kernels>)
foreach(batches IN LISTS XNNPACK_BATCHES)
  target_link_libraries(${batches} PRIVATE xnnpack_settings)
  target_sources(XNNPACK PRIVATE $<TARGET_OBJECTS:${batches}>)
endforeach()
target_link_libraries(XNNPACK PUBLIC xnnpack_headers PRIVATE xnnpack_settings)

# A module for certain models has only the microkernels of their tensors' types, and the files of subgraph/ that its
# delegate calls. Linked before XNNPACK.
if(SELECTED_OPS)
  foreach(folder configs subgraph)
    set(sources ${XNNPACK_SOURCES})
    list(FILTER sources INCLUDE REGEX "^src/${folder}/")
    list(TRANSFORM sources PREPEND "${XNNPACK_DIR}/")
    add_library(xnnpack_selected_${folder} STATIC ${sources})
    target_compile_options(xnnpack_selected_${folder} PRIVATE -Wno-everything -Oz ${relaxed} ${RUNTIME_COMPILE_FLAGS})
    target_link_libraries(xnnpack_selected_${folder} PRIVATE xnnpack_settings)
  endforeach()
  target_compile_options(xnnpack_selected_configs PRIVATE
    -include "${CMAKE_CURRENT_SOURCE_DIR}/third_party/compat/selected_configs.h")
  target_compile_definitions(xnnpack_selected_configs PRIVATE ${SELECTION_DEFINITIONS})
endif()
