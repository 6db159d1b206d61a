"""TensorFlow Lite's `Interpreter`, compatible with ai_edge_litert.interpreter and tflite_runtime.interpreter."""

import operator
import os
from collections.abc import Callable, Iterable
from typing import Any, SupportsIndex

import numpy as np

from tflite_webnn.arguments import OpResolverType, load, session_options
from tflite_webnn.delegate import Delegate
from tflite_webnn.signature_runner import SignatureRunner
from tflite_webnn.tensors import Array


class Interpreter:
    """Runs a model.

        interpreter = Interpreter(model_path="model.tflite")
        interpreter.allocate_tensors()
        image, scores = interpreter.get_input_details()[0], interpreter.get_output_details()[0]
        interpreter.set_tensor(image["index"], pixels)  # of exactly image["dtype"] and image["shape"]
        interpreter.invoke()
        print(interpreter.get_tensor(scores["index"]))

    `experimental_delegates=[load_delegate("webnn")]` runs it on WebNN if the browser has it; see invoke().
    """

    def __init__(
        self,
        model_path: str | os.PathLike[str] | None = None,
        model_content: bytes | bytearray | memoryview | None = None,
        experimental_delegates: Iterable[Delegate] | None = None,
        num_threads: int | None = None,
        experimental_op_resolver_type: OpResolverType = OpResolverType.AUTO,
        experimental_preserve_all_tensors: bool = False,
        experimental_disable_delegate_clustering: bool = False,
        experimental_default_delegate_latest_features: bool = False,
        experimental_compress_quantization_zero_points: bool = False,
        experimental_disable_delegate_node_fusion: bool = False,
        experimental_force_delegate_node_profiling: bool = False,
    ) -> None:
        """Load a model.

        Args:
            model_path: path of the file, in Python's file system.
            model_content: the file's bytes, instead of model_path.
            experimental_delegates: results of load_delegate().
            num_threads: threads for the CPU, at least 1. Calls cannot wait for threads to start, so one runs: a
                larger number has no effect, and report() says so.
            experimental_op_resolver_type: the kernels of the nodes without a delegate.
            experimental_preserve_all_tensors: keep intermediate tensors for get_tensor(). All nodes then run
                on the CPU.
            experimental_disable_delegate_clustering: accepted without effect.
            experimental_default_delegate_latest_features: accepted without effect.
            experimental_compress_quantization_zero_points: return equal zero points once.
            experimental_disable_delegate_node_fusion: accepted without effect.
            experimental_force_delegate_node_profiling: accepted without effect.

        Raises:
            ValueError: an argument is wrong, the file does not exist, or is not a usable model (ModelError).
            TypeError: the content is not bytes.
        """
        self._delegates = list(experimental_delegates or [])
        self._compresses_zero_points = experimental_compress_quantization_zero_points
        options = session_options(
            self._delegates, num_threads, experimental_op_resolver_type, experimental_preserve_all_tensors
        )
        self._model = load(model_path, model_content, options)

    def __del__(self) -> None:
        """Free what the model holds outside Python."""
        model = getattr(self, "_model", None)  # missing if the constructor failed
        if model is not None:
            model.dispose()

    def allocate_tensors(self) -> None:
        """Allocate the tensors: once, and again after resize_tensor_input().

        Raises:
            RuntimeError: a node cannot run with these shapes.
        """
        self._model.allocate()

    def num_subgraphs(self) -> int:
        """Return how many subgraphs the model has."""
        return self._model.subgraph_count

    def get_input_details(self) -> list[dict[str, Any]]:
        """Return details of the model's inputs, in its order.

        Returns:
            For each input a dictionary of

            + `name`: str, the tensor's name.
            + `index`: int, for set_tensor() and get_tensor().
            + `shape`: int32 array [rank], its shape now; empty for a scalar.
            + `shape_signature`: int32 array [rank], -1 for a variable dimension.
            + `dtype`: numpy's type, e.g. np.float32; np.bytes_ for strings.
            + `quantization`: (scale, zero point), (0.0, 0) if they vary along a dimension, or are absent.
            + `quantization_parameters`: `scales` (float32 array), `zero_points` (int32 array), `quantized_dimension`,
              and `block_size`, 0 without block scales. Real value = scale * (integer - zero point). Block
              scales have the type of the tensor that holds them, e.g. np.float16.
            + `sparsity_parameters`: how a sparse tensor is stored; empty if it is dense.
        """
        return [self._details(index) for index in self._model.inputs]

    def get_output_details(self) -> list[dict[str, Any]]:
        """Return details of the model's outputs, in its order, as get_input_details() does."""
        return [self._details(index) for index in self._model.outputs]

    def get_tensor_details(self, subgraph_index: int = 0) -> list[dict[str, Any]]:
        """Return details of a subgraph's tensors, without those that lack a shape or a numpy type.

        Raises:
            ValueError: there is no such subgraph.
        """
        count = self._model.subgraph_count
        if not 0 <= subgraph_index < count:
            raise ValueError(
                f"subgraph_index is out of range: {subgraph_index} for the model, which has {count} subgraphs."
            )
        tensors = self._model.tensors(subgraph_index)
        return [self._details(tensor.index, subgraph_index) for tensor in tensors if tensor.is_described]

    def set_tensor(self, tensor_index: SupportsIndex, value: Any) -> None:
        """Copy values into an input.

        Args:
            tensor_index: `index` of its details.
            value: an array of exactly its type and shape; nothing is cast. Strings are an array of str or bytes.

        Raises:
            ValueError: the value does not fit, there is no such tensor, or tensors are not allocated yet.
            TypeError: the index is not an integer.
        """
        self._model.set(operator.index(tensor_index), value)

    def get_tensor(self, tensor_index: SupportsIndex, subgraph_index: SupportsIndex = 0) -> Any:
        """Return a copy of a tensor's values.

        Args:
            tensor_index: `index` of its details. Outputs hold values after a run; constants always do; intermediate
                tensors only with experimental_preserve_all_tensors.
            subgraph_index: the subgraph that the tensor is in.

        Returns:
            An array of its type and shape; a numpy scalar if it has no dimensions. Strings are bytes objects.

        Raises:
            ValueError: there is no such tensor, it has no values, or tensors are not allocated yet.
            TypeError: an index is not an integer.
        """
        return self._model.get(operator.index(tensor_index), operator.index(subgraph_index))

    def tensor(self, tensor_index: SupportsIndex) -> Callable[[], Array]:
        """Return a function that returns a tensor as an array to read and write.

            image = interpreter.tensor(interpreter.get_input_details()[0]["index"])
            image()[:] = pixels
            interpreter.invoke()

        Native TFLite's arrays share the tensor's memory, so nobody may hold one while the model runs. Here
        the memory is not Python's: the array is a mirror, copied in before each run and out after it, and may be
        held. It remains the same array while the tensor's shape is unchanged. The next run overwrites outputs.

        Returns:
            A function, which raises ValueError where get_tensor() does, and for tensors of strings.
        """
        index = operator.index(tensor_index)
        return lambda: self._model.mirror(index)

    def resize_tensor_input(self, input_index: SupportsIndex, tensor_size: Any, strict: bool = False) -> None:
        """Set the shape of an input; allocate_tensors() must come next.

        Args:
            input_index: `index` of its details.
            tensor_size: the shape: a list, or an array [rank].
            strict: accept only sizes of dimensions that are -1 in `shape_signature`.

        Raises:
            ValueError: the shape is not a list of integers.
            RuntimeError: TensorFlow Lite rejects it.
        """
        shape = np.array(tensor_size, dtype=np.int32)
        if shape.ndim != 1:
            raise ValueError(f"Shape should be 1D instead of {shape.ndim}.")
        self._model.resize(operator.index(input_index), shape.tolist(), strict=strict)

    def invoke(self) -> None:
        """Run the model on its inputs.

        With the delegate `webnn`, this call waits for WebNN. That works if Python
        runs as a task and the browser has JSPI, or in a worker of a cross-origin isolated page. invoke_async() works
        everywhere.

        Raises:
            RuntimeError: tensors are not allocated, or a node fails; AsyncInvokeRequiredError if it cannot wait;
                InterpreterBusyError during a run; ContextLostError if the browser lost WebNN.
        """
        self._model.invoke()

    async def invoke_async(self) -> None:
        """Run the model as invoke() does; with WebNN, this works everywhere.

        Do not use the interpreter until it is done. The first run, also after a change of shapes, builds WebNN's
        graphs: see prepare_async().

        Raises:
            RuntimeError: as invoke() does.
        """
        await self._model.invoke_async()

    async def prepare_async(self) -> None:
        """Build WebNN's graphs for the present shapes before the first run.

        Raises:
            RuntimeError: a run is in flight.
        """
        await self._model.prepare_async()

    def reset_all_variables(self) -> None:
        """Zero the variable tensors: the model's state between runs."""
        self._model.reset_variables()

    def report(self) -> dict[str, Any]:
        """Return where the model's nodes run, and why.

        Returns:
            A dictionary as report.schema.json of the npm package describes it: `executionMode` (direct, stepped,
            blocking or cpu), `webnn` with the `reason` why it is not used, `nodes`, `partitions`, `totals`.
        """
        return self._model.report()

    def get_signature_list(self) -> dict[str, dict[str, list[str]]]:
        """Return the model's signatures.

        Returns:
            By the signature's key `inputs` and `outputs`: lists of names.
        """
        return {
            signature["key"]: {
                direction: [tensor["name"] for tensor in signature[direction]] for direction in ("inputs", "outputs")
            }
            for signature in self._model.signatures
        }

    def get_signature_runner(self, signature_key: str | None = None) -> SignatureRunner:
        """Return a runner that accepts inputs by a signature's names.

        Args:
            signature_key: its key; optional if the model has only one signature.

        Raises:
            ValueError: there is no such signature, or several and no key.
        """
        if signature_key is None:
            keys = [signature["key"] for signature in self._model.signatures]
            if len(keys) != 1:
                raise ValueError(
                    f"SignatureDef signature_key is None and model has {len(keys)} Signatures. "
                    "None is only allowed when the model has 1 SignatureDef"
                )
            signature_key = keys[0]
        return SignatureRunner(self, signature_key)

    @property
    def experimental_compress_quantization_zero_points(self) -> bool:
        return self._compresses_zero_points

    def _get_full_signature_list(self) -> dict[str, dict[str, dict[str, int]]]:
        return {
            signature["key"]: {
                direction: {tensor["name"]: tensor["tensor"] for tensor in signature[direction]}
                for direction in ("inputs", "outputs")
            }
            for signature in self._model.signatures
        }

    def _get_tensor_details(self, tensor_index: SupportsIndex, subgraph_index: SupportsIndex) -> dict[str, Any]:
        return self._details(operator.index(tensor_index), operator.index(subgraph_index))

    def _get_ops_details(self) -> list[dict[str, Any]]:
        return self._model.op_details()

    def _get_op_details(self, op_index: int) -> dict[str, Any]:
        return self._get_ops_details()[op_index]

    def _details(self, index: int, subgraph: int = 0) -> dict[str, Any]:
        details = self._model.details(index, subgraph)
        zero_points = details["quantization_parameters"]["zero_points"]
        if self._compresses_zero_points and np.unique(zero_points).size == 1:
            details["quantization_parameters"]["zero_points"] = zero_points[:1]
        return details
