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

# A quantized divisor is 0 where its integer is the zero point.
# WebAssembly traps where the lowest number is divided by -1; as on ARM, the quotient now wraps around.
mend("${TENSORFLOW_DIR}" tensorflow/lite/kernels/div.cc
  "data\\[i\\] != 0\\)" "data[i] != static_cast<T>(tensor->params.zero_point))"
  "\n  if \\(data->requires_broadcast\\) {" "
  TF_LITE_ENSURE(context, !data->requires_broadcast || input1->type == kTfLiteInt32 || input1->type == kTfLiteFloat32 ||
                              std::max(NumDimensions(input1), NumDimensions(input2)) <= 5);\\0"
  "(#include \"tensorflow/lite/core/c/common.h\")" "\\1\n#include \"wide_kernels.h\""
  "EvalDiv(<kernel_type>[^;]*;\n  } else if \\(output->type == kTfLiteInt32)"
  "if (data->requires_broadcast && NumDimensions(output) > 6) {
      webnn::Divide<float, float>(params->activation, input1, input2, output);
    } else EvalDiv\\1"
  "if \\(output->type == kTfLiteInt32\\) {\n    if" "if (false) {  // below\n    if"
  "(CheckNonZero<int32_t>\\(context, input2\\)\\);)\n    EvalDiv<kernel_type>[^;]*;"
  "\\1
    webnn::Divide<int32_t, int64_t>(params->activation, input1, input2, output);")
# One value serves any number of indices; other counts must agree. The kernel writes to all indices.
mend("${TENSORFLOW_DIR}" tensorflow/lite/kernels/sparse_to_dense.cc
  "if \\(NumDimensions\\(values\\) == 0\\)" "if (NumDimensions(values) != 0)"
  "= SizeOfDimension\\(indices, 0\\);" "= NumDimensions(indices) == 0 ? 1 : SizeOfDimension(indices, 0);"
  "  reference_ops::SparseToDense\\(" "  const RuntimeShape dense = RuntimeShape::ExtendedShape(kMaxDimensions, GetTensorShape(output));
  for (const std::vector<TI>& index : indices_vector) {
    for (int i = 0; i < kMaxDimensions; ++i) TF_LITE_ENSURE(context, index[i] >= 0 && index[i] < dense.Dims(i));
  }\n\\0")
# The loop computes an element before it looks whether there is one.
mend("${TENSORFLOW_DIR}" tensorflow/lite/kernels/stablehlo_elementwise.h
  "(std::vector<int64_t> index\\(input_rank, 0\\);)" "if (input_shape.FlatSize() == 0) return kTfLiteOk;\n  \\1")
# Hybrid: sums of the weights' rows for all batches, and each batch finds its own sums, scales and offsets.
mend("${TENSORFLOW_DIR}" tensorflow/lite/kernels/internal/reference/batch_matmul.h
  "int i = 1; i < extended_lhs_shape" "int i = 0; i < extended_lhs_shape"
  "([iw]off_ext[012]) = ([a-z]+_ext[012]) == 0 . 0 : [a-z_]+;" "\\1 = \\2 == 0 ? 0 : \\2 / accum_depth;")
# Hybrid: sums of rows are kept from run to run only for weights that stay the same.
mend("${TENSORFLOW_DIR}" tensorflow/lite/kernels/batch_matmul.cc
  "&\\(data->compute_row_sums\\)"
  "IsConstantTensor(GetInput(context, node, kInputRHSTensor)) ? \\0 : nullptr"
  # A rank that the file does not say may be too low; only later lines check it.
  "const int rhs_rank = NumDimensions\\(rhs\\);" "\\0\n  TF_LITE_ENSURE(context, lhs_rank >= 2 && rhs_rank >= 2);"
  # The kernels write the type that the operands say.
  "TF_LITE_ENSURE\\(context, NumDimensions\\(rhs_data\\) <= 5\\);"
  "\\0\n  TF_LITE_ENSURE(context, output->type == lhs_data->type ||
                              (lhs_data->type == kTfLiteInt8 && output->type == kTfLiteInt32));")
# Scales of masks that reach the lowest float overflow here, and the kernels abort.
foreach(sum add sub)
  mend("${TENSORFLOW_DIR}" tensorflow/lite/kernels/${sum}.cc
    "\\(1 << ([a-z_]+)->left_shift\\) \\*" "(1.0 * (1 << \\1->left_shift)) *")
endforeach()
# A constant state of onnx2tf's RNNs was written once, when tensors were allocated, and read before the RNN changed it.
mend("${TENSORFLOW_DIR}" tensorflow/lite/kernels/reshape.cc
  "if \\(IsConstantOrPersistentTensor\\(input\\)\\)" "if (IsConstantOrPersistentTensor(input) && !output->is_variable)")
# NaN has no sign: newer native LiteRT keeps it.
mend("${TENSORFLOW_DIR}" tensorflow/lite/kernels/sign.cc "return 0;" "return x == x ? 0 : x;")
# The kernel reads as many elements of the second operand as the first one has.
mend("${TENSORFLOW_DIR}" tensorflow/lite/kernels/stablehlo_shift_left.cc
  "output->type = input1->type;" "TF_LITE_ENSURE(context, HaveSameShapes(input1, input2));\n  \\0")
# Integers without scales.
mend("${TENSORFLOW_DIR}" tensorflow/lite/kernels/elementwise.cc
  "const float input_scale = input_params->scale->data\\[0\\];
  const int input_zp" "TF_LITE_ENSURE(context, input_params != nullptr && output_params != nullptr);\n  \\0")
# A quantized product over no axes is each element; the general loop reads the first of the axes.
mend("${TENSORFLOW_DIR}" tensorflow/lite/kernels/internal/optimized/reduce.h
  "if \\((!Reduce<T, int32_t, ReducerFirst<T>, ReducerNext<T>>)"
  "if (num_resolved_axis == 0) {
    for (int i = 0; i < input_shape.FlatSize(); ++i) temp_prod[i] = input_data[i] - input_zero_point;
  } else if (\\1"
  "if \\((num_outputs > std)" "if (current > 0 && \\1")
# The same: a dimension without elements divides.
mend("${TENSORFLOW_DIR}" tensorflow/lite/kernels/internal/reference/reduce.h
  "if \\((num_outputs > std)" "if (current > 0 && \\1")
# Sums of a projection to more outputs than there are cells need more room than the cells' sums.
foreach(lstm lstm unidirectional_sequence_lstm)
  mend("${TENSORFLOW_DIR}" tensorflow/lite/kernels/${lstm}.cc
    "(scratch_buffer_size->data\\[1\\] = n_cell[^;]*);" "\\1 + std::max(n_output - n_cell, 0);"
    "(accum_scratch_dims\\[2\\] = {|accum_size->data\\[0\\] = )n_cell" "\\1std::max(n_cell, n_output)")
endforeach()
mend("${TENSORFLOW_DIR}" tensorflow/lite/kernels/bidirectional_sequence_lstm.cc
  "([fb]w)(_scratch_buffer_size->data\\[1\\] = [^;]*);" "\\1\\2 + std::max(n_\\1_output - n_\\1_cell, 0);"
  "(accum_scratch_dims\\[2\\] = {|accum_size->data\\[0\\] = )n_cell" "\\1std::max({n_cell, n_fw_output, n_bw_output})")
# These kernels broadcast four dimensions, and abort on more; native LiteRT's take six. Ours take any number.
mend("${TENSORFLOW_DIR}" tensorflow/lite/kernels/internal/reference/binary_function.h
  "(#include \"tensorflow/lite/kernels/internal/common.h\")" "\\1\n#include \"broadcast_elements.h\""
  "TFLITE_DCHECK_LE\\(unextended_input1_shape.*in2_idx \\+= desc2.strides\\[3\\];[ }\n]*}"
  "webnn::ForEachBroadcastElement(
      unextended_input1_shape, unextended_input2_shape, unextended_output_shape,
      [&](int out, int in1, int in2) { output_data[out] = func(input1_data[in1], input2_data[in2]); });
}")
foreach(comparisons comparisons string_comparisons)
  mend("${TENSORFLOW_DIR}" tensorflow/lite/kernels/internal/reference/${comparisons}.h
    "(#include \"tensorflow/lite/kernels/internal/common.h\")" "\\1\n#include \"broadcast_elements.h\""
    "const BroadcastComparison4DSlowCommon dims =[^;]*;" ""
    "for \\(int b [^{]*{[ \n]*for \\(int y [^{]*{[ \n]*for \\(int x [^{]*{[ \n]*for \\(int c [^{]*{"
    "webnn::ForEachBroadcastElement(
      unextended_input1_shape, unextended_input2_shape, unextended_output_shape, [&](int out, int in1, int in2) {"
    "Offset\\(dims.output_shape, b, y, x, c\\)" "out"
    "SubscriptToIndex\\(dims.desc([12]), b, y, x, c\\)" "in\\1"
    "}\n      }\n    }\n  }" "});")
endforeach()
# Checks that kernels lack before they read and write. The first two look at the first of all elements only.
mend("${TENSORFLOW_DIR}" tensorflow/lite/kernels/dilate.cc
  "ctx.dilations_tensor->dims->size; \\+\\+i" "NumElements(ctx.dilations_tensor); ++i")
mend("${TENSORFLOW_DIR}" tensorflow/lite/kernels/reverse_sequence.cc
  "NumDimensions\\(seq_lengths_tensor\\); \\+\\+i\\) {" "NumElements(seq_lengths_tensor); ++i) {
    TF_LITE_ENSURE(context, seq_lengths[i] >= 0);")
mend("${TENSORFLOW_DIR}" tensorflow/lite/kernels/matrix_set_diag.cc
  "  output->type = input->type;" "  const TfLiteTensor* diagonal;
  TF_LITE_ENSURE_OK(context, GetInputSafe(context, node, kDiagonalTensor, &diagonal));
  const int longer_side = std::max(input_dims->data[input_dims_size - 2], input_dims->data[input_dims_size - 1]);
  TF_LITE_ENSURE(context, NumElements(diagonal) * longer_side >= NumElements(input));\n\\0")
mend("${TENSORFLOW_DIR}" tensorflow/lite/kernels/mirror_pad.cc
  "  TF_LITE_ENSURE_EQ\\(context, NumDimensions\\(padding_matrix\\), 2\\);"
  "  TF_LITE_ENSURE_TYPES_EQ(context, input_tensor->type, output_tensor->type);\n\\0"
  "  const int output_size = NumElements\\(output_tensor\\);"
  "\\0\n  TF_LITE_ENSURE(context, NumElements(input_tensor) > 0 || output_size == 0);
  for (int i = 0; i < input_dims; ++i) {
    int64_t left_pad = 0, right_pad = 0;
    GetPadding(padding_matrix, i, &left_pad, &right_pad);
    TF_LITE_ENSURE(context, output_size == 0 || static_cast<int>(left_pad) <= SizeOfDimension(input_tensor, i) - offset);
  }")
mend("${TENSORFLOW_DIR}" tensorflow/lite/kernels/slice.cc
  "#include \"tensorflow/lite/kernels/kernel_util.h\"" "\\0\n#include \"wide_kernels.h\""
  "NumDimensions\\(input\\) <= kMaxDim,[ \n]*\"Slice op only supports 1D-5D"
  "NumDimensions(input) <= webnn::kMostAxes, \"Slice op only supports 1D-16D"
  "#define TF_LITE_SLICE\\(data_type\\)" "\\0 \\\\
  if (NumDimensions(input) > kMaxDim) { \\\\
    webnn::Slice<data_type>(begins, sizes, input, output); \\\\
  } else "
  "TF_LITE_ENSURE_EQ\\(context, NumElements\\(begin\\), NumElements\\(size\\)\\);" "\\0
  TF_LITE_ENSURE(context, NumElements(begin) >= NumDimensions(input));"
  "  // The Slice op implementation only" "  int64_t count = 1;
  for (int i = 0; i < NumDimensions(input); ++i) {
    const int place = static_cast<int>(begins.size()) - NumDimensions(input) + i;
    const int64_t rest = int64_t{SizeOfDimension(input, i)} - begins[place];
    TF_LITE_ENSURE(context, begins[place] >= 0 && rest >= 0 && sizes[place] >= -1 && sizes[place] <= rest);
    count *= sizes[place] < 0 ? rest : sizes[place];
  }
  TF_LITE_ENSURE(context, count <= NumElements(output));\n\\0")
# An input that another caller had removed has no tensor.
mend("${TENSORFLOW_DIR}" tensorflow/lite/kernels/while.cc
  "TF_LITE_ENSURE_EQ\\(context, body_subgraph->outputs\\(\\).size\\(\\), num_inputs\\);" "\\0
  for (int input : body_subgraph->inputs()) TF_LITE_ENSURE(context, input != kTfLiteOptionalTensor);")
# Variables and tables are in one map, by ids that a file may choose: tables now have the negative ones.
mend("${TENSORFLOW_DIR}" tensorflow/lite/experimental/resource/static_hashtable.cc
  "resources->(count|emplace|find)\\(resource_id" "resources->\\1(resource_id | INT32_MIN")
set(checked_id "  TF_LITE_ENSURE(context, input_resource_id_tensor->data.raw != nullptr);
\\0\n  TF_LITE_ENSURE(context, resource_id >= 0);")
mend("${TENSORFLOW_DIR}" tensorflow/lite/kernels/assign_variable.cc "  int resource_id = [^;]*;" "${checked_id}")
mend("${TENSORFLOW_DIR}" tensorflow/lite/kernels/read_variable.cc "  int resource_id = [^;]*;" "${checked_id}"
  "  memcpy" "  TF_LITE_ENSURE(context, output->bytes <= variable_tensor->bytes);\n\\0")
# The delegate's copies take a variable for as large as the tensors that it reads and assigns. Float weights may be
# computed if the input's rows are as long as theirs, which xnnpack.cmake has checked again for other shapes.
mend("${TENSORFLOW_DIR}" tensorflow/lite/delegates/xnnpack/xnnpack_delegate.cc
  # An axis that the tensor does not have.
  "SizeOfDimension\\([ \n]*(&tensor, (quantization_params->quantized_dimension))\\);"
  "\\2 >= 0 && \\2 < NumDimensions(&tensor) ? SizeOfDimension(\\1) : 0;"
  "#include \"tensorflow/lite/kernels/internal/utils/sparsity_format_converter.h\"" "#include \"sparse_elements.h\""
  # VALID with an output of another size than the full result's, which jax2tf writes: its end is cut off.
  "\\*adjustment_height = \\(output_height - kernel_height\\) % stride_height;"
  "const int more_rows = output_height - (input_height - 1) * stride_height - kernel_height;
        const int more_columns = output_width - (input_width - 1) * stride_width - kernel_width;
        if (more_rows >= stride_height || more_columns >= stride_width) return kTfLiteError;
        *padding_bottom = std::max(-more_rows, 0);
        *padding_right = std::max(-more_columns, 0);
        *adjustment_height = std::max(more_rows, 0);"
  "\\*adjustment_width = \\(output_width - kernel_width\\) % stride_width;"
  "*adjustment_width = std::max(more_columns, 0);"
  # Engines compile a function whole at its first call: that of one op needs not those of all.
  "static (TfLiteStatus Visit[A-Z])" "static __attribute__((noinline)) \\1"
  # Several times as fast.
  "tflite::internal::sparsity::FormatConverter<([a-z0-9_A-Z:]+)> converter\\([^;]*;[^;]*converter.SparseToDense\\([^,]*,([^,]*),([^,]*), context\\);"
  "webnn::StoreDense(vector_shape.data(), dims_count, input_tensor, sizeof(\\1),\\3,\\2);"
  "    // Dynamic filter is supported, but only for FP32.\n" "
    const bool is_computed =
        filter_tensor.type == kTfLiteFloat32 && filter_tensor.allocation_type == kTfLiteArenaRw &&
        (NumDimensions(&input_tensor) == 2 || (fc_params->keep_num_dims && NumDimensions(&input_tensor) > 2)) &&
        SizeOfDimension(&input_tensor, NumDimensions(&input_tensor) - 1) == SizeOfDimension(&filter_tensor, 1);\n"
  "!\\(delegate.support_dynamic_fully_connected_operator\\(\\) &&[ \n]*filter_tensor.type == kTfLiteFloat32\\)"
  "!is_computed"
  "if \\(!fc_params->keep_num_dims\\) {" "if (!fc_params->keep_num_dims && !is_computed) {"
  "        if \\(io_info.second != variable->GetTensor\\(\\)->data.raw\\) {"
  "        if (resource_it->second.GetProxyValue() >= 0) {
          size_t rank, sizes[XNN_MAX_TENSOR_DIMS];
          TF_LITE_ENSURE_EQ(context,
                            xnn_get_external_value_shape(runtime_.get(), tflite_tensor_to_xnnpack_[io_info.first],
                                                         &rank, &sizes[0]),
                            xnn_status_success);
          size_t bytes = TfLiteTypeGetSize(context->tensors[resource_it->second.GetProxyValue()].type);
          for (size_t k = 0; k < rank; ++k) bytes *= sizes[k];
          TF_LITE_ENSURE(context, bytes <= variable->GetTensor()->bytes);
        }\n\\0")
mend("${TENSORFLOW_DIR}" tensorflow/lite/kernels/transpose_conv.cc
  "&unused_output_width\\);\n" "\\0
  for (int axis : {1, 2}) {
    const int rest = SizeOfDimension(input, axis) - (axis == 1 ? unused_output_height : unused_output_width);
    // Col2im() counts the input's columns by the output.
    TF_LITE_ENSURE(context, data->has_col2im ? rest == 0 : rest >= 0);
  }\n")
foreach(resize resize_bilinear resize_nearest_neighbor)
  mend("${TENSORFLOW_DIR}" tensorflow/lite/kernels/${resize}.cc
    "  TF_LITE_ENSURE_EQ\\(context, NumDimensions\\(input\\), 4\\);" "\\0
  TF_LITE_ENSURE(context, SizeOfDimension(input, 1) > 0 && SizeOfDimension(input, 2) > 0);")
endforeach()
mend("${TENSORFLOW_DIR}" tensorflow/lite/kernels/internal/reference/broadcast_args.h
  "void BroadcastArgs" "bool BroadcastArgs"
  "TFLITE_CHECK_EQ\\(shape1_i, shape2_i\\);" "if (shape1_i != shape2_i) return false;"
  "      output_data\\[backward_i\\] = shape1_i;\n    }\n  }\n" "\\0  return true;\n")
mend("${TENSORFLOW_DIR}" tensorflow/lite/kernels/broadcast_args.cc
  "  reference_ops::BroadcastArgs\\(" "  TF_LITE_ENSURE(context, reference_ops::BroadcastArgs("
  "GetTensorData<data_type>\\(op_context.output\\)\\)" "\\0)")
# A result without elements has no memory.
mend("${TENSORFLOW_DIR}" tensorflow/lite/kernels/internal/reference/broadcast_to.h
  "  NdArrayDesc<N> input_desc;" "  if (unextended_output_shape.FlatSize() == 0) return;\n\\0")
# Native LiteRT takes more axes here and in the next four.
# A larger stride than the dimension takes the same elements, but overflows. Lengths (`offset`) are for each dimension.
mend("${TENSORFLOW_DIR}" tensorflow/lite/kernels/strided_slice.cc
  "op_params.strides\\[i\\] = strides_data\\[orig_idx\\];"
  "const int32_t most = std::max(1, input_shape.Dims(i - added_axises));
      op_params.strides[i] = std::clamp(strides_data[orig_idx], -most, most);"
  "      dim_shape = end_data\\[idx\\];" "      const bool is_whole = op_params.end_mask & (1 << idx);
      TF_LITE_ENSURE_EQ(context, NumElements(op_context->end), effective_input_shape.DimensionsCount());
      TF_LITE_ENSURE(context, !is_whole || end_data[idx] >= effective_input_shape.Dims(idx));\n\\0"
  "  TF_LITE_ENSURE_EQ\\(context, op_context.input->type, op_context.output->type\\);" "\\0
  TF_LITE_ENSURE_EQ(context, NumElements(op_context.begin), NumElements(op_context.strides));"
  # Lengths may be known only at run time, as ends may.
  "offset \\|\\| \\((IsConstantOrPersistentTensor\\(op_context.begin\\)) &&[ \n]*(IsConstantOrPersistentTensor\\(op_context.end\\))\\)"
  "\\2 && (offset || \\1)"
  "  switch \\(TfLiteTypeGetSizeBits" "  if (NumElements(op_context.output) == 0) return kTfLiteOk;\n\\0"
  "#include \"Eigen/Core\"" "\\0\n#include \"wide_kernels.h\""
  "StridedSliceParams (BuildStridedSliceParams|op_params)" "webnn::WideStridedSliceParams \\1"
  "::tflite::strided_slice::StridedSlice(Start|End)ForAxis\\([ \n]*op_params, " "op_params.\\1("
  "input_dims <= 5" "input_dims + NumElements(op_context.begin) <= webnn::kMostAxes"
  "DimensionsCount\\(\\) <= 5" "DimensionsCount() <= webnn::kMostAxes"
  "reference_ops::StridedSlice<" "webnn::StridedSlice<")
mend("${TENSORFLOW_DIR}" tensorflow/lite/kernels/select.cc
  "#include \"tensorflow/lite/kernels/kernel_util.h\"" "\\0\n#include \"wide_kernels.h\""
  "BroadcastSelect5DSlow" "BroadcastSelect")
mend("${TENSORFLOW_DIR}" tensorflow/lite/kernels/maximum_minimum.cc
  "#include \"tensorflow/lite/kernels/kernel_util.h\"" "\\0\n#include \"wide_kernels.h\""
  "if \\(need_broadcast\\)" "if (need_broadcast && NumDimensions(op_context.output) <= webnn::kReferenceAxes)"
  "MaximumMinimumBroadcastSlow" "MaximumMinimumBroadcast")
mend("${TENSORFLOW_DIR}" tensorflow/lite/kernels/l2norm.cc "(NumDimensions\\(input\\)) <= 4" "\\1 <= 8")
mend("${TENSORFLOW_DIR}" tensorflow/lite/kernels/pow.cc
  "#include \"tensorflow/lite/kernels/kernel_util.h\"" "\\0\n#include \"broadcast_elements.h\""
  "  if \\(requires_broadcast\\) {\n    optimized_ops" "  if (requires_broadcast && NumDimensions(output) > 4) {
    webnn::ForEachBroadcastElement(
        GetTensorShape(input1), GetTensorShape(input2), GetTensorShape(output), [&](int out, int in1, int in2) {
          GetTensorData<T>(output)[out] = std::pow(GetTensorData<T>(input1)[in1], GetTensorData<T>(input2)[in2]);
        });
  } else if (requires_broadcast) {\n    optimized_ops")
# Sizes of 0 divide; sums of indices overflow.
mend("${TENSORFLOW_DIR}" tensorflow/lite/kernels/internal/reference/reference_ops.h
  "(int output_flat_size = output_shape.FlatSize\\(\\);)\n(  int remain_flat_size)"
  "\\1\n  if (output_flat_size == 0) return n_slices * slice_size == 0 ? kTfLiteOk : kTfLiteError;\n\\2"
  "int to_pos = 0;\n(    for \\(int j = 0; j < indices_nd)" "int64_t to_pos = 0;\n\\1"
  "to_pos \\+= idx \\* dims_to_count\\[j\\];" "to_pos += static_cast<int64_t>(idx) * dims_to_count[j];")
mend("${TENSORFLOW_DIR}" tensorflow/lite/kernels/stablehlo_gather.cc
  "    starting_index\\[dim\\] = std::min[^;]*;"
  "    const int64_t last = operand_shape.Dims(dim) - slice_sizes[dim];
    if (slice_sizes[dim] < 1 || last < 0) return kTfLiteError;
    starting_index[dim] = std::clamp<int64_t>(starting_index[dim], 0, last);"
  "  int64_t num_batch_dims = [^;]*;" "\\0
  const int indices_rank = start_indices_shape.DimensionsCount();
  TF_LITE_ENSURE_TYPES_EQ(context, operand->type, output->type);
  TF_LITE_ENSURE(context, data->index_vector_dim >= 0 && data->index_vector_dim < indices_rank);
  TF_LITE_ENSURE_EQ(context, num_batch_dims, indices_rank - 1);
  TF_LITE_ENSURE_EQ(context, data->num_start_index_map, start_indices_shape.Dims(data->index_vector_dim));
  for (int i = 0; i < data->num_start_index_map; ++i) TF_LITE_ENSURE(context, data->start_index_map[i] >= 0);
  TF_LITE_ENSURE_EQ(context, data->num_offset_dims + data->num_collapsed_slice_dims, operand_rank);
  if (NumElements(output) == 0) return kTfLiteOk;"
  "    (ScatterIndex|ExpandDims)\\(([^;]*)\\);" "    TF_LITE_ENSURE_OK(context, \\1(\\2));")
mend("${TENSORFLOW_DIR}" tensorflow/lite/kernels/stablehlo_scatter.cc
  "if \\(index\\[dim\\] >=" "if (index[dim] < 0 || index[dim] >="
  "  // First copy all" "  TF_LITE_ENSURE_TYPES_EQ(context, input->type, updates->type);
  TF_LITE_ENSURE_TYPES_EQ(context, input->type, output->type);\n\\0"
  "  std::vector<int64_t> update_window_dims_vec\\(" "  const int64_t vector_dim = data->index_vector_dim;
  const int scatter_rank = update_scatter_dims.size();
  TF_LITE_ENSURE_EQ(context, scatter_indices_shape.DimensionsCount(), scatter_rank + 1);
  TF_LITE_ENSURE(context, vector_dim >= 0 && vector_dim <= scatter_rank);
  for (int i = 0; i < scatter_rank; ++i) {
    const int64_t count = updates_shape.Dims(update_scatter_dims[i]);
    TF_LITE_ENSURE(context, count <= scatter_indices_shape.Dims(i < vector_dim ? i : i + 1));
  }
  for (int i = 0; i < data->num_update_window_dims; ++i) {
    TF_LITE_ENSURE(context, data->update_window_dims[i] >= 0 && data->update_window_dims[i] < updates_rank);
  }
  for (int i = 0; i < data->num_scatter_dims_to_operand_dims; ++i) {
    TF_LITE_ENSURE(context, data->scatter_dims_to_operand_dims[i] >= 0);
  }
  TF_LITE_ENSURE_EQ(context, data->num_scatter_dims_to_operand_dims, scatter_indices_shape.Dims(vector_dim));
  TF_LITE_ENSURE_EQ(context, data->num_update_window_dims + data->num_inserted_window_dims, input_rank);
  if (updates_shape.FlatSize() == 0) return kTfLiteOk;\n\\0")
mend("${TENSORFLOW_DIR}" tensorflow/lite/kernels/embedding_lookup_sparse.cc
  "  TF_LITE_ENSURE\\(context, NumDimensions\\(value\\) >= 2\\);" "\\0
  TF_LITE_ENSURE_TYPES_EQ(context, value->type, kTfLiteFloat32);
  TF_LITE_ENSURE(context, SizeOfDimension(indices, 1) >= 1);"
  "    const int output_offset =" "    TF_LITE_ENSURE(context, output_bucket >= 0 && static_cast<size_t>(output_bucket) < lookup_size.Value());\n\\0")
mend("${TENSORFLOW_DIR}" tensorflow/lite/kernels/embedding_lookup.cc
  "    return EvalBlockwise" "    TF_LITE_ENSURE(context, output->type == kTfLiteFloat32 || output->type == kTfLiteFloat16);\n\\0"
  "    return EvalSimple"
  "    TF_LITE_ENSURE_EQ(context, TfLiteTypeGetSizeBits(value->type), TfLiteTypeGetSizeBits(output->type));\n\\0")
# Sizes that overflow to smaller ones.
mend("${TENSORFLOW_DIR}" tensorflow/lite/kernels/tile.cc
  "  TF_LITE_ENSURE_EQ\\(context, num_dimensions, num_multipliers\\);" "\\0
  for (int i = 0; i < num_dimensions; ++i) {
    const int64_t multiplier = multipliers->type == kTfLiteInt64 ? GetTensorData<int64_t>(multipliers)[i]
                                                                 : GetTensorData<int32_t>(multipliers)[i];
    TF_LITE_ENSURE(context, multiplier >= 0 && multiplier <= INT32_MAX);
    TF_LITE_ENSURE(context, multiplier * SizeOfDimension(input, i) <= INT32_MAX);
  }")
mend("${TENSORFLOW_DIR}" tensorflow/lite/kernels/pad.cc
  "    output_size->data\\[idx\\] =[ \n]*\\(input_size->data\\[idx\\] . before_padding"
  "    TF_LITE_ENSURE(context, int64_t{before_padding} + after_padding <= INT32_MAX - input_size->data[idx]);\n\\0")
set(blocks_types "  TF_LITE_ENSURE_TYPES_EQ(context, op_context.block_shape->type, kTfLiteInt32);
  TF_LITE_ENSURE_TYPES_EQ(context, op_context.")
mend("${TENSORFLOW_DIR}" tensorflow/lite/kernels/space_to_batch_nd.cc "block_shape\\[dim\\] != 0"
  "block_shape[dim] > 0);
    TF_LITE_ENSURE(context, int64_t{output_batch_size} * block_shape[dim] <= INT32_MAX);
    const int64_t padding = int64_t{paddings_data[dim * 2]} + paddings_data[dim * 2 + 1];
    TF_LITE_ENSURE(context, input_size->data[dim + 1] + padding == final_dim_size"
  "  if \\(op_context.input->type == kTfLiteUInt8" "${blocks_types}paddings->type, kTfLiteInt32);\n\\0")
mend("${TENSORFLOW_DIR}" tensorflow/lite/kernels/batch_to_space_nd.cc "block_shape\\[dim\\] != 0" "block_shape[dim] > 0"
  "  if \\(op_context.input->type == kTfLiteUInt8" "${blocks_types}crops->type, kTfLiteInt32);\n\\0"
  "    output_size->data\\[dim . 1\\] =" "    TF_LITE_ENSURE(context, int64_t{crops[dim * 2]} + crops[dim * 2 + 1] <=
                                int64_t{input_size->data[dim + 1]} * block_shape[dim]);\n\\0")
mend("${TENSORFLOW_DIR}" tensorflow/lite/kernels/rfft2d.cc
  "IsPowerOfTwo\\(uint32_t v\\) { return v &&" "IsPowerOfTwo(int32_t v) { return v > 0 &&")
set(sizes "  SetTensorSizes\\(([^;]*)\\);")
set(checked_sizes "  TF_LITE_ENSURE_OK(context, SetTensorSizes(\\1));")
mend("${TENSORFLOW_DIR}" tensorflow/lite/kernels/non_max_suppression.cc "${sizes}" "${checked_sizes}")
# Equal scores come in the order of native LiteRT's heap.
mend("${TENSORFLOW_DIR}" tensorflow/lite/kernels/internal/reference/non_max_suppression.h
  "#include <queue>" "\\0\n#include \"native_heap.h\""
  "std::priority_queue<Candidate, std::deque<Candidate>, decltype\\(cmp\\)>" "webnn::PriorityQueue<Candidate, decltype(cmp)>")
mend("${TENSORFLOW_DIR}" tensorflow/lite/kernels/detection_postprocess.cc "${sizes}" "${checked_sizes}"
  "#include <vector>" "\\0\n#include \"native_heap.h\""
  "std::partial_sort" "webnn::PartialSort"
  "  // number of detected boxes\n" "  TF_LITE_ENSURE_TYPES_EQ(context, input_anchors->type, input_box_encodings->type);
  TF_LITE_ENSURE(context, SizeOfDimension(input_anchors, 0) >= SizeOfDimension(input_box_encodings, 1));
  TF_LITE_ENSURE_EQ(context, SizeOfDimension(input_anchors, 1), kNumCoordBox);
  TF_LITE_ENSURE(context, op_data->num_classes > 0 && op_data->max_classes_per_detection > 0);
  TF_LITE_ENSURE(context, op_data->max_detections <= INT32_MAX / op_data->max_classes_per_detection);\n\\0")
# These take the types of some operands for granted. A depth of int64 is read, too.
mend("${TENSORFLOW_DIR}" tensorflow/lite/kernels/lsh_projection.cc
  "  // Support up to 32 bits.\n" "  TF_LITE_ENSURE_TYPES_EQ(context, hash->type, kTfLiteFloat32);\n\\0"
  "    TF_LITE_ENSURE_EQ\\(context, NumDimensions\\(weight\\), 1\\);"
  "    TF_LITE_ENSURE_TYPES_EQ(context, weight->type, kTfLiteFloat32);\n\\0"
  "  TfLiteIntArray. outputSize" "  TF_LITE_ENSURE_TYPES_EQ(context, output->type, kTfLiteInt32);\n\\0")
mend("${TENSORFLOW_DIR}" tensorflow/lite/kernels/one_hot.cc
  "  TF_LITE_ENSURE_EQ\\(context, NumElements\\(op_context.depth\\), 1\\);" "\\0
  TF_LITE_ENSURE(context, op_context.depth->type == kTfLiteInt32 || op_context.depth->type == kTfLiteInt64);"
  "TF_LITE_ENSURE\\(context, .op_context.depth->data.i32 >= 0\\);" "const TfLiteTensor& depth = *op_context.depth;
  const int64_t checked = depth.type == kTfLiteInt64 ? *depth.data.i64 : *depth.data.i32;
  TF_LITE_ENSURE(context, checked >= 0 && checked <= INT32_MAX);")
mend("${TENSORFLOW_DIR}" tensorflow/lite/kernels/unsorted_segment.cc
  "  TF_LITE_ENSURE_EQ\\(context, segment_ids->type, kTfLiteInt32\\);"
  "  TF_LITE_ENSURE_TYPES_EQ(context, output->type, data->type);
  TF_LITE_ENSURE(context, NumDimensions(segment_ids) > 0);\n\\0")
# Dimensions that are named twice take steps beyond the end.
mend("${TENSORFLOW_DIR}" tensorflow/lite/kernels/transpose.cc
  "new_perm_data\\[idx\\] \\+= dims;" "\\0
    for (int i = 0; i < idx; ++i) TF_LITE_ENSURE(context, new_perm_data[i] != new_perm_data[idx]);"
  "#include \"tensorflow/lite/kernels/kernel_util.h\"" "\\0\n#include \"wide_kernels.h\""
  "<= kTransposeMaxDimensions" "<= webnn::kMostAxes"
  "1D-6D" "1D-16D"
  " TransposeParams params" " webnn::WideTransposeParams params"
  "reference_ops([,:])" "webnn\\1")
# NaN is less than any number: sorting needs an order.
mend("${TENSORFLOW_DIR}" tensorflow/lite/kernels/topk_v2.cc
  "    if \\(values_\\[b\\] < values_\\[a\\]\\) {"
  "    const bool is_a = values_[a] == values_[a], is_b = values_[b] == values_[b];
    if (is_a != is_b) return is_a;\n\\0"
  "  int32 num_rows = 1;" "  TF_LITE_ENSURE_EQ(context, static_cast<idx_type>(row_size), row_size);\n\\0")
mend("${TENSORFLOW_DIR}" tensorflow/lite/kernels/conv.cc
  "(TF_LITE_ENSURE\\(context, filter_input_channel > 0)\\);" "\\1 && input_channel > 0);")
# These read both operands as the result's type, and others than the first product broadcast at most six dimensions.
mend("${TENSORFLOW_DIR}" tensorflow/lite/kernels/mul.cc
  "    EvalMul<kernel_type>" "    TF_LITE_ENSURE_TYPES_EQ(context, input1->type, output->type);\n\\0"
  "  bool output_quantized =" "  TF_LITE_ENSURE(context, HaveSameShapes(input1, input2) || NumDimensions(output) <= 6);\n\\0"
  "#define TF_LITE_MUL\\(type, opname, output_dtype\\)" "    TF_LITE_ENSURE(context, HaveSameShapes(input1, input2));\n\\0")
# A tensor without memory is an error; its kernel would take a null pointer. 16 bytes more are allocated.
mend("${TENSORFLOW_DIR}" tensorflow/lite/core/subgraph.cc
  "TfLiteTensorResizeMaybeCopy\\(bytes_required, tensor, false\\);"
  "if (bytes_required > SIZE_MAX - 16 ||
          TfLiteTensorResizeMaybeCopy(bytes_required, tensor, false) != kTfLiteOk) {
        TfLiteIntArrayFree(new_size);
        ReportError(\"There is no memory for a tensor of %zu bytes.\", bytes_required);
        return kTfLiteError;
      }"
  # Strings that nobody wrote have none, and a variable whose size a run decides.
  "tensor->bytes > 0 &&
          tensor->allocation_type" "(tensor->type == kTfLiteString || tensor->bytes > 0) &&\n          tensor->allocation_type"
  "MayAllocateOpOutput\\(&node\\);"
  "\\0
    for (int tensor_index : TfLiteIntArrayView(node.outputs)) {
      const TfLiteTensor* tensor = this->tensor(tensor_index);
      if (tensor != nullptr && tensor->allocation_type == kTfLiteArenaRwPersistent && tensor->data.raw == nullptr &&
          tensor->bytes > 0 && node.delegate == nullptr) {
        ReportError(\"Output tensor %d lacks data\", tensor_index);
        return kTfLiteError;
      }
    }")
use_mended(TFLITE_FILES "${TENSORFLOW_DIR}")
use_mended(TFLITE_KERNEL_FILES "${TENSORFLOW_DIR}")
foreach(list TFLITE_FAST_SOURCES TFLITE_SMALL_SOURCES)
  list(TRANSFORM ${list} PREPEND "${TFLITE_DIR}/")
  use_mended(${list} "${TENSORFLOW_DIR}")
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

# TFLite's kernels run what XNNPACK does not take: optimized for size, except where models spend their time.
add_batches(tflite_fast 5 OPTIONS -O3 FILES ${TFLITE_FAST_SOURCES} compat/quantize_floats.cc)
add_batches(tflite_kernels 15 OPTIONS -Os FILES ${TFLITE_KERNEL_FILES})
add_batches(tflite_small 20 OPTIONS -Oz FILES
  ${TFLITE_SMALL_SOURCES} ${TFLITE_FILES} ${TFLITE_MODEL_SOURCES}
  "${SOURCES_DIR}/fft2d/src/fftsg.c" "${SOURCES_DIR}/fft2d/src/fftsg2d.c"
  "${SOURCES_DIR}/farmhash/src/farmhash.cc" "${SOURCES_DIR}/flatbuffers/src/util.cpp")
add_batches(ruy 20 OPTIONS -O3 FILES ${RUY_SOURCES})
foreach(batches tflite_fast tflite_kernels tflite_small ruy)
  target_link_libraries(${batches} PRIVATE tflite_headers)
  target_include_directories(${batches} SYSTEM BEFORE PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/compat/include")
  use_mended_headers(${batches})
endforeach()
# Their names collide in a batch, or they are this project's.
set_source_files_properties("${MENDED_DIR}/tensorflow/lite/kernels/stablehlo_gather.cc"
  "${MENDED_DIR}/tensorflow/lite/kernels/stablehlo_scatter.cc" "${TFLITE_DIR}/kernels/tensor_slice_util.cc"
  "${TFLITE_DIR}/kernels/internal/portable_tensor_utils.cc"
  "${TFLITE_DIR}/kernels/hashtable_import.cc" "${TFLITE_DIR}/kernels/hashtable_lookup.cc"
  "${TFLITE_DIR}/kernels/hashtable_size.cc" compat/quantize_floats.cc PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
# As in native LiteRT, XNNPACK takes quantized models by default, in the module and in TFLite's own tools.
set_source_files_properties("${MENDED_DIR}/tensorflow/lite/delegates/xnnpack/xnnpack_delegate.cc" PROPERTIES
  COMPILE_DEFINITIONS "XNNPACK_DELEGATE_ENABLE_QS8;XNNPACK_DELEGATE_ENABLE_QU8")
# compat/quantize_floats.cc defines these functions.
set_source_files_properties("${TFLITE_DIR}/kernels/internal/reference/portable_tensor_utils.cc" PROPERTIES
  COMPILE_DEFINITIONS "PortableSymmetricQuantizeFloats=ReplacedSymmetric;PortableAsymmetricQuantizeFloats=ReplacedAsymmetric")

add_library(tensorflowlite STATIC
  $<TARGET_OBJECTS:tflite_fast> $<TARGET_OBJECTS:tflite_kernels> $<TARGET_OBJECTS:tflite_small> $<TARGET_OBJECTS:ruy>)
target_link_libraries(tensorflowlite PUBLIC tflite_headers XNNPACK)
