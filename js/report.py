"""The report on a model as JSON: the output of `explain --json`. Generates the package's report.schema.json.

The types are in js/packages/core/src/report/report.ts and description.ts; tests check real reports against these.
"""

import json
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, NonNegativeFloat, NonNegativeInt, PositiveInt
from pydantic.alias_generators import to_camel
from pydantic.json_schema import GenerateJsonSchema

ExecutionMode = Literal["direct", "stepped", "blocking", "cpu"]
Placement = Literal["webnn", "cpu"]
MinusOneOrMore = Annotated[int, Field(ge=-1)]


class Part(BaseModel):
    """Base of all parts of a report: no unknown members, and JavaScript's names."""

    model_config = ConfigDict(
        alias_generator=to_camel, extra="forbid", frozen=True, strict=True, use_attribute_docstrings=True
    )


class Threads(Part):
    """Threads on the CPU: the option numThreads, and how many run."""

    requested: int | None
    used: PositiveInt
    reason: str | None


class Composite(Part):
    """A STABLEHLO_COMPOSITE or a WHILE of the file. Loading replaces it by the nodes of its decomposition or rounds."""

    name: str
    """Such as odml.rms_norm, or WHILE."""
    node: NonNegativeInt
    """Its index in the file."""


class Pattern(Part):
    """A group of nodes that WebNN computes by fewer operators than one by one."""

    name: str
    """Such as layer normalization."""
    node: NonNegativeInt
    """The index of the group's last node, which has its operators."""


class Node(Part):
    """One node of the model and where it runs."""

    index: NonNegativeInt
    """Index of the operator in the model's main subgraph."""
    op: str
    """TFLite's builtin name, or the custom op's name."""
    version: NonNegativeInt
    """Version of the op."""
    name: str
    """Name of the node's first output tensor."""
    placement: Placement
    partition: MinusOneOrMore
    """Index into partitions; -1 if the node is in none."""
    reason: str | None
    """Why the node stays on the CPU; null on WebNN."""
    supported: bool
    """Whether WebNN can run the node itself. On the CPU such a node stays for the sake of others."""
    composite: Composite | None
    """The composite or loop that the node belongs to; null for a node of the file itself."""
    pattern: Pattern | None
    """The pattern by which WebNN runs the node together with others; null where it has its own operators."""
    quantized: Literal["fused", "float", "cpu"] | None
    """fused: one integer kernel; float: computed in float; cpu: it stays on the CPU; null: not quantized."""
    not_fused: str | None
    """The condition of the fused form that fails, if quantized is float."""
    webnn_ops: list[str]
    """The node's WebNN operators, in order."""


class Quantization(Part):
    """Real value = scale * (quantized value - zero point)."""

    scales: list[float]
    zero_points: list[int]
    quantized_dimension: int
    """The dimension along which they vary, if there is more than one."""


class Tensor(Part):
    """A tensor of the model."""

    index: NonNegativeInt
    """TFLite's tensor index."""
    name: str
    """Its name in the model."""
    dtype: str
    """TFLite's type in lower case."""
    shape: list[NonNegativeInt]
    shape_signature: list[MinusOneOrMore]
    """The shape as the model declares it: -1 where a dimension may vary."""
    size_bytes: NonNegativeInt
    quantization: Quantization | None
    """Null if the tensor has no scale."""


class DispatchTimes(Part):
    """Time from a dispatch until its results were read, in milliseconds."""

    count: PositiveInt
    """Dispatches so far."""
    last: NonNegativeFloat
    mean: NonNegativeFloat


class Partition(Part):
    """An ordered subset of the nodes that runs in one place."""

    placement: Placement
    graph: int | None
    """Index of its WebNN graph; null on the CPU."""
    nodes: list[NonNegativeInt]
    """Indices of its nodes."""
    ops: list[str]
    """TFLite ops of the nodes."""
    inputs: list[Tensor]
    """Tensors that it reads from other partitions, the caller, or the state between two runs."""
    outputs: list[Tensor]
    """Tensors that it passes to other partitions, the caller or the next run."""
    bytes_in: NonNegativeInt
    """Bytes of its inputs."""
    bytes_out: NonNegativeInt
    """Bytes of its outputs."""
    build_ms: NonNegativeFloat | None
    """Time to build its graph; null on the CPU."""
    dispatch_ms: DispatchTimes | None
    """Times of runs; null on the CPU, before the first run, and where only other WebNN partitions read its results."""
    queued_dispatches: NonNegativeInt
    """Dispatches by dispatch() and stream(), which are not timed."""
    devices: list[str] | None
    """Devices that its graph runs on; null where the browser does not report them."""


class QuantizedNodes(Part):
    """Number of quantized nodes by form."""

    fused: NonNegativeInt
    float_: NonNegativeInt = Field(alias="float")
    cpu: NonNegativeInt


class Totals(Part):
    """Sums over the model."""

    nodes: NonNegativeInt
    delegated_nodes: NonNegativeInt
    """Nodes that run on WebNN."""
    webnn_partitions: NonNegativeInt
    quantized_nodes: QuantizedNodes
    bytes_crossing: NonNegativeInt
    """Bytes that a run copies to and from WebNN."""
    build_ms: NonNegativeFloat
    """Time to build all graphs."""
    dispatch_ms: NonNegativeFloat | None
    """Mean times of all dispatches of a run; null before the first run."""


class DeniedNode(Part):
    """A node that went back to the CPU because the browser refused to build it."""

    node: NonNegativeInt
    reason: str


class Webnn(Part):
    """WebNN's part in running the model."""

    requested: bool
    used: bool
    device_preference: Literal["default", "gpu", "cpu", "npu"]
    power_preference: Literal["default", "high-performance", "low-power"]
    reason: str | None
    """Why WebNN is not used although it was requested."""
    backend: str | None
    """The polyfill's engine behind the context; null for a browser's own."""
    op_support_limits: dict[str, Any] | None
    """The context's opSupportLimits(); null without a context."""
    denied_nodes: list[DeniedNode]
    workarounds: list[str]
    """Ids of the browser's bugs that were worked around for this model; docs/reference/browser-bugs.md lists them."""
    context_losses: NonNegativeInt
    """How often the browser lost the context."""
    last_context_loss: str | None
    """The browser's message about the last loss."""


class XnnpackDenial(Part):
    """A node that TensorFlow Lite's own kernel runs because XNNPACK failed to prepare it, at load or in a run."""

    subgraph: NonNegativeInt | None
    """Null where TensorFlow Lite does not say which subgraph failed."""
    node: NonNegativeInt | None
    """Null where the entire subgraph runs without XNNPACK."""
    reason: str


class Xnnpack(Part):
    """XNNPACK's part in running the model."""

    dot_product: Literal["none", "signed", "unsigned"]
    """The bytes that relaxed SIMD's dot product takes as its second operand; none where its sums saturate."""
    denied_nodes: list[XnnpackDenial]


class LoadTimings(Part):
    """Loading times, in milliseconds."""

    compile: NonNegativeFloat
    """Fetching and compiling the wasm module."""
    init: NonNegativeFloat
    """TFLite's preparation of the model."""
    build: NonNegativeFloat
    """Building the WebNN graphs."""


class Subgraph(Part):
    """A subgraph, not the main one, that signatures run."""

    index: NonNegativeInt
    signatures: list[str]
    """The signatures that run it."""
    execution_mode: ExecutionMode | None
    """Null before its first run, which prepares it."""
    nodes: list[Node]
    """Empty before its first run, and where it runs in the main subgraph's wasm instance."""
    partitions: list[Partition]
    totals: Totals | None
    """Null where nodes is empty."""
    denied_nodes: list[DeniedNode]


class ModelReport(Part):
    """The report on a model: TFLiteModel.report as JSON, printed by `build.py explain --json`."""

    execution_mode: ExecutionMode
    """direct: WebNN runs the entire model; stepped: WebNN and the CPU alternate; blocking: the same, and the thread
    waits.
    """
    variant: Literal["simd", "relaxed-simd", "simd-threads", "relaxed-simd-threads"]
    """Build of the wasm module."""
    threads: Threads
    nodes: list[Node]
    """The nodes of the model, in its order."""
    partitions: list[Partition]
    """The delegate's partitions: ordered subsets of nodes."""
    totals: Totals
    subgraphs: list[Subgraph]
    """The other subgraphs that signatures run."""
    webnn: Webnn
    xnnpack: Xnnpack
    timings_ms: LoadTimings | None
    """Null in an explanation from saved limits, which builds nothing."""


class _UntitledFields(GenerateJsonSchema):
    def field_title_should_be_set(self, schema: Any) -> bool:  # a title would repeat the field's name
        return False


def schema_text() -> str:
    """Return report.schema.json."""
    schema = ModelReport.model_json_schema(schema_generator=_UntitledFields)
    about = {"$schema": _UntitledFields.schema_dialect, "$id": "report.schema.json"}
    return json.dumps({**about, **schema}, indent=2) + "\n"
