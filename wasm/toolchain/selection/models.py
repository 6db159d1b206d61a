"""What models need of a module, read from their files."""

from dataclasses import dataclass
from pathlib import Path

from ai_edge_litert import schema_py_generated as schema

from wasm.toolchain.selection.errors import SelectionError

FILE_IDENTIFIER = b"TFL3"


@dataclass(frozen=True)
class Needs:
    """A model's ops, builtin and custom, and its tensors' element types."""

    ops: frozenset[str]
    types: frozenset[str]


def read_needs(path: Path) -> Needs:
    """Return what a model needs.

    Raises:
        SelectionError: the file is missing, or is not a TFLite model.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise SelectionError(f"the model cannot be read: {error.strerror}", where=str(path)) from error
    if content[4:8] != FILE_IDENTIFIER:
        raise SelectionError("not a TensorFlow Lite model", where=str(path), hint="name the path of a .tflite file")
    try:
        model = schema.ModelT.InitFromObj(schema.Model.GetRootAsModel(content))
    except Exception as error:  # the generated reader does not check, so it may raise anything
        raise SelectionError(f"the model is damaged: {error}", where=str(path)) from error
    ops = frozenset(_op_name(code) for code in model.operatorCodes or ())
    tensors = [tensor for graph in model.subgraphs or () for tensor in graph.tensors or ()]
    return Needs(ops, frozenset(_names(schema.TensorType)[tensor.type] for tensor in tensors))


def _op_name(code: schema.OperatorCodeT) -> str:
    # Files from the time of fewer than 128 ops have the number only in the older field.
    number = max(code.deprecatedBuiltinCode, code.builtinCode)
    if number == schema.BuiltinOperator.CUSTOM:
        return (code.customCode or b"").decode()
    return _names(schema.BuiltinOperator)[number]


def _names(enumeration: type) -> dict[int, str]:
    return {value: name for name, value in vars(enumeration).items() if isinstance(value, int)}
