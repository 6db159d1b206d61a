"""The tolerances of models with int8 weights and float activations: a wrong kernel exceeds them."""

import numpy as np
import pytest
from ai_edge_litert import schema_py_generated as schema

from web_tests.models.catalogue import generated_models
from web_tests.references import native_litert
from web_tests.references.comparison import Table, compare, tolerance
from web_tests.references.inputs import inputs_for

# How far the results of one layer's kernel are off.
WRONG_SCALE = 1.1


def with_one_wrong_kernel(content: bytes) -> list[bytes]:
    """Return a model for each layer: its results are too large."""
    tensors = schema.ModelT.InitFromPackedBuf(content, 0).subgraphs[0].tensors
    quantizations = [tensor.quantization for tensor in tensors if tensor.type == schema.TensorType.INT8]
    scales = [np.asarray(each.scale, np.float32) for each in quantizations]
    assert all(content.count(each.tobytes()) == 1 for each in scales)
    return [content.replace(each.tobytes(), (each * np.float32(WRONG_SCALE)).tobytes()) for each in scales]


@pytest.mark.parametrize(("name", "layers"), [("mobilenet_v2_small_dynamic", 53), ("u_net_dynamic", 8)])
def test_a_wrong_kernel_exceeds_the_tolerance(name: str, layers: int) -> None:
    model = generated_models()[name]
    inputs = inputs_for(model)
    expected = native_litert.outputs_of(model.content(), inputs)
    wrong = [native_litert.run_native(content, inputs) for content in with_one_wrong_kernel(model.content())]
    assert len(wrong) == layers
    smallest = min(compare(outputs, expected).relative for outputs in wrong)
    tables: tuple[Table, ...] = ("webnn", "cpu")
    assert {table: tolerance(table, name).relative_to_range < smallest for table in tables} == dict.fromkeys(
        tables, True
    )
