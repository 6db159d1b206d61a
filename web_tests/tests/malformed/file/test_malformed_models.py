"""Models that parse but have no valid meaning: each is rejected early, with a reason that names the location.

TensorFlow Lite's kernels, or delegates that see the nodes first, crash on all of them.
"""

import re
from typing import Any

import numpy as np
import pytest
from ai_edge_litert import schema_py_generated as schema

from web_tests.models.converted import int4_blocks
from web_tests.models.handmade import tiny_network
from web_tests.models.model_file import changed
from web_tests.models.model_writer import NO_TENSOR, ModelWriter
from web_tests.models.one_node import one_node
from web_tests.references.described import rejection
from web_tests.references.golden import WEBNN

pytestmark = pytest.mark.needs("package")

# Indices of tiny_network's nodes, which the changes below modify.
CONV, MEAN, DENSE, SOFTMAX = range(4)


def node(
    op: str, shapes: list[tuple[int, ...]], options: Any = None, *, outputs: int = 1, constants: Any = ()
) -> bytes:
    """Return a model of one node; `constants` follow the inputs."""
    writer = ModelWriter()
    inputs = [writer.tensor(f"input_{i}", shape) for i, shape in enumerate(shapes)]
    fixed = [writer.constant(f"constant_{i}", np.asarray(values, np.int32)) for i, values in enumerate(constants)]
    results = [writer.tensor(f"output_{i}", (1,)) for i in range(outputs)]
    writer.node(op, [*inputs, *fixed], results, options)
    return writer.finish(inputs, results)


def with_node(index: int, **fields: Any) -> bytes:
    def change(model: Any) -> None:
        for name, value in fields.items():
            setattr(model.subgraphs[0].operators[index], name, value)

    return changed(tiny_network(), change)


def with_options(index: int, **fields: Any) -> bytes:
    def change(model: Any) -> None:
        for name, value in fields.items():
            setattr(model.subgraphs[0].operators[index].builtinOptions, name, value)

    return changed(tiny_network(), change)


def with_tensor(index: int, **fields: Any) -> bytes:
    def change(model: Any) -> None:
        for name, value in fields.items():
            setattr(model.subgraphs[0].tensors[index], name, value)

    return changed(tiny_network(), change)


def quantized(op: str, scales: list[list[float] | None], *, dtype: str = "int8") -> bytes:
    """Return a model of one node with quantized tensors; None omits the parameters."""
    writer = ModelWriter()
    *inputs, output = (writer.tensor(f"tensor_{i}", (4,), dtype) for i in range(len(scales)))
    writer.node(op, inputs, [output])

    def quantize(model: Any) -> None:
        for tensor, values in zip(model.subgraphs[0].tensors, scales, strict=True):
            if values is not None:
                tensor.quantization = schema.QuantizationParametersT()
                tensor.quantization.scale = values
                tensor.quantization.zeroPoint = [0] * len(values)

    return changed(writer.finish(inputs, [output]), quantize)


def scales_of_a_scalar() -> bytes:
    def change(model: Any) -> None:
        model.subgraphs[0].tensors[0].shape = []

    return changed(quantized("RELU", [[1.0, 2.0], [1.0]]), change)


def float_product_of_integers() -> bytes:
    writer = ModelWriter()
    inputs = [writer.tensor(f"input_{i}", (2, 2), "int8") for i in range(2)]
    output = writer.tensor("output", (2, 2))
    writer.node("BATCH_MATMUL", inputs, [output])

    def quantize(model: Any) -> None:
        for tensor in model.subgraphs[0].tensors[:2]:
            tensor.quantization = schema.QuantizationParametersT()
            tensor.quantization.scale, tensor.quantization.zeroPoint = [0.5], [0]

    return changed(writer.finish(inputs, [output]), quantize)


def zero_point_of_128() -> bytes:
    def change(model: Any) -> None:
        model.subgraphs[0].tensors[1].quantization.zeroPoint = [128]

    return changed(quantized("QUANTIZE", [[1.0], [1.0]]), change)


def input_with_content() -> bytes:
    def change(model: Any) -> None:
        graph = model.subgraphs[0]
        axes = graph.tensors[graph.operators[MEAN].inputs[1]]
        graph.tensors[graph.inputs[0]].buffer = axes.buffer

    return changed(tiny_network(), change)


def in_blocks(**fields: Any) -> bytes:
    """Return a model of weights that are quantized in blocks, with other fields."""

    def change(model: Any) -> None:
        weights = next(tensor for tensor in model.subgraphs[0].tensors if tensor.name == b"weights")
        for name, value in fields.items():
            setattr(weights.quantization.details, name, value)
        if not fields:
            weights.quantization.details = None

    return changed(int4_blocks(), change)


def with_sparse(first: int = 0, values: int = 2) -> bytes:
    """Return a model of sparse weights [2, 4] with the first of two values at this index, and so many values."""
    writer = ModelWriter()
    x, y = writer.tensor("x", (1, 4)), writer.tensor("y", (1, 2))
    weights = writer.sparse_constant("weights", np.eye(2, 4, dtype=np.float32))
    writer.node("FULLY_CONNECTED", [x, weights, NO_TENSOR], [y])

    def change(model: Any) -> None:
        (stored,) = (tensor for tensor in model.subgraphs[0].tensors if tensor.sparsity is not None)
        stored.sparsity.dimMetadata[-1].arrayIndices.values = [first, 1]
        model.buffers[stored.buffer].data = model.buffers[stored.buffer].data[: 4 * values]

    return changed(writer.finish([x], [y]), change)


def dilated_bits() -> bytes:
    steps = np.array([1, 2], np.int32)
    return one_node("DILATE", [((2, 4), "int2"), (steps,), ((), "int2")], ((2, 7), "int2"))


def outside_buffer(model: Any) -> None:
    # The sum of offset and size is 7, modulo 2^64.
    model.buffers[-1].data = None
    model.buffers[-1].offset, model.buffers[-1].size = 2**64 - 8, 15


def with_signature(**fields: Any) -> bytes:
    def change(model: Any) -> None:
        signature, entry = schema.SignatureDefT(), schema.TensorMapT()
        signature.signatureKey, entry.name, entry.tensorIndex = b"key", b"x", fields.pop("tensor", 0)
        signature.inputs = [entry]
        for name, value in fields.items():
            setattr(signature, name, value)
        model.signatureDefs = [signature]

    return changed(tiny_network(), change)


def outside_options(model: Any) -> None:
    node = model.subgraphs[0].operators[SOFTMAX]
    node.largeCustomOptionsOffset, node.largeCustomOptionsSize = 2**64 - 8, 15


# Content, and a part of the reason.
MODELS: dict[str, tuple[bytes, str]] = {
    "index_of_an_input": (with_node(DENSE, inputs=[5, 99, -1]), "node 2 names an op or a tensor"),
    "index_of_an_output": (with_node(DENSE, outputs=[-1]), "node 2 names an op or a tensor"),
    "index_of_an_intermediate": (with_node(DENSE, intermediates=[99]), "node 2 names an op or a tensor"),
    "index_of_an_op_code": (with_node(DENSE, opcodeIndex=99), "node 2 names an op or a tensor"),
    "index_of_a_buffer": (with_tensor(1, buffer=99), "tensor 1 names a buffer that does not exist"),
    "content_outside_of_the_file": (changed(tiny_network(), outside_buffer), "buffer 4 lies outside of the file"),
    "options_outside_of_the_file": (
        changed(tiny_network(), outside_options),
        "the options of node 3 lie outside of the file",
    ),
    "a_signature_of_no_subgraph": (with_signature(subgraphIndex=1), "signature 0 names a subgraph that does not"),
    "a_signature_of_no_tensor": (with_signature(tensor=99), "signature 0 names a tensor that does not exist"),
    "a_missing_input": (with_node(CONV, inputs=[0]), r"node 0 \(CONV_2D\) has 1 inputs; the op accepts 2 to 3"),
    "too_many_inputs": (with_node(SOFTMAX, inputs=[7, 7]), r"node 3 \(SOFTMAX\) has 2 inputs; the op accepts 1"),
    "no_output": (with_node(SOFTMAX, outputs=[]), "has 0 outputs; the op has 1"),
    "an_input_left_out": (with_node(MEAN, inputs=[3, NO_TENSOR]), "leaves out input 1, which is not optional"),
    "a_negative_dimension": (with_tensor(1, shape=[8, -3, 3, 3]), "tensor 1 has the dimension -3"),
    "a_huge_shape": (with_tensor(0, shape=[2**16, 2**16, 2**16, 2]), "tensor 0 has more than 536870911 elements"),
    "no_stride": (with_options(CONV, strideW=0), "has the stride_w 0"),
    "a_huge_dilation": (with_options(CONV, dilationHFactor=2**30), "has the dilation_h_factor 1073741824"),
    "no_options": (with_node(CONV, builtinOptions=None, builtinOptionsType=0), "has no options"),
    "a_scale_that_is_no_number": (
        quantized("RELU", [[float("nan")], [1.0]]),
        "tensor 0 has the quantization scale nan",
    ),
    "an_infinite_scale": (quantized("RELU", [[1.0], [float("inf")]]), "tensor 1 has the quantization scale inf"),
    "a_constant_longer_than_its_shape": (with_tensor(1, shape=[8, 3, 3, 2]), "tensor 1 needs 576 bytes and has 864"),
    "blocks_without_details": (in_blocks(), "is quantized in blocks without saying how"),
    "blocks_without_scales": (in_blocks(scales=99), "names scales or zero points of its blocks that do not exist"),
    "blocks_with_scales_of_another_type": (in_blocks(scales=0), "has scales of blocks that are no float16 constant"),
    "blocks_of_nothing": (in_blocks(blockSize=0), "has 128 scales, which do not fit its blocks of 0"),
    "blocks_with_few_scales": (in_blocks(blockSize=16), "has 128 scales, which do not fit its blocks of 16"),
    "a_sparse_index_behind_its_row": (with_sparse(4), "tensor 2 of subgraph 0 has sparse indices"),
    "a_sparse_index_before_its_row": (with_sparse(-1), "tensor 2 of subgraph 0 has sparse indices"),
    "a_sparse_value_that_is_not_there": (with_sparse(values=1), "tensor 2 of subgraph 0 has sparse indices"),
    "dilated_bits": (dilated_bits(), "has an input of type INT2"),
    "a_zero_point_of_another_type": (zero_point_of_128(), "has an output with the zero point 128"),
    "a_missing_scale": (quantized("MUL", [[1.0], [1.0], None]), "quantization scales that do not fit"),
    "a_product_of_integers_without_a_scale": (float_product_of_integers(), "quantization scales that do not fit"),
    "scales_of_very_different_size": (quantized("ADD", [[1e8], [1.0], [1e-8]]), "quantization scales that do not fit"),
    "int16_without_scales": (quantized("SUB", [None] * 3, dtype="int16"), "quantization scales that do not fit"),
    "several_scales_of_a_scalar": (scales_of_a_scalar(), "tensor 0 has scales along axis 0, which it does not have"),
    "paddings_of_rank_1": (
        node("PAD", [(2, 2)], {}, constants=[[1, 1, 1, 1]]),
        "has an input 1 of rank 1; the op needs rank 2",
    ),
    "an_input_that_is_a_constant": (input_with_content(), "input 0 is a constant"),
    "a_slice_beyond_its_input": (
        node("SLICE", [(4,)], {}, constants=[[3], [2]]),
        "takes a slice that is not within its input, along dimension 0",
    ),
    "a_transposition_of_7_dimensions": (
        node("TRANSPOSE", [(1,) * 6], {}, constants=[list(range(7))]),
        "transposes 7 dimensions; its input has 6",
    ),
    "a_shape_longer_than_its_result": (
        node("RESHAPE", [(1,)], {}, constants=[[1] * 7]),
        "reshapes to 7 dimensions; its output has 1",
    ),
    "a_sequence_without_a_shape": (
        node(
            "UNIDIRECTIONAL_SEQUENCE_RNN",
            [(), (2, 2), (2, 2), (2,), (1, 2)],
            {},
        ),
        "has an input 0 of rank 0; the op needs rank 3",
    ),
    "an_image_of_rank_3": (
        node("SPACE_TO_DEPTH", [(2, 2, 4)], {"blockSize": 2}),
        "has an input 0 of rank 3; the op needs rank 4",
    ),
    "a_condition_for_a_scalar": (node("SELECT", [(2,), (), ()]), "has an input 1 of rank 0; the op needs rank 1"),
    "a_deconvolution_without_padding": (
        node("Convolution2DTransposeBias", [(1, 2, 2, 1), (1, 2, 2, 1), (1,)], b"\0" * 12),
        "has the padding 0",
    ),
    "a_block_of_half_the_numbers": (
        node("DEPTH_TO_SPACE", [(1, 2, 2, 4)], {"blockSize": 2**16}),
        "has the block_size 65536",
    ),
    "split_into_other_counts": (
        node("SPLIT_V", [(4,)], {"numSplits": 2}, constants=[[2, 2], 0], outputs=0),
        "has 0 outputs; the op has at least 1",
    ),
    "custom_options_that_are_none": (
        node("TFLite_Detection_PostProcess", [(1, 4, 4), (1, 4, 2), (4, 4)], b"\1\2", outputs=4),
        "has custom options that are not a FlexBuffer",
    ),
}


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("options", [WEBNN, {}], ids=["webnn", "cpu"])
def test_a_malformed_model_is_rejected_with_a_reason(name: str, options: dict[str, str]) -> None:
    content, pattern = MODELS[name]
    text = rejection(content, options)
    assert re.search(pattern, text)
    assert "malformed TensorFlow Lite model: " in text
