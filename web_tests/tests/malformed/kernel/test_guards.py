"""What guards (tflite_kernels/op_table.def) reject of several nodes, and valid nodes that they accept."""

import numpy as np
import pytest
from flatbuffers import flexbuffers

from web_tests.drivers.harness import CPU, KERNELS, ModelError, PageHarness
from web_tests.models.model_writer import ModelWriter, Quantization
from web_tests.models.one_node import one_node
from web_tests.op_cases.case import Input, OpCase


@pytest.mark.parametrize("op", ["LOG", "RSQRT", "SQRT"])
def test_int16_whose_type_another_kernel_states_needs_a_scale(harness: PageHarness, op: str) -> None:
    """EXPAND_DIMS sets the type of its result to that of its input, whatever the file says: the kernels read scales."""
    writer = ModelWriter()
    x, axis = writer.tensor("x", (4,), "int16"), writer.constant("axis", np.zeros(1, np.int32))
    t, y = writer.tensor("t", (1, 4), "float32"), writer.tensor("y", (1, 4), "int16")
    writer.node("EXPAND_DIMS", [x, axis], [t])
    writer.node(op, [t], [y])
    with pytest.raises(ModelError, match="Integers without a scale") as caught:
        harness.load(writer.finish([x], [y]), CPU)
    assert caught.value.code == "ALLOCATE_TENSORS_FAILED", caught.value


@pytest.mark.parametrize("is_read", [False, True])
def test_using_a_table_as_a_variable_is_an_error(harness: PageHarness, is_read: bool) -> None:
    """TFLite has both in one map: tables by negative numbers."""
    writer = ModelWriter()
    x, table, y = writer.tensor("x", (4,)), writer.tensor("table", (1,), "resource"), writer.tensor("y", (4,))
    options = {"tableId": 1 - 2**31, "keyDtype": 4, "valueDtype": 5}
    writer.node("HASHTABLE", [], [table], options)
    if is_read:
        writer.node("READ_VARIABLE", [table], [y])
    else:
        writer.node("ASSIGN_VARIABLE", [table, x], [])
        writer.node("NEG", [x], [y])
    model = harness.load(writer.finish([x], [y]), CPU)
    with pytest.raises(ModelError, match=r"id->data.i32\[0\] >= 0") as caught:
        model.run([np.ones(4, np.float32)])
    assert caught.value.code == "INVOKE_FAILED", caught.value


@pytest.mark.parametrize("op", ["PAD", "PADV2"])
def test_images_of_nothing_are_padded(harness: PageHarness, op: str) -> None:
    """The kernel of uint8 wrote only the first image: 0 is the byte 7."""
    zero = Quantization((0.5,), (7,))
    sizes = np.array([[0, 0], [1, 2], [1, 2], [0, 0]], np.int32)
    value = [(np.array(7, np.uint8), zero)] if op == "PADV2" else []
    content = one_node(op, [((2, 0, 3, 2), "uint8", zero), (sizes,), *value], ((2, 3, 6, 2), "uint8", zero))
    model = harness.load(content, KERNELS)
    (found,) = model.run([np.zeros((2, 0, 3, 2), np.uint8)])
    np.testing.assert_array_equal(found, np.full((2, 3, 6, 2), 7, np.uint8))


def test_parts_of_a_power_of_two_are_rotated(harness: PageHarness) -> None:
    options = bytes(flexbuffers.Dumps({"hadamard_size": 4, "random_binary_vector": [1] * 4}))
    case = OpCase("rotation", "aeq.hadamard_rotation", (Input((3, 4)),), options, output_shape=(3, 4))
    (x,) = case.inputs()
    (found,) = harness.load(case.model(), CPU).run([x])
    hadamard = np.array([[1, 1, 1, 1], [1, -1, 1, -1], [1, 1, -1, -1], [1, -1, -1, 1]], np.float32)
    np.testing.assert_allclose(found, x @ hadamard / 2, rtol=1e-6, atol=1e-6)


def test_an_image_of_open_size_is_mirrored_after_a_resize(harness: PageHarness) -> None:
    """The file's sizes of 1 are placeholders: they are too small for the paddings."""
    writer = ModelWriter()
    x, y = writer.tensor("x", (1, 1, 1, 3)), writer.tensor("y", (1, 3, 3, 3))
    for tensor in (x, y):
        writer.open_dimensions(tensor, [1, 2])
    sizes = np.array([[0, 0], [1, 1], [1, 1], [0, 0]], np.int32)
    options = {"mode": 0}
    writer.node("MIRROR_PAD", [x, writer.constant("sizes", sizes)], [y], options)
    model = harness.load(writer.finish([x], [y]), CPU)
    model.resize([[1, 4, 5, 3]])
    image = np.arange(60, dtype=np.float32).reshape(1, 4, 5, 3)
    (found,) = model.run([image])
    np.testing.assert_array_equal(found, np.pad(image, sizes, mode="reflect"))


def test_a_slice_of_an_open_size_is_taken_after_a_resize(harness: PageHarness) -> None:
    writer = ModelWriter()
    x, y = writer.tensor("x", (1, 1)), writer.tensor("y", (1, 2))
    writer.open_dimensions(x, [0, 1])
    writer.open_dimensions(y, [0])
    begin, size = (
        writer.constant(name, np.array(values, np.int32)) for name, values in (("b", [0, 1]), ("s", [-1, 2]))
    )
    writer.node("SLICE", [x, begin, size], [y])
    model = harness.load(writer.finish([x], [y]), CPU)
    model.resize([[3, 4]])
    data = np.arange(12, dtype=np.float32).reshape(3, 4)
    (found,) = model.run([data])
    np.testing.assert_array_equal(found, data[:, 1:3])


def test_nothing_is_padded_to_a_size_that_an_input_gives(harness: PageHarness) -> None:
    writer = ModelWriter()
    x, sizes, y = writer.tensor("x", (0, 3)), writer.tensor("sizes", (2, 2), "int32"), writer.tensor("y", (2, 3))
    writer.node("PAD", [x, sizes], [y])
    model = harness.load(writer.finish([x, sizes], [y]), CPU)
    for rows in (2, 4):
        (found,) = model.run([np.zeros((0, 3), np.float32), np.array([[1, rows - 1], [0, 0]], np.int32)])
        np.testing.assert_array_equal(found, np.zeros((rows, 3), np.float32))
