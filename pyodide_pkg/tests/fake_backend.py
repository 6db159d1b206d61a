"""A fake of the JavaScript half: native LiteRT behind the same interface."""

import json
from collections.abc import Awaitable
from typing import Any

import numpy as np
from ai_edge_litert import schema_py_generated as schema
from ai_edge_litert.interpreter import Interpreter as NativeInterpreter
from ai_edge_litert.interpreter import OpResolverType
from numpy.typing import NDArray

from web_tests.models.model_file import unpacked

_TYPE_NAMES = {number: name for name, number in vars(schema.TensorType).items() if name.isupper()}
_NUMPY_TYPE_NAMES = {np.float32: "FLOAT32", np.int8: "INT8", np.int32: "INT32", np.uint8: "UINT8", np.int64: "INT64"}

# A kernel's temporary tensor: native LiteRT crashes if it is read.
_TEMPORARY: dict[str, Any] = {
    "name": "",
    "type": "NOTYPE",
    "shape": None,
    "shapeSignature": [],
    "isVariable": False,
    "isAllocated": False,
    "allocationType": "none",
    "blockScales": -1,
}


class FakeError(Exception):
    """A JavaScript error as Pyodide raises it, with the same attributes."""

    def __init__(self, name: str, code: str, message: str) -> None:
        super().__init__(message)
        self.name = name
        self.code = code
        self.message = message


class FakeView:
    def __init__(self, content: NDArray[np.uint8]) -> None:
        self._content = content

    @property
    def byteLength(self) -> int:
        return self._content.size

    def assign(self, source: Any) -> None:
        provided = memoryview(source)
        assert provided.format == "B", "Pyodide rejects other formats"
        self._content[:] = np.frombuffer(provided, np.uint8)

    def assign_to(self, target: Any) -> None:
        np.copyto(target, self._content)

    def subarray(self, begin: int, end: int) -> "FakeView":
        return FakeView(self._content[begin:end])


class FakeSession:
    """A model of native LiteRT.

    Attributes:
        options: the options of openSession().
        is_webnn_ready: whether "WebNN" is prepared.
        disposals: number of calls of dispose().
        pause: if set, runs await it midway.
    """

    def __init__(self, size_bytes: int, options: dict[str, Any]) -> None:
        self.options = options
        self.is_webnn_ready = False
        self.disposals = 0
        self.pause: Awaitable[None] | None = None
        self._content = np.zeros(size_bytes, np.uint8)
        self._types: list[list[int]] = []
        self._quantization: list[list[Any]] = []
        self._native: Any = None

    def modelBytes(self) -> FakeView:
        return FakeView(self._content)

    def load(self) -> None:
        content = self._content.tobytes()
        kernels = OpResolverType.AUTO
        if not self.options["enableXnnpackDelegate"]:
            kernels = OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES
        try:
            interpreter = NativeInterpreter(
                model_content=content,
                experimental_op_resolver_type=kernels,
                experimental_preserve_all_tensors=self.options["preserveAllTensors"],
            )
        except ValueError as error:
            raise FakeError("MalformedModelError", "MALFORMED_MODEL", str(error)) from error
        self._interpreter = interpreter  # the arrays below share its memory
        self._native = interpreter._interpreter
        model = unpacked(content)
        self._types = [[tensor.type for tensor in graph.tensors] for graph in model.subgraphs]
        self._quantization = [[tensor.quantization for tensor in graph.tensors] for graph in model.subgraphs]

    def describe(self) -> str:
        signatures = []
        for key, directions in self._native.GetSignatureDefs().items():
            named = {
                direction: [{"name": name, "tensor": index} for name, index in directions[direction].items()]
                for direction in ("inputs", "outputs")
            }
            subgraph = self._native.GetSubgraphIndexFromSignature(key)
            signatures.append({"key": key, "subgraph": subgraph, **named})
        return json.dumps(
            {
                "inputs": self._native.InputIndices().tolist(),
                "outputs": self._native.OutputIndices().tolist(),
                "signatures": signatures,
                "subgraphCount": self._native.NumSubgraphs(),
            }
        )

    def describeTensors(self, subgraph: int) -> str:
        count = self._native.NumTensors(subgraph)
        return json.dumps([self._describe_tensor(index, subgraph) for index in range(count)])

    def describeNodes(self, subgraph: int) -> str:
        nodes = [
            {
                "index": index,
                "op": self._native.NodeName(index),
                "inputs": self._native.NodeInputs(index).tolist(),
                "outputs": self._native.NodeOutputs(index).tolist(),
            }
            for index in range(self._native.NumNodes())
        ]
        return json.dumps(nodes)

    def resizeInput(self, tensor: int, subgraph: int, shape: str, strict: bool) -> None:
        self._run(self._native.ResizeInputTensor, tensor, np.array(json.loads(shape), np.int32), strict, subgraph)

    def allocate(self, subgraph: int) -> None:
        if subgraph == 0:
            self._run(self._native.AllocateTensors)
        else:
            self._run(self._native.AllocateTensors, subgraph)

    def tensorBytes(self, tensor: int, subgraph: int) -> FakeView:
        view = self._native.tensor(self._native, tensor, subgraph)
        content = np.atleast_1d(view).reshape(-1).view(np.uint8)
        if self._type_name(tensor, subgraph) in ("INT4", "UINT4"):
            content = content[: (content.size + 1) // 2]
        if self._native.TensorSparsityParameters(tensor, subgraph):
            content = content[: self._native.GetTensor(tensor, subgraph).nbytes]
        return FakeView(content)

    def reserveBytes(self, tensor: int, subgraph: int, sizeBytes: int) -> FakeView:
        raise NotImplementedError("string tensors are tested on the session itself")

    def needsPromise(self) -> bool:
        return self.options["webnn"] is not None and not self.is_webnn_ready

    def invoke(self, subgraph: int) -> None:
        if self.needsPromise():
            raise FakeError("BlockingError", "CANNOT_BLOCK", "WebNN returns promises.")
        self._run(self._native.Invoke, subgraph)

    async def invokeAsync(self) -> None:
        if self.pause is not None:
            await self.pause
        self._run(self._native.Invoke, 0)

    async def prepareAsync(self) -> None:
        self.is_webnn_ready = True

    def resetVariables(self) -> None:
        self._run(self._native.ResetVariableTensors)

    def report(self) -> str:
        return json.dumps({"executionMode": "cpu"})

    def dispose(self) -> None:
        self.disposals += 1

    def _run(self, call: Any, *arguments: Any) -> None:
        try:
            call(*arguments)
        except RuntimeError as error:
            raise FakeError("InterpreterError", "FAILED", str(error)) from error

    def _type_name(self, index: int, subgraph: int) -> str:
        known = self._types[subgraph]
        if index < len(known):
            return str(_TYPE_NAMES[known[index]])
        try:
            return _NUMPY_TYPE_NAMES[self._native.TensorType(index, subgraph)]
        except ValueError:
            return "NOTYPE"

    def _describe_tensor(self, index: int, subgraph: int) -> dict[str, Any]:
        shape = self._shape(index, subgraph)
        if shape is None:
            return {**_TEMPORARY, "index": index}
        scale, zero_point = self._native.TensorQuantization(index, subgraph)
        scales, zero_points, dimension, block_size = self._native.TensorQuantizationParameters(index, subgraph)
        sparsity = self._native.TensorSparsityParameters(index, subgraph)
        return {
            "index": index,
            "name": self._native.TensorName(index, subgraph),
            "type": self._type_name(index, subgraph),
            "shape": shape,
            "shapeSignature": self._native.TensorSizeSignature(index, subgraph).tolist(),
            "scale": scale,
            "zeroPoint": zero_point,
            "quantization": {
                "scales": scales.tolist(),
                "zeroPoints": zero_points.tolist(),
                "quantizedDimension": dimension,
            },
            "blockSize": block_size,
            "blockScales": self._block_scales(index, subgraph) if block_size else -1,
            "sparsity": _sparsity(sparsity) if sparsity else None,
            "isVariable": False,
            "isAllocated": self._is_allocated(index, subgraph),
            "allocationType": "dynamic",  # native LiteRT does not expose it
        }

    def _block_scales(self, index: int, subgraph: int) -> int:
        return int(self._quantization[subgraph][index].details.scales)

    def _shape(self, index: int, subgraph: int) -> list[int] | None:
        try:
            shape: list[int] = self._native.TensorSize(index, subgraph).tolist()
            return shape
        except ValueError:
            return None

    def _is_allocated(self, index: int, subgraph: int) -> bool:
        try:
            self._native.tensor(self._native, index, subgraph)
        except ValueError:
            return False
        return True


class FakeMetadata:
    """A file without metadata."""

    def __init__(self, size_bytes: int) -> None:
        self._content = np.zeros(size_bytes, np.uint8)

    def modelBytes(self) -> FakeView:
        return FakeView(self._content)

    def read(self) -> str:
        return "null"


class FakeBackend:
    """Opens models of native LiteRT.

    Attributes:
        sessions: all opened sessions.
    """

    def __init__(self) -> None:
        self.sessions: list[FakeSession] = []

    def openSession(self, modelSizeBytes: int, options: str) -> FakeSession:
        session = FakeSession(modelSizeBytes, json.loads(options))
        self.sessions.append(session)
        return session

    def openMetadata(self, modelSizeBytes: int) -> "FakeMetadata":
        return FakeMetadata(modelSizeBytes)

    def parseDelegateOptions(self, options: str) -> str:
        provided = json.loads(options)
        if "device_preference" not in provided and provided:
            raise FakeError("DelegateOptionError", "DELEGATE_OPTION", f"there is no option {next(iter(provided))}")
        return json.dumps({"devicePreference": provided.get("device_preference", "default")})

    async def startHelper(self) -> None:
        pass


def _sparsity(parameters: dict[str, Any]) -> dict[str, Any]:
    dimensions = [
        {"format": 0, "denseSize": dimension["dense_size"]}
        if dimension["format"] == 0
        else {
            "format": 1,
            "arraySegments": dimension["array_segments"].tolist(),
            "arrayIndices": dimension["array_indices"].tolist(),
        }
        for dimension in parameters["dim_metadata"]
    ]
    block_map = parameters.get("block_map")
    return {
        "traversalOrder": parameters["traversal_order"].tolist(),
        "blockMap": None if block_map is None else block_map.tolist(),
        "dimMetadata": dimensions,
    }
