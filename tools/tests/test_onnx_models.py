"""Models converted to ONNX compute the same as the .tflite files."""

import numpy as np
import onnx
import pytest
from onnx.reference import ReferenceEvaluator

from tools.bench.onnx_models import NoOnnxError, onnx_of
from web_tests.models.catalogue import generated_models
from web_tests.models.handmade import sum_of_two
from web_tests.references import native_litert
from web_tests.references.inputs import inputs_for


@pytest.mark.parametrize(("name", "tolerance"), [("mobilenet_v2_small", 1e-5), ("mobilenet_v2_small_int8", 1)])
def test_a_converted_model_computes_the_same(name: str, tolerance: float) -> None:
    model = generated_models()[name]
    session = ReferenceEvaluator(onnx.load_model_from_string(onnx_of(name, model.content())))
    inputs = inputs_for(model)
    (found,) = session.run(None, dict(zip(session.input_names, inputs, strict=True)))
    (expected,) = native_litert.outputs_of(model.content(), inputs)
    assert isinstance(found, np.ndarray)
    assert found.dtype == expected.dtype
    np.testing.assert_allclose(found.astype(np.float64), expected.astype(np.float64), rtol=0, atol=tolerance)


def test_a_node_without_a_conversion_is_named() -> None:
    with pytest.raises(NoOnnxError, match="the type of tensor"):
        onnx_of("mine", sum_of_two("int64"))
    with pytest.raises(NoOnnxError, match="MAX_POOL_2D has no conversion to ONNX"):
        onnx_of("u_net", generated_models()["u_net"].content())
