#include <cstdint>
#include <vector>

#include "flatbuffers/flexbuffers.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"
#include "tensorflow/lite/kernels/kernel_util.h"
#include "tflite_kernels/guards.h"

namespace tflite::webnn {

// STABLEHLO_GATHER: what its attributes say about the ranks of operands.
TfLiteStatus CheckGatherShapes(TfLiteContext* context, TfLiteNode* node) {
  const auto& options = *static_cast<const TfLiteStablehloGatherParams*>(node->builtin_data);
  const TfLiteTensor *operand = GetInput(context, node, 0), *indices = GetInput(context, node, 1);
  const TfLiteTensor* output = GetOutput(context, node, 0);
  TF_LITE_ENSURE_TYPES_EQ(context, GetInput(context, node, 0)->type, GetOutput(context, node, 0)->type);
  const int index_rank = NumDimensions(indices);
  TF_LITE_ENSURE(context, options.index_vector_dim >= 0 && options.index_vector_dim < index_rank);
  TF_LITE_ENSURE_EQ(context, NumDimensions(output) - options.num_offset_dims, index_rank - 1);
  TF_LITE_ENSURE_EQ(context, options.num_start_index_map,
                    SizeOfDimension(indices, static_cast<int>(options.index_vector_dim)));
  for (int i = 0; i < options.num_start_index_map; ++i) {
    TF_LITE_ENSURE(context, options.start_index_map[i] >= 0 && options.start_index_map[i] < NumDimensions(operand));
  }
  for (int i = 0; i < options.num_collapsed_slice_dims; ++i) {
    const int64_t axis = options.collapsed_slice_dims[i];
    TF_LITE_ENSURE(context, axis >= 0 && axis < NumDimensions(operand));
  }
  TF_LITE_ENSURE_EQ(context, options.num_offset_dims + options.num_collapsed_slice_dims, NumDimensions(operand));
  return kTfLiteOk;
}

// STABLEHLO_SCATTER: likewise.
TfLiteStatus CheckScatterShapes(TfLiteContext* context, TfLiteNode* node) {
  const auto& options = *static_cast<const TfLiteStablehloScatterParams*>(node->builtin_data);
  const TfLiteTensor *input = GetInput(context, node, 0), *indices = GetInput(context, node, 1);
  const TfLiteTensor* updates = GetInput(context, node, 2);
  TF_LITE_ENSURE_TYPES_EQ(context, GetInput(context, node, 0)->type, GetOutput(context, node, 0)->type);
  TF_LITE_ENSURE_TYPES_EQ(context, input->type, updates->type);
  const int update_rank = NumDimensions(updates);
  std::vector<bool> is_window(update_rank);
  for (int i = 0; i < options.num_update_window_dims; ++i) {
    TF_LITE_ENSURE(context, options.update_window_dims[i] >= 0 && options.update_window_dims[i] < update_rank);
    is_window[options.update_window_dims[i]] = true;
  }
  const int64_t vector_axis = options.index_vector_dim;
  int position = 0;
  for (int axis = 0; axis < update_rank; ++axis) {
    if (is_window[axis]) continue;
    const int index_axis = position < vector_axis ? position : position + 1;
    TF_LITE_ENSURE(context, index_axis < NumDimensions(indices));
    TF_LITE_ENSURE(context, SizeOfDimension(updates, axis) <= SizeOfDimension(indices, index_axis));
    ++position;
  }
  TF_LITE_ENSURE(context, vector_axis >= 0 && vector_axis <= position);
  TF_LITE_ENSURE_EQ(context, NumDimensions(indices), position + 1);
  for (int i = 0; i < options.num_scatter_dims_to_operand_dims; ++i) {
    TF_LITE_ENSURE(context, options.scatter_dims_to_operand_dims[i] >= 0);
  }
  TF_LITE_ENSURE_EQ(context, options.num_scatter_dims_to_operand_dims,
                    SizeOfDimension(indices, static_cast<int>(vector_axis)));
  TF_LITE_ENSURE_EQ(context, options.num_update_window_dims + options.num_inserted_window_dims, NumDimensions(input));
  return kTfLiteOk;
}

TfLiteStatus CheckDetections(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor *boxes = GetInput(context, node, 0), *anchors = GetInput(context, node, 2);
  TF_LITE_ENSURE_TYPES_EQ(context, anchors->type, boxes->type);
  TF_LITE_ENSURE(context, SizeOfDimension(anchors, 0) >= SizeOfDimension(boxes, 1));
  TF_LITE_ENSURE_EQ(context, SizeOfDimension(anchors, 1), 4);
  const auto options =
      flexbuffers::GetRoot(static_cast<const uint8_t*>(node->custom_initial_data), node->custom_initial_data_size)
          .AsMap();
  const int64_t classes = options["num_classes"].AsInt32(), each = options["max_classes_per_detection"].AsInt32();
  TF_LITE_ENSURE(context, classes > 0 && each > 0);
  TF_LITE_ENSURE(context, options["max_detections"].AsInt32() <= INT32_MAX / each);
  return kTfLiteOk;
}

// The kernel reads rank 2 or 3, copies the input, and rotates parts of a power of two.
TfLiteStatus CheckRotation(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor *input = GetInput(context, node, 0), *output = GetOutput(context, node, 0);
  TF_LITE_ENSURE(context, NumDimensions(input) == 2 || NumDimensions(input) == 3);
  TF_LITE_ENSURE(context, HaveSameShapes(input, output));
  TF_LITE_ENSURE_TYPES_EQ(context, GetInput(context, node, 0)->type, GetOutput(context, node, 0)->type);
  const int size =
      flexbuffers::GetRoot(static_cast<const uint8_t*>(node->custom_initial_data), node->custom_initial_data_size)
          .AsMap()["hadamard_size"]
          .AsInt32();
  TF_LITE_ENSURE_MSG(context, size > 0 && (size & (size - 1)) == 0, "hadamard_size is not a power of two.");
  return kTfLiteOk;
}

}  // namespace tflite::webnn
