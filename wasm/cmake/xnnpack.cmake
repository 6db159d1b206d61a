# XNNPACK for WebAssembly. Its own CMakeLists forces relaxed SIMD and -mfp16, so it is not used;
# its lists of SIMD microkernels are.
include(xnnpack_sources)
set(XNNPACK_DIR "${SOURCES_DIR}/xnnpack")
include("${XNNPACK_DIR}/cmake/gen/wasmsimd_microkernels.cmake")
include("${XNNPACK_DIR}/cmake/gen/wasmrelaxedsimd_microkernels.cmake")

# Depthwise convolutions in CHW (sparse weights): V8 of 2025 and later spills the sums of several rows, and the kernels
# that XNNPACK chooses add one product after the other.
set(CHW_KERNELS
  3x3p1 loadsplat_2x4 loadsplat_1x4_acc2
  3x3s2p1 splat_1x4_acc2 splat_1x4_acc4
  5x5p2 splat_3x4 loadsplat_1x4_acc3
  5x5s2p2 splat_1x4_acc2 loadsplat_1x4_acc3)
set(CHW_MENDS "")
while(CHW_KERNELS)
  list(POP_FRONT CHW_KERNELS size theirs ours)
  list(APPEND CHW_MENDS "(${size}__wasmsimd_x86_)${theirs}\\)" "\\1${ours})")
  string(REPLACE "_" "-" files "${theirs}.c;${ours}.c")
  list(TRANSFORM files PREPEND "src/f32-dwconv2d-chw/gen/f32-dwconv2d-chw-${size}-minmax-wasmsimd-x86-")
  list(REMOVE_ITEM PROD_WASMSIMD_MICROKERNEL_SRCS ${files})
  list(GET files 1 file)
  list(APPEND PROD_WASMSIMD_MICROKERNEL_SRCS "${file}")
endwhile()

set(XNNPACK_PLAIN_MICROKERNELS ${XNNPACK_SCALAR_MICROKERNELS} ${PROD_WASMSIMD_MICROKERNEL_SRCS}
  src/x32-packw/gen/x32-packw-gio-wasmsimd-u2.c)
set(XNNPACK_MICROKERNELS ${XNNPACK_PLAIN_MICROKERNELS})
if(RELAXED_SIMD)
  list(APPEND XNNPACK_MICROKERNELS ${PROD_WASMRELAXEDSIMD_MICROKERNEL_SRCS})
endif()
# These use half-precision intrinsics that Emscripten 3.1.69 does not know yet.
list(FILTER XNNPACK_MICROKERNELS EXCLUDE REGEX "f16-v(cos|sin|log|tanh|sqrt)/gen/f16-[a-z]+-wasmrelaxedsimd")
# This project's kernels (below) have the place of the first two. Nothing calls the others: tiles of 16 columns need
# XNN_ENABLE_WASM_REVECTORIZE, and TFLite's delegate has no complex products.
list(FILTER XNNPACK_MICROKERNELS EXCLUDE REGEX "-dwconv/gen/|qd8-f32-qc4w-gemm/|c2s[24]-|x16c4-|f32-vcmul|4x2c4-(minmax-)?wasmrelaxed|f32-gemm-1x8-minmax-wasmrelaxedsimd-fma-loadsplat|f32-conv-hwc2chw/.*wasm")

# XNNPACK subtracts the input's size from what SAME padding reaches, both unsigned. Where windows are smaller than strides
# the input is the larger one, the difference wraps, and every window reads padding. doz() is the difference or zero.
set(PADDING "(total_padding_[a-z]+ =)([^;]+) - (input_[a-z]+);")
set(MENDED_PADDING "\\1 doz(\\2, \\3);")
# A window that is larger than its padded input gives nothing. XNNPACK computes one row, of what lies behind the input.
set(FIT "  if \\(output_height_out != NULL\\) {[^;]*= ([a-z_]+->convolution_op)->output_height;")
set(MENDED_FIT "  const size_t row_count = \\1->padding_top + input_height + \\1->padding_bottom;
  const size_t column_count = \\1->padding_left + input_width + \\1->padding_right;
  if (row_count <= (\\1->kernel_height - 1) * \\1->dilation_height ||
      column_count <= (\\1->kernel_width - 1) * \\1->dilation_width) {
    return xnn_status_invalid_parameter;
  }\n\\0")
mend("${XNNPACK_DIR}" "src/operators/max-pooling-nhwc.c" "${FIT}" "${MENDED_FIT}")
mend("${XNNPACK_DIR}" "src/operators/average-pooling-nhwc.c" "${PADDING}" "${MENDED_PADDING}" "${FIT}" "${MENDED_FIT}")
# The 8-bit depthwise kernels of this project have weights of their own order; of each type there is one more.
mend("${XNNPACK_DIR}" "src/operators/convolution-nhwc.c" "${PADDING}" "${MENDED_PADDING}" "${FIT}" "${MENDED_FIT}"
  "(#include \"src/xnnpack/pack.h\"\n)" "\\1#include \"kernels/dwconv.h\"\n"
  "xnn_(pack_q[su]8_dwconv_[ghw]+_w)" "tflite_webnn_\\1"
  "XNN_MAX_(F32|QC8|QU8)_DWCONV_UKERNELS" "\\0 + 1"
  "(gemm_config->nr > )(context->group_output_channels)" "\\1\\2 * (1 + XNN_ARCH_WASMRELAXEDSIMD)")
# Float weights of convolutions are packed value by value, by loops for tiles with several values of a column beside each
# other. Most tiles have one, and a plain copy packs them. Of sparse weights, four are looked at together.
mend("${XNNPACK_DIR}" "src/reference/packing.cc"
  "xnn_pack_f32_conv_goki_w\\([^}]*kr_block_start \\+= kr\\) {" "\\0
          if (skr == 1) {
            const float* from = &k[(nr_block_start * ks + ki) * kc + kr_block_start];
            for (size_t n = 0; n < nr_block_size; n++, from += ks * kc) packed_weights[n] = *from;
            packed_weights += nr;
            continue;
          }"
  "(#include \"src/xnnpack/unaligned.h\"\n)" "\\1#include <wasm_simd128.h>\n"
  "for \\(size_t ic = 0;( ic < group_input_channels; ic\\+\\+\\) {
      bool is_nonzero_block = false;[^}]*!= 0.0f\\);[^}]*}[^}]*\\*nonzero_values\\+\\+ = kernel)" "size_t ic = 0;
    for (; output_channels_block_size == 1 && !first_nonzero && ic + 4 <= group_input_channels; ic += 4) {
      const float* from = &kernel[ocb * group_input_channels + ic];
      uint32_t nonzero = wasm_i32x4_bitmask(wasm_f32x4_ne(wasm_v128_load(from), wasm_f32x4_const_splat(0)));
      for (; nonzero != 0; nonzero &= nonzero - 1) {
        const size_t next = ic + __builtin_ctz(nonzero);
        *nonzero_values++ = kernel[ocb * group_input_channels + next];
        *input_channel_diffs++ = (int32_t) ((next - last_ic) * sizeof(float));
        last_ic = next;
        *output_channel_nonzeros += 1;
      }
    }
    for (;\\1")
# A deconvolution with strides takes a tile for the pixels of an output row, not for the batch.
mend("${XNNPACK_DIR}" "src/operators/deconvolution-nhwc.c"
  "batch_size(, deconvolution_op->ukernel.igemm->mr, nr)" "output_width_positions\\1"
  "(gemm_config->nr > )(context->group_output_channels)" "\\1\\2 * (1 + XNN_ARCH_WASMRELAXEDSIMD)")
mend("${XNNPACK_DIR}" "src/microkernel-utils.c"
  "if \\(nr > output_channels" "if (XNN_ARCH_WASMRELAXEDSIMD ? nr > 2 * output_channels : nr > output_channels")
# As many rows as the result has room for; weights that are computed may change their shape.
mend("${XNNPACK_DIR}" "src/subgraph/fully-connected.c"
  "num_input_elements % input_channels != 0" "\\0 ||
      (filter_value->allocation_type != xnn_allocation_type_static &&
       input_value->shape.dim[input_value->shape.num_dims - 1] != input_channels)")

# Int8 weights of a model that lets go of their order stay where they are.
mend("${XNNPACK_DIR}" "src/operators/fully-connected-nc.c"
  "(#include \"src/xnnpack/pack.h\"\n)" "\\1#include \"kernels/weights_in_place.h\"\n"
  "xnn_init_qd8_f32_qc8w_gemm_config\\(\\)"
  "tflite_webnn_qd8_f32_qc8w_gemm_config(context->kernel, context->output_channels, context->input_channels,
          (context->flags & XNN_FLAG_TRANSPOSE_WEIGHTS) != 0, \\0)")

# Other GEMM and IGEMM kernels than XNNPACK's choice: docs/kernels.md.
# - this project's in the place of the 8-bit ones of plain SIMD
# - this project's for 4-bit weights, where XNNPACK has scalar ones for blocks
# - on x86 with relaxed SIMD, float tiles of 6 rows, too: XNNPACK takes those that fit a convolution best. Without
#   linear kernels those with limits serve for both.
# - there, too, this project's product of one row
# - with relaxed SIMD, this project's tiles of 2 columns, which have the order of native kernels: for up to 3 columns
# - on x86 with plain SIMD, loadsplat on any number of cores
# - factors that are computed are packed by SIMD in each run, not by a memory.copy for 8 values
mend("${XNNPACK_DIR}" "src/configs/gemm-config.c"
  "(#include \"src/xnnpack/gemm.h\"\n)" "\\1#include \"kernels/dot16x2_gemm.h\"\n#include \"kernels/f32_gemm.h\"\n"
  "xnn_((qs8_qc8w|qd8_f32_qc8w|qu8)_[a-z0-9_]+)_([14])x4c2s4__wasmsimd_dot16x2_ld128"
  "tflite_webnn_\\1_\\3x8c2__wasmsimd_dot16x2"
  "((qs8_qc8w|qd8_f32_qc8w|qu8)_gemm_config.nr = )4(;[^;]+log2_kr = 1;)[^;]+log2_sr = 2;" "\\18\\3"
  "xnn_(qd8_f32_q[bc]4w_gemm_minmax_ukernel_[14]x)(4c8__wasmsimd_dot16x2_ld64|4__scalar)\\)" "tflite_webnn_\\18c2__wasmsimd_dot16x2)"
  "(qd8_f32_qc4w_gemm_config.nr = )4(;[^;]+log2_kr = )3" "\\18\\21"
  "(qd8_f32_qb4w_gemm_config.)nr = 4;([^;]+planes = 2;)" "\\1nr = 8; \\1log2_kr = 1;\\2"
  "f32_i?gemm_config(->|.)linear[^;]+wasmrelaxedsimd_fma_loadsplat\\);" ""
  "(f32_i?gemm_config[^;]+INDEX\\()4([^;]+)xnn_([a-z0-9_]+)4x8__wasmrelaxedsimd_fma_loadsplat\\);"
  "\\0 \\16\\2tflite_webnn_\\36x8__wasm);"
  "xnn_(f32_gemm_minmax_ukernel_1x8__wasm)relaxedsimd_fma_loadsplat" "tflite_webnn_\\1"
  "(f32_gemm_nr2_config->)linear([^;]+)4([^;]+)xnn_(f32_i?gemm_)(ukernel_)4x2c4__wasmrelaxedsimd_fma"
  "\\1minmax\\22\\3tflite_webnn_\\4minmax_\\52x2__wasm"
  "(f32_gemm_nr2_config->minmax[^;]+)4([^;]+)xnn_([a-z0-9_]+)4x2c4__wasmrelaxedsimd_fma"
  "\\18\\2tflite_webnn_\\38x2__wasm"
  "(xnn_x32_packw_gemm_goi_ukernel_x2c4__wasmsimd_u4)(;[^;]+mr = )4(;[^;]+nr = 2;[^;]+log2_kr = )2;"
  "(XNN_ARCH_WASMRELAXEDSIMD ? (void*) xnn_pack_f32_gemm_goi_w : (void*) \\1)\\2XNN_ARCH_WASMRELAXEDSIMD ? 8 : 4\\3XNN_ARCH_WASMRELAXEDSIMD ? 0 : 2;"
  "(f32_i?gemm_config(->|.)mr = )4(;[^;]+nr = 8;)" "\\1XNN_ARCH_WASMRELAXEDSIMD ? 6 : 4\\3"
  "(f32_gemm_config->pack_gemm_gio = [^;]+. )xnn_pack_f32_gemm_gio_w" "\\1xnn_x32_packw_gemm_gio_ukernel_x8__wasmsimd_u2"
  "hardware_concurrency\\(\\) > kCoreCountThresholdForAdaptiveAvxOptimization" "1")

# Native kernels round twice here on x86, and once on Arm.
mend("${XNNPACK_DIR}" "src/configs/ibilinear-config.c"
  "xnn_f32_ibilinear_ukernel__wasmrelaxedsimd_u8"
  "(xnn_init_hardware_config()->is_x86 ? xnn_f32_ibilinear_ukernel__wasmsimd_u8 : \\0)")

mend("${XNNPACK_DIR}" "src/configs/dwconv2d-chw-config.c" ${CHW_MENDS})
mend("${XNNPACK_DIR}" "src/configs/conv-hwc2chw-config.c"
  "(#include \"src/xnnpack/conv.h\"\n)" "\\1#include \"kernels/f32_conv_hwc2chw.h\"\n"
  "xnn_(f32_conv_hwc2chw_ukernel_3x3s2p1c3x4__wasm)simd_2x2" "tflite_webnn_\\1")

# This project's depthwise kernels; what has no activation takes those with limits, too.
mend("${XNNPACK_DIR}" "src/configs/dwconv-config.c"
  "(#include \"src/xnnpack/dwconv.h\"\n)" "\\1#include \"kernels/dwconv.h\"\n"
  "(f32|qs8_qc8w|qu8)(_dwconv_config.XNN_MAX_(F32|QC8|QU8)_DWCONV_UKERNELS)(. = {)0}"
  "\\1\\2 + 1\\4[XNN_MAX_\\3_DWCONV_UKERNELS] = TFLITE_WEBNN_LARGE_DWCONV(\\1)}"
  "xnn_(f32_dwconv_minmax_ukernel_[0-9]+)p[48]c__wasm[a-z0-9_]+" "tflite_webnn_\\1p8c__wasm"
  "XNN_INIT_DWCONV_UKERNEL\\(xnn_f32_dwconv_ukernel_[0-9]+p[48]c__wasm[a-z_]+\\)" "NULL"
  "xnn_(qs8_qc8w_dwconv_minmax_fp32_ukernel_[0-9]+)p16c__wasm[a-z0-9_]+" "tflite_webnn_\\1p8c__wasm"
  "xnn_(qu8_dwconv_minmax_fp32_ukernel_[0-9]+)p8c__wasm[a-z0-9_]+" "tflite_webnn_\\1p8c__wasm"
  "((f32|qs8_qc8w)_dwconv_config.[0-9].[.]channel_tile = )(4|16);" "\\18;")

add_library(xnnpack_headers INTERFACE)
target_include_directories(xnnpack_headers SYSTEM INTERFACE
  "${XNNPACK_DIR}/include" "${XNNPACK_DIR}/src" "${XNNPACK_DIR}"
  "${SOURCES_DIR}/fp16/include" "${SOURCES_DIR}/fxdiv/include" "${PTHREADPOOL_DIR}/include")
target_link_libraries(xnnpack_headers INTERFACE cpuinfo)

# What XNNPACK's own files are compiled with, besides.
add_library(xnnpack_settings INTERFACE)
target_link_libraries(xnnpack_settings INTERFACE xnnpack_headers)
target_include_directories(xnnpack_settings INTERFACE "${CMAKE_CURRENT_SOURCE_DIR}")
target_include_directories(xnnpack_settings SYSTEM BEFORE INTERFACE "${CMAKE_CURRENT_SOURCE_DIR}/compat/include")
target_compile_definitions(xnnpack_settings INTERFACE XNN_LOG_LEVEL=2 "XNNPACK_COMMIT=\"${XNNPACK_COMMIT}\"")
# Every XNN_ENABLE_* switch that the sources test must be defined, as 0 or 1: the names are read
# from XNNPACK's own CMakeLists so that none is forgotten when the version moves.
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

# The microkernels are fast, but for half precision in software, which no delegate asks for. Only those of relaxed SIMD, and
# what asks whether it is there, are compiled with it: ccache compiles all other files once for all variants.
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

# A batch is linked whole. A module for certain models (below) replaces what is in configs/ and subgraph/, and nothing
# else may share a batch with that.
set(remaining ${XNNPACK_SOURCES})
foreach(folder configs/ subgraph/ operators/ "")
  set(sources ${remaining})
  list(FILTER sources INCLUDE REGEX "^src/${folder}")
  list(REMOVE_ITEM remaining ${sources})
  list(TRANSFORM sources PREPEND "${XNNPACK_DIR}/")
  use_mended(sources "${XNNPACK_DIR}")
  set(colliding ${sources}) # in a batch, by names of static functions
  list(FILTER colliding INCLUDE REGEX
    "/operators/|/reference/|/(raddstore|unary-)[a-z]+-config|/(depthwise-con|decon)volution|/fully-connected|/even-split")
  set_source_files_properties(${colliding} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  string(REGEX REPLACE "(.+)/" "_\\1" suffix "${folder}")
  add_batches(xnnpack_sources${suffix} 25 OPTIONS -Oz ${relaxed} FILES ${sources})
  list(APPEND XNNPACK_BATCHES xnnpack_sources${suffix})
endforeach()
set_source_files_properties("${XNNPACK_DIR}/src/operator-run.c" PROPERTIES COMPILE_OPTIONS "-Os;${RUNTIME_COMPILE_FLAGS}")
set_source_files_properties("${MENDED_DIR}/src/reference/packing.cc" PROPERTIES
  COMPILE_OPTIONS "-O3;${RUNTIME_COMPILE_FLAGS}")

file(GLOB KERNEL_FILES CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/kernels/*.cc")
add_library(kernels OBJECT ${KERNEL_FILES})
target_include_directories(kernels PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}")
target_link_libraries(kernels PRIVATE xnnpack_headers)
target_compile_options(kernels PRIVATE
  -Wall -Wextra -Wno-unused-parameter -Werror -O3 ${relaxed} ${OWN_COMPILE_FLAGS})
# It works once for a model.
set_source_files_properties(kernels/weights_in_place.cc PROPERTIES COMPILE_OPTIONS -Oz)

add_library(XNNPACK STATIC "${CMAKE_CURRENT_SOURCE_DIR}/compat/xnnpack_build_identifier.c" $<TARGET_OBJECTS:kernels>)
foreach(batches IN LISTS XNNPACK_BATCHES)
  target_link_libraries(${batches} PRIVATE xnnpack_settings)
  target_sources(XNNPACK PRIVATE $<TARGET_OBJECTS:${batches}>)
endforeach()
target_link_libraries(XNNPACK PUBLIC xnnpack_headers PRIVATE xnnpack_settings)

# A module for certain models has only what of XNNPACK these can reach. The functions that SELECTION_DIR names are
# compiled under other names, which nobody calls; the ones in their places say "unsupported". Linked before XNNPACK.
if(SELECTION_DIR)
  add_library(xnnpack_absent OBJECT "${SELECTION_DIR}/xnnpack_absent.c")
  target_link_libraries(xnnpack_absent PRIVATE xnnpack_settings)
  foreach(folder configs subgraph)
    set(sources ${XNNPACK_SOURCES})
    list(FILTER sources INCLUDE REGEX "^src/${folder}/")
    list(TRANSFORM sources PREPEND "${XNNPACK_DIR}/")
    use_mended(sources "${XNNPACK_DIR}")
    add_batches(xnnpack_selected_${folder} 25
      OPTIONS -Oz ${relaxed} -include "${SELECTION_DIR}/xnnpack_renamed.h" FILES ${sources})
    target_link_libraries(xnnpack_selected_${folder} PRIVATE xnnpack_settings)
  endforeach()
endif()
