// Included before XNNPACK's src/subgraph.c, whose rewrites add such ops only in place of the same ones: what adds
// those, e.g. TFLite's delegate, decides whether the linker includes them.
#include <xnnpack.h>

#pragma weak xnn_define_batch_matrix_multiply
#pragma weak xnn_define_static_reduce_v2
#pragma weak xnn_define_static_transpose
