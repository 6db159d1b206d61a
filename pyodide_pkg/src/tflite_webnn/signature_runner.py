"""Runs a model by the names of one of its signatures."""

from typing import Any, Protocol, SupportsIndex

from tflite_webnn.model import Model


class _Interpreter(Protocol):
    _model: Model

    def _get_tensor_details(self, tensor_index: SupportsIndex, subgraph_index: SupportsIndex) -> dict[str, Any]: ...


class SignatureRunner:
    """A signature of a model, from `Interpreter.get_signature_runner()`.

        runner = interpreter.get_signature_runner("serving_default")
        result = runner(image=pixels)["scores"]

    A call with other shapes than before resizes the inputs and allocates.
    """

    def __init__(self, interpreter: _Interpreter | None = None, signature_key: str | None = None) -> None:
        """Find a signature.

        Args:
            interpreter: has the model.
            signature_key: the signature's key.

        Raises:
            ValueError: one of them is missing, or the model has no such signature.
        """
        if not interpreter:
            raise ValueError("None interpreter provided.")
        if not signature_key:
            raise ValueError("None signature_key provided.")
        self._interpreter = interpreter  # keeps the interpreter alive as long as its model is used
        self._model = interpreter._model
        found = [signature for signature in self._model.signatures if signature["key"] == signature_key]
        if not found:
            raise ValueError(f'Invalid signature_key provided: "{signature_key}".')
        self._subgraph: int = found[0]["subgraph"]
        self._inputs: dict[str, int] = _indices(found[0]["inputs"])
        self._outputs: dict[str, int] = _indices(found[0]["outputs"])

    def __call__(self, **inputs: Any) -> dict[str, Any]:
        """Run the signature.

        Args:
            **inputs: an array for each input, by the signature's names; of exactly its type.

        Returns:
            The results by the signature's names.

        Raises:
            ValueError: inputs are missing, unknown or of another type.
            RuntimeError: the model cannot run with these shapes, or not synchronously (AsyncInvokeRequiredError).
        """
        self._set(inputs)
        self._model.invoke(self._subgraph)
        return self._results()

    async def invoke_async(self, **inputs: Any) -> dict[str, Any]:
        """Run the signature, also on WebNN. Arguments, result and errors are those of a call."""
        self._set(inputs)
        await self._model.invoke_async(self._subgraph)
        return self._results()

    def get_input_details(self) -> dict[str, dict[str, Any]]:
        """Return details of the inputs by the signature's names, see Interpreter.get_input_details()."""
        return self._details(self._inputs)

    def get_output_details(self) -> dict[str, dict[str, Any]]:
        """Return details of the outputs by the signature's names, see Interpreter.get_output_details()."""
        return self._details(self._outputs)

    def _details(self, tensors: dict[str, int]) -> dict[str, dict[str, Any]]:
        return {name: self._interpreter._get_tensor_details(index, self._subgraph) for name, index in tensors.items()}

    def _set(self, inputs: dict[str, Any]) -> None:
        if len(inputs) != len(self._inputs):
            raise ValueError(
                "Invalid number of inputs provided for running a SignatureDef, "
                f"expected {len(self._inputs)} vs provided {len(inputs)}"
            )
        for name, value in inputs.items():
            if name not in self._inputs:
                raise ValueError(f"Invalid Input name ({name}) for SignatureDef")
            self._model.resize(self._inputs[name], value.shape, subgraph=self._subgraph)
        self._model.allocate(self._subgraph)
        for name, value in inputs.items():
            self._model.set(self._inputs[name], value, self._subgraph)

    def _results(self) -> dict[str, Any]:
        return {name: self._model.get(index, self._subgraph) for name, index in self._outputs.items()}


def _indices(tensors: list[dict[str, Any]]) -> dict[str, int]:
    return {tensor["name"]: tensor["tensor"] for tensor in tensors}
