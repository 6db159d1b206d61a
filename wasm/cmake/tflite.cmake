# TensorFlow Lite with every builtin kernel, ruy, and the small libraries that its kernels use: the files that the module
# links. wasm/programs/cmake/tflite_api.cmake has those that only programs need.
include(tflite_sources)
include(ruy_sources)
set(TENSORFLOW_DIR "${SOURCES_DIR}/tensorflow")
set(TFLITE_DIR "${TENSORFLOW_DIR}/tensorflow/lite")

set(TFLITE_FILES ${TFLITE_RUNTIME_SOURCES} ${TFLITE_XNNPACK_DELEGATE_SOURCES})
set(TFLITE_KERNEL_FILES ${TFLITE_KERNEL_SOURCES} ${TFLITE_KERNEL_INTERNAL_SOURCES})
list(TRANSFORM TFLITE_FILES PREPEND "${TFLITE_DIR}/")
list(TRANSFORM TFLITE_KERNEL_FILES PREPEND "${TFLITE_DIR}/")

foreach(list TFLITE_FAST_SOURCES TFLITE_SMALL_SOURCES)
  list(TRANSFORM ${list} PREPEND "${TFLITE_DIR}/")
endforeach()
list(REMOVE_ITEM TFLITE_KERNEL_FILES ${TFLITE_FAST_SOURCES} ${TFLITE_SMALL_SOURCES})
list(TRANSFORM TFLITE_MODEL_SOURCES PREPEND "${TENSORFLOW_DIR}/tensorflow/compiler/mlir/lite/")
list(TRANSFORM RUY_SOURCES PREPEND "${SOURCES_DIR}/ruy/ruy/")

add_library(tflite_headers INTERFACE)
target_include_directories(tflite_headers SYSTEM INTERFACE
  "${GENERATED_DIR}" "${TENSORFLOW_DIR}" "${TENSORFLOW_DIR}/third_party/xla"
  "${SOURCES_DIR}/flatbuffers/include" "${SOURCES_DIR}/eigen3" "${SOURCES_DIR}/gemmlowp"
  "${SOURCES_DIR}/ruy" "${SOURCES_DIR}/farmhash/src" "${SOURCES_DIR}/fft2d"
  "${SOURCES_DIR}/ml_dtypes" "${SOURCES_DIR}/ml_dtypes/ml_dtypes"
  "${SOURCES_DIR}/abseil-cpp") # its headers only: the module needs none of its objects
target_compile_definitions(tflite_headers INTERFACE
  TFLITE_BUILD_WITH_XNNPACK_DELEGATE TFLITE_MMAP_DISABLED TFLITE_WITH_RUY=1 TFLITE_KERNEL_USE_XNNPACK=1
  EIGEN_MPL2_ONLY EIGEN_DONT_PARALLELIZE FARMHASH_NO_BUILTIN_EXPECT)
target_link_libraries(tflite_headers INTERFACE xnnpack_headers)

# TFLite's kernels run what XNNPACK rejects: optimized for size, except where models spend their time. Those that copy
# few bytes at a time call third_party/compat/copy_bytes.cc.
add_batches(tflite_fast 5 OPTIONS -O3 FILES ${TFLITE_FAST_SOURCES} third_party/compat/quantize_floats.cc)
add_batches(tflite_kernels 15 OPTIONS -Os -fno-builtin-memcpy FILES ${TFLITE_KERNEL_FILES})
add_batches(tflite_small 20 OPTIONS -Oz FILES
  ${TFLITE_SMALL_SOURCES} ${TFLITE_FILES} ${TFLITE_MODEL_SOURCES}
  third_party/compat/graph_info.cc "${SOURCES_DIR}/fft2d/src/fftsg.c" "${SOURCES_DIR}/fft2d/src/fftsg2d.c"
  "${SOURCES_DIR}/farmhash/src/farmhash.cc" "${SOURCES_DIR}/flatbuffers/src/util.cpp")
add_batches(ruy 20 OPTIONS -O3 FILES ${RUY_SOURCES})
# What replaces ruy's kernels.
set(MATRIX_PRODUCT_FILES tflite_kernels/integer_products.cc tflite_kernels/matrix_products.cc)
add_library(matrix_products OBJECT ${MATRIX_PRODUCT_FILES} third_party/compat/copy_bytes.cc)
set_source_files_properties(tflite_kernels/integer_products.cc PROPERTIES COMPILE_OPTIONS -Os)
set_source_files_properties(tflite_kernels/matrix_products.cc PROPERTIES COMPILE_OPTIONS -O3)
target_compile_options(matrix_products PRIVATE -Wall -Wextra -Wno-unused-parameter -Werror ${RUNTIME_COMPILE_FLAGS})
target_include_directories(matrix_products PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}")
foreach(batches tflite_fast tflite_kernels tflite_small ruy matrix_products)
  target_link_libraries(${batches} PRIVATE tflite_headers)
  target_include_directories(${batches} SYSTEM BEFORE PRIVATE
    "${CMAKE_CURRENT_SOURCE_DIR}/third_party/compat/include" "${CMAKE_CURRENT_SOURCE_DIR}/third_party/compat/tensorflow")
endforeach()
# Their names collide in a batch, or they are this project's.
set_source_files_properties("${TFLITE_DIR}/kernels/stablehlo_gather.cc"
  "${TFLITE_DIR}/kernels/stablehlo_scatter.cc" "${TFLITE_DIR}/kernels/tensor_slice_util.cc"
  "${TFLITE_DIR}/kernels/internal/portable_tensor_utils.cc"
  "${TFLITE_DIR}/kernels/hashtable_import.cc" "${TFLITE_DIR}/kernels/hashtable_lookup.cc"
  "${TFLITE_DIR}/kernels/hashtable_size.cc"
  third_party/compat/graph_info.cc third_party/compat/quantize_floats.cc PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
# As in native LiteRT, XNNPACK accepts quantized models by default, in the module and in TFLite's own tools.
set_source_files_properties("${TFLITE_DIR}/delegates/xnnpack/xnnpack_delegate.cc" PROPERTIES
  COMPILE_DEFINITIONS "XNNPACK_DELEGATE_ENABLE_QS8;XNNPACK_DELEGATE_ENABLE_QU8"
  # Engines compile an entire function at its first call: what builds one op stays a function of its own.
  COMPILE_OPTIONS -fno-inline-functions)
add_library(tensorflowlite STATIC
  $<TARGET_OBJECTS:tflite_fast> $<TARGET_OBJECTS:tflite_kernels> $<TARGET_OBJECTS:tflite_small> $<TARGET_OBJECTS:ruy>
  $<TARGET_OBJECTS:matrix_products>)
target_link_libraries(tensorflowlite PUBLIC tflite_headers XNNPACK)

# XNNPACK's delegate for the ops of certain models: the linker leaves out what of XNNPACK it does not call.
if(SELECTED_OPS)
  add_batches(xnnpack_selected_delegate 1 OPTIONS -Oz FILES "${TFLITE_DIR}/delegates/xnnpack/xnnpack_delegate.cc")
  target_link_libraries(xnnpack_selected_delegate PRIVATE tflite_headers)
  target_include_directories(xnnpack_selected_delegate SYSTEM BEFORE PRIVATE
    "${CMAKE_CURRENT_SOURCE_DIR}/third_party/compat/include" "${CMAKE_CURRENT_SOURCE_DIR}")
  target_compile_definitions(xnnpack_selected_delegate PRIVATE ${SELECTION_DEFINITIONS})
endif()
