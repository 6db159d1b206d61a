"""Many random nodes side by side in one model: one load and one run compute all."""

from collections.abc import Sequence
from dataclasses import dataclass

from web_tests.models.model_writer import NO_TENSOR, ModelWriter
from web_tests.models.recipes import Array
from web_tests.properties.spec import NodeSpec

Shape = tuple[int, ...]

# The versions that converters write for an op's newest types; other ops have version 1.
VERSIONS = {
    "ABS": 5, "ADD": 5, "ARG_MAX": 3, "ARG_MIN": 3, "AVERAGE_POOL_2D": 3, "BATCH_MATMUL": 4, "BATCH_TO_SPACE_ND": 4,
    "BROADCAST_TO": 3, "CAST": 6, "CONCATENATION": 4, "CONV_2D": 8, "DEPTHWISE_CONV_2D": 7, "DEPTH_TO_SPACE": 2,
    "DEQUANTIZE": 6, "DIV": 2, "DYNAMIC_UPDATE_SLICE": 2, "EMBEDDING_LOOKUP": 4, "EQUAL": 4, "EXP": 2, "FAKE_QUANT": 2,
    "FILL": 4, "FLOOR_DIV": 3, "FLOOR_MOD": 2, "FULLY_CONNECTED": 12, "GATHER": 7, "GATHER_ND": 5, "GELU": 2,
    "GREATER": 2, "GREATER_EQUAL": 3, "L2_NORMALIZATION": 2, "LEAKY_RELU": 2, "LESS": 3, "LESS_EQUAL": 2, "LOG": 2,
    "LOGISTIC": 3, "LOG_SOFTMAX": 2, "LSTM": 4, "MAXIMUM": 4, "MAX_POOL_2D": 3, "MEAN": 3, "MINIMUM": 4,
    "MIRROR_PAD": 3, "MUL": 7, "NOT_EQUAL": 3, "PACK": 4, "PAD": 4, "PADV2": 4, "QUANTIZE": 3, "REDUCE_MAX": 3,
    "REDUCE_MIN": 3, "REDUCE_PROD": 2, "RELU": 3, "RELU6": 3, "RESIZE_BILINEAR": 4, "RESIZE_NEAREST_NEIGHBOR": 4,
    "REVERSE_V2": 3, "RNN": 3, "RSQRT": 3, "SELECT": 4, "SELECT_V2": 2, "SIGN": 2, "SLICE": 6, "SOFTMAX": 3,
    "SPACE_TO_BATCH_ND": 4, "SPACE_TO_DEPTH": 2, "SPARSE_TO_DENSE": 3, "SPLIT": 4, "SPLIT_V": 2, "SQRT": 2,
    "SQUARED_DIFFERENCE": 2, "SQUEEZE": 2, "STRIDED_SLICE": 8, "SUB": 5, "SUM": 2, "SVDF": 4, "TANH": 3, "TILE": 3,
    "TOPK_V2": 3, "TRANSPOSE": 6, "TRANSPOSE_CONV": 5, "UNIDIRECTIONAL_SEQUENCE_LSTM": 4,
    "UNIDIRECTIONAL_SEQUENCE_RNN": 3, "UNPACK": 4,
}  # fmt: skip


@dataclass(frozen=True)
class Batch:
    """A model of these nodes, in order: node index and position match."""

    specs: tuple[NodeSpec, ...]

    def model(self, shapes: Sequence[Sequence[Shape]] | None = None) -> bytes:
        """Return the file; `shapes` are those of each node's outputs, if known."""
        writer = ModelWriter()
        inputs: list[int] = []
        outputs: list[int] = []
        for index, spec in enumerate(self.specs):
            of_node = shapes[index] if shapes else [result.shape for result in spec.results]
            _add(writer, index, spec, of_node, inputs, outputs)
        return writer.finish(inputs, outputs)

    def inputs(self) -> list[Array]:
        return [operand.values() for spec in self.specs for operand in spec.provided]

    def by_node(self, outputs: Sequence[Array]) -> list[list[Array]]:
        remaining = iter(outputs)
        return [[next(remaining) for _ in spec.results] for spec in self.specs]


def _add(
    writer: ModelWriter, index: int, spec: NodeSpec, shapes: Sequence[Shape], inputs: list[int], outputs: list[int]
) -> None:
    """Add a node, and its tensors to the model's inputs and outputs."""
    operands = []
    for position, operand in enumerate(spec.operands):
        name = f"node_{index}_operand_{position}"
        if operand is None:
            operands.append(NO_TENSOR)
            continue
        if operand.role == "constant":
            operands.append(writer.constant(name, operand.values(), operand.quantization))
        elif operand.role == "state":
            operands.append(writer.variable(name, operand.shape))
        else:
            operands.append(writer.tensor(name, operand.shape, operand.dtype, operand.quantization))
            inputs.append(operands[-1])
    results = [
        writer.tensor(f"node_{index}_result_{position}", shape, result.dtype, result.quantization)
        for position, (result, shape) in enumerate(zip(spec.results, shapes, strict=True))
    ]
    outputs.extend(results)
    writer.node(spec.op, operands, results, dict(spec.options), version=VERSIONS.get(spec.op, 1))
