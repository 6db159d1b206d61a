"""Wrong arguments of load() and run(): files that are not models, and inputs that `handmade.sin_example` rejects."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from web_tests.models import handmade
from web_tests.models.catalogue import all_models
from web_tests.models.recipes import Array

X = np.linspace(-3, 3, 8, dtype=np.float32)


def real_model() -> bytes:
    return all_models()["face_detection_short_range"].content()


# Content, the error's class, and a part of its message.
BAD_FILES: dict[str, tuple[Callable[[], bytes], str, str]] = {
    "truncated": (lambda: handmade.truncated(real_model()), "MALFORMED_MODEL", "truncated"),
    "truncated_to_the_header": (lambda: real_model()[:16], "MALFORMED_MODEL", "truncated"),
    "zeros": (handmade.zeros, "NOT_A_TFLITE_MODEL", "TFL3"),
    "empty": (lambda: b"", "NOT_A_TFLITE_MODEL", "0 bytes"),
    "html": (lambda: b"<!doctype html><title>404</title>" * 20, "NOT_A_TFLITE_MODEL", "error page"),
    "flex_op": (lambda: handmade.custom_op_model("FlexErf"), "FLEX_OP", "'Erf'"),
    "edge_tpu": (lambda: handmade.custom_op_model("edgetpu-custom-op"), "EDGE_TPU_OP", "edgetpu-custom-op"),
    "custom_op": (lambda: handmade.custom_op_model("MyOp"), "UNRESOLVED_CUSTOM_OP", "MyOp"),
}

# Inputs, whether their shapes are sent, and the error's code.
BAD_INPUTS: dict[str, tuple[Sequence[Array] | Mapping[str, Array], bool, str]] = {
    "too_few_values": ([X[:5]], False, "INPUT_SHAPE"),
    "too_many_values": ([np.zeros(9, np.float32)], False, "INPUT_SHAPE"),
    "other_shape": ([X.reshape(2, 4)], True, "INPUT_SHAPE"),
    "integers": ([X.astype(np.int32)], False, "INPUT_DTYPE"),
    "doubles": ([X.astype(np.float64)], False, "INPUT_DTYPE"),
    "same_bytes_other_dtype": ([X.view(np.uint8)], False, "INPUT_DTYPE"),
    "one_too_many": ([X, X], False, "INPUT_NAME"),
    "none": ([], False, "INPUT_NAME"),
    "unknown_name": ({"nonsense": X}, False, "INPUT_NAME"),
}
