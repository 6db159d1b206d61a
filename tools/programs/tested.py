"""The programs that `build.py test` runs: tools, examples, tests of our kernels, a handful of TFLite's kernel tests."""

from support.npm import run_script
from tools.programs import EXAMPLES, TFLITE_TOOLS
from wasm.toolchain.programs import PROGRAMS_DIR, build_programs

# Of wasm/xnnpack_kernels and of the op table; the last two are XNNPACK's cases.
CUSTOM_KERNEL_TESTS = (
    "dot16x2_gemm_test",
    "dwconv_test",
    "f32_kernels_test",
    "op_table_test",
    "gemm_microkernel_test",
    "dwconv_microkernel_test",
)
# One of each kind: elementwise, quantized with a window, rearranged, with state, and one of XNNPACK's.
KERNEL_TESTS = (
    "activations_test",
    "conv_test",
    "transpose_test",
    "unidirectional_sequence_rnn_test",
    "xnnpack_softmax_test",
)


def prepare() -> None:
    build_programs([*TFLITE_TOOLS, *EXAMPLES, *CUSTOM_KERNEL_TESTS, *KERNEL_TESTS])
    run_script("build", "script", "programs", PROGRAMS_DIR, quiet=True)
