"""Files that parse but have no valid meaning: each is rejected early, with a reason that names the location.

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
from web_tests.references.described import rejection
from web_tests.references.golden import WEBNN

pytestmark = pytest.mark.needs("package")

# Indices of tiny_network's nodes, which the changes below modify.
CONV, MEAN, DENSE, SOFTMAX = range(4)


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
    "a_constant_longer_than_its_shape": (with_tensor(1, shape=[8, 3, 3, 2]), "tensor 1 needs 576 bytes and has 864"),
    "blocks_without_details": (in_blocks(), "is quantized in blocks without saying how"),
    "blocks_without_scales": (in_blocks(scales=99), "names scales or zero points of its blocks that do not exist"),
    "blocks_with_scales_of_another_type": (in_blocks(scales=0), "has scales of blocks that are no float16 constant"),
    "blocks_of_nothing": (in_blocks(blockSize=0), "has 128 scales, which do not fit its blocks of 0"),
    "blocks_with_few_scales": (in_blocks(blockSize=16), "has 128 scales, which do not fit its blocks of 16"),
    "a_sparse_index_behind_its_row": (with_sparse(4), "tensor 2 of subgraph 0 has sparse indices"),
    "a_sparse_index_before_its_row": (with_sparse(-1), "tensor 2 of subgraph 0 has sparse indices"),
    "a_sparse_value_that_is_not_there": (with_sparse(values=1), "tensor 2 of subgraph 0 has sparse indices"),
    "an_input_that_is_a_constant": (input_with_content(), "input 0 is a constant"),
}


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("options", [WEBNN, {}], ids=["webnn", "cpu"])
def test_a_malformed_model_is_rejected_with_a_reason(name: str, options: dict[str, str]) -> None:
    content, pattern = MODELS[name]
    text = rejection(content, options)
    assert re.search(pattern, text)
    assert "malformed TensorFlow Lite model: " in text
