#include "runner/op_signature.h"

#include <cstring>
#include <initializer_list>
#include <limits>

#include "runner/kernels/own_kernels.h"

namespace tflite::webnn {
namespace {

constexpr int kAny = std::numeric_limits<int>::max();
constexpr uint64_t kAllButFirst = ~uint64_t{1};

constexpr uint64_t Bits(std::initializer_list<int> inputs) {
  uint64_t bits = 0;
  for (const int input : inputs) bits |= uint64_t{1} << input;
  return bits;
}

struct Row {
  OpSignature signature;
  std::initializer_list<BuiltinOperator> ops;
};

// The numbers of tensors that TensorFlow's converter writes and the kernels read:
// {min_inputs, max_inputs, min_outputs, max_outputs, optional_inputs}.
const Row kRows[] = {
    {{1, 1, 1, 1, 0},
     {BuiltinOperator_ABS,
      BuiltinOperator_AVERAGE_POOL_2D,
      BuiltinOperator_BITCAST,
      BuiltinOperator_BUCKETIZE,
      BuiltinOperator_CAST,
      BuiltinOperator_CEIL,
      BuiltinOperator_COMPLEX_ABS,
      BuiltinOperator_COS,
      BuiltinOperator_DENSIFY,
      BuiltinOperator_DEPTH_TO_SPACE,
      BuiltinOperator_DEQUANTIZE,
      BuiltinOperator_ELU,
      BuiltinOperator_EXP,
      BuiltinOperator_FAKE_QUANT,
      BuiltinOperator_FLOOR,
      BuiltinOperator_GELU,
      BuiltinOperator_HARD_SWISH,
      BuiltinOperator_HASHTABLE_SIZE,
      BuiltinOperator_IMAG,
      BuiltinOperator_L2_NORMALIZATION,
      BuiltinOperator_L2_POOL_2D,
      BuiltinOperator_LEAKY_RELU,
      BuiltinOperator_LOCAL_RESPONSE_NORMALIZATION,
      BuiltinOperator_LOG,
      BuiltinOperator_LOGICAL_NOT,
      BuiltinOperator_LOGISTIC,
      BuiltinOperator_LOG_SOFTMAX,
      BuiltinOperator_MATRIX_DIAG,
      BuiltinOperator_MAX_POOL_2D,
      BuiltinOperator_NEG,
      BuiltinOperator_QUANTIZE,
      BuiltinOperator_RANDOM_STANDARD_NORMAL,
      BuiltinOperator_RANDOM_UNIFORM,
      BuiltinOperator_RANK,
      BuiltinOperator_READ_VARIABLE,
      BuiltinOperator_REAL,
      BuiltinOperator_RELU,
      BuiltinOperator_RELU6,
      BuiltinOperator_RELU_0_TO_1,
      BuiltinOperator_RELU_N1_TO_1,
      BuiltinOperator_ROUND,
      BuiltinOperator_RSQRT,
      BuiltinOperator_SHAPE,
      BuiltinOperator_SIGN,
      BuiltinOperator_SIN,
      BuiltinOperator_SKIP_GRAM,
      BuiltinOperator_SOFTMAX,
      BuiltinOperator_SPACE_TO_DEPTH,
      BuiltinOperator_SQRT,
      BuiltinOperator_SQUARE,
      BuiltinOperator_SQUEEZE,
      BuiltinOperator_TANH,
      BuiltinOperator_WHERE,
      BuiltinOperator_ZEROS_LIKE}},
    {{2, 2, 1, 1, 0},
     {BuiltinOperator_ADD,
      BuiltinOperator_ARG_MAX,
      BuiltinOperator_ARG_MIN,
      BuiltinOperator_ATAN2,
      BuiltinOperator_BATCH_MATMUL,
      BuiltinOperator_BITWISE_XOR,
      BuiltinOperator_BROADCAST_ARGS,
      BuiltinOperator_BROADCAST_TO,
      BuiltinOperator_CUMSUM,
      BuiltinOperator_DIV,
      BuiltinOperator_EMBEDDING_LOOKUP,
      BuiltinOperator_EQUAL,
      BuiltinOperator_EXPAND_DIMS,
      BuiltinOperator_FILL,
      BuiltinOperator_FLOOR_DIV,
      BuiltinOperator_FLOOR_MOD,
      BuiltinOperator_GATHER,
      BuiltinOperator_GATHER_ND,
      BuiltinOperator_GREATER,
      BuiltinOperator_GREATER_EQUAL,
      BuiltinOperator_LESS,
      BuiltinOperator_LESS_EQUAL,
      BuiltinOperator_LOGICAL_AND,
      BuiltinOperator_LOGICAL_OR,
      BuiltinOperator_MATRIX_SET_DIAG,
      BuiltinOperator_MAXIMUM,
      BuiltinOperator_MEAN,
      BuiltinOperator_MINIMUM,
      BuiltinOperator_MIRROR_PAD,
      BuiltinOperator_MUL,
      BuiltinOperator_MULTINOMIAL,
      BuiltinOperator_NOT_EQUAL,
      BuiltinOperator_POW,
      BuiltinOperator_PRELU,
      BuiltinOperator_REDUCE_ALL,
      BuiltinOperator_REDUCE_ANY,
      BuiltinOperator_REDUCE_MAX,
      BuiltinOperator_REDUCE_MIN,
      BuiltinOperator_REDUCE_PROD,
      BuiltinOperator_RESIZE_BILINEAR,
      BuiltinOperator_RESIZE_NEAREST_NEIGHBOR,
      BuiltinOperator_REVERSE_SEQUENCE,
      BuiltinOperator_REVERSE_V2,
      BuiltinOperator_RFFT2D,
      BuiltinOperator_RIGHT_SHIFT,
      BuiltinOperator_SEGMENT_SUM,
      BuiltinOperator_SQUARED_DIFFERENCE,
      BuiltinOperator_STABLEHLO_ADD,
      BuiltinOperator_STABLEHLO_AND,
      BuiltinOperator_STABLEHLO_GATHER,
      BuiltinOperator_STABLEHLO_MAXIMUM,
      BuiltinOperator_STABLEHLO_MINIMUM,
      BuiltinOperator_STABLEHLO_MULTIPLY,
      BuiltinOperator_STABLEHLO_PAD,
      BuiltinOperator_STABLEHLO_REDUCE_WINDOW,
      BuiltinOperator_STABLEHLO_SHIFT_LEFT,
      BuiltinOperator_SUB,
      BuiltinOperator_SUM,
      BuiltinOperator_TILE,
      BuiltinOperator_TRANSPOSE}},
    {{3, 3, 1, 1, 0},
     {BuiltinOperator_BATCH_TO_SPACE_ND, BuiltinOperator_DILATE, BuiltinOperator_DYNAMIC_UPDATE_SLICE,
      BuiltinOperator_HASHTABLE_FIND, BuiltinOperator_RANGE, BuiltinOperator_SCATTER_ND, BuiltinOperator_SELECT,
      BuiltinOperator_SELECT_V2, BuiltinOperator_SLICE, BuiltinOperator_SPACE_TO_BATCH_ND,
      BuiltinOperator_STABLEHLO_SCATTER, BuiltinOperator_UNSORTED_SEGMENT_MAX, BuiltinOperator_UNSORTED_SEGMENT_MIN,
      BuiltinOperator_UNSORTED_SEGMENT_PROD, BuiltinOperator_UNSORTED_SEGMENT_SUM}},
    {{4, 4, 1, 1, 0}, {BuiltinOperator_ONE_HOT, BuiltinOperator_SPARSE_TO_DENSE, BuiltinOperator_STRIDED_SLICE}},
    {{1, 2, 1, 1, 0}, {BuiltinOperator_RESHAPE}},
    {{2, 3, 1, 1, 0}, {BuiltinOperator_PAD, BuiltinOperator_PADV2}},
    {{2, 3, 1, 1, Bits({2})},
     {BuiltinOperator_CONV_2D, BuiltinOperator_CONV_3D, BuiltinOperator_DEPTHWISE_CONV_2D,
      BuiltinOperator_LSH_PROJECTION}},
    // The second output holds shuffled weights.
    {{2, 3, 1, 2, Bits({2})}, {BuiltinOperator_FULLY_CONNECTED}},
    {{3, 4, 1, 1, Bits({3})}, {BuiltinOperator_CONV_3D_TRANSPOSE, BuiltinOperator_TRANSPOSE_CONV}},
    {{1, kAny, 1, 1, 0}, {BuiltinOperator_ADD_N, BuiltinOperator_CONCATENATION, BuiltinOperator_PACK}},
    {{1, 1, 1, kAny, 0}, {BuiltinOperator_UNPACK}},
    {{2, 2, 1, kAny, 0}, {BuiltinOperator_SPLIT}},
    {{3, 3, 1, kAny, 0}, {BuiltinOperator_SPLIT_V}},
    {{2, 2, 2, 2, 0}, {BuiltinOperator_TOPK_V2}},
    {{1, 1, 2, 2, 0}, {BuiltinOperator_STABLEHLO_RNG_BIT_GENERATOR, BuiltinOperator_UNIQUE}},
    {{3, 3, 2, 2, 0}, {BuiltinOperator_HASHTABLE_LOOKUP}},
    {{5, 5, 1, 1, 0}, {BuiltinOperator_EMBEDDING_LOOKUP_SPARSE, BuiltinOperator_REDUCE_WINDOW}},
    {{5, 5, 2, 2, 0}, {BuiltinOperator_NON_MAX_SUPPRESSION_V4}},
    {{6, 6, 3, 3, 0}, {BuiltinOperator_NON_MAX_SUPPRESSION_V5}},
    // Ops that call subgraphs: their kernels read all inputs.
    {{0, 0, 0, 0, 0}, {BuiltinOperator_CALL_ONCE}},
    {{0, kAny, 0, kAny, 0},
     {BuiltinOperator_IF, BuiltinOperator_STABLEHLO_CASE, BuiltinOperator_STABLEHLO_COMPOSITE, BuiltinOperator_WHILE}},
    {{0, 0, 1, 1, 0}, {BuiltinOperator_HASHTABLE, BuiltinOperator_VAR_HANDLE}},
    {{2, 2, 0, 0, 0}, {BuiltinOperator_ASSIGN_VARIABLE}},
    {{3, 3, 0, 0, 0}, {BuiltinOperator_HASHTABLE_IMPORT}},
    // Recurrent ops: peepholes, projections, layer normalization and auxiliary inputs are optional.
    {{5, 5, 1, 1, Bits({3})}, {BuiltinOperator_SVDF}},
    {{5, 5, 1, 1, 0}, {BuiltinOperator_RNN, BuiltinOperator_UNIDIRECTIONAL_SEQUENCE_RNN}},
    {{12, 12, 1, 2, Bits({9, 10, 11})}, {BuiltinOperator_BIDIRECTIONAL_SEQUENCE_RNN}},
    {{5, 24, 1, 4, kAllButFirst}, {BuiltinOperator_LSTM}},
    {{20, 24, 1, 1, kAllButFirst}, {BuiltinOperator_UNIDIRECTIONAL_SEQUENCE_LSTM}},
    {{48, 48, 1, 2, kAllButFirst}, {BuiltinOperator_BIDIRECTIONAL_SEQUENCE_LSTM}},
};

struct CustomRow {
  OpSignature signature;
  const char* name;
};

const CustomRow kCustomRows[] = {
    {{1, 1, 1, 1, 0}, "AudioSpectrogram"},
    {{3, 3, 1, 1, 0}, kConvolution2DTransposeBiasName},
    {{2, 2, 1, 1, 0}, "Mfcc"},
    {{2, 2, 1, 1, 0}, "NumericVerify"},
    {{3, 3, 4, 4, 0}, "TFLite_Detection_PostProcess"},
    {{1, 1, 1, 1, 0}, "aeq.hadamard_rotation"},
};

}  // namespace

const OpSignature* FindOpSignature(BuiltinOperator op, const char* name) {
  if (op == BuiltinOperator_CUSTOM) {
    for (const CustomRow& row : kCustomRows) {
      if (std::strcmp(row.name, name) == 0) return &row.signature;
    }
    return nullptr;
  }
  for (const Row& row : kRows) {
    for (const BuiltinOperator known : row.ops) {
      if (known == op) return &row.signature;
    }
  }
  return nullptr;
}

}  // namespace tflite::webnn
