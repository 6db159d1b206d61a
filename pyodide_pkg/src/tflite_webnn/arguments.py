"""Arguments of an interpreter's constructor: kernels, delegates, and the model."""

import enum
import os
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from tflite_webnn.assets import current_backend
from tflite_webnn.backend import HeapView
from tflite_webnn.delegate import Delegate
from tflite_webnn.errors import ModelError
from tflite_webnn.model import Model

# Files are copied in chunks: no second copy of a large model in Python's memory.
Result = TypeVar("Result")
_CHUNK_BYTES = 1 << 24


@enum.unique
class OpResolverType(enum.Enum):
    """Kernels for the nodes that no delegate accepts.

    + AUTO, BUILTIN: XNNPACK, and TensorFlow Lite's optimized kernels for all other nodes.
    + BUILTIN_WITHOUT_DEFAULT_DELEGATES: the optimized kernels only.
    + BUILTIN_REF: the reference kernels, which are not part of this package: the optimized ones run, with a warning.
    """

    AUTO = 0
    BUILTIN = 1
    BUILTIN_REF = 2
    BUILTIN_WITHOUT_DEFAULT_DELEGATES = 3


def session_options(
    delegates: list[Delegate],
    num_threads: int | None,
    op_resolver_type: OpResolverType,
    preserve_all_tensors: bool,
) -> dict[str, Any]:
    """Return the options of a session.

    Raises:
        ValueError: an argument is wrong.
        TypeError: a delegate is not from load_delegate().
    """
    enable_xnnpack = _takes_xnnpack(op_resolver_type)
    if preserve_all_tensors:
        warnings.warn(
            "experimental_preserve_all_tensors keeps all intermediate tensors, which takes much memory: "
            "it is meant for debugging.",
            stacklevel=3,
        )
    if num_threads is not None and not isinstance(num_threads, int):
        raise ValueError("type of num_threads should be int")
    if num_threads is not None and num_threads < 1:
        raise ValueError("num_threads should >= 1")
    return {
        "numThreads": num_threads,
        "enableXnnpackDelegate": enable_xnnpack,
        "preserveAllTensors": preserve_all_tensors,
        "webnn": _webnn_options(delegates),
    }


def _takes_xnnpack(op_resolver_type: OpResolverType) -> bool:
    if not isinstance(op_resolver_type, OpResolverType):
        raise ValueError(f"Unrecognized passed in op resolver type: {op_resolver_type}")
    if op_resolver_type is OpResolverType.BUILTIN_REF:
        warnings.warn("The reference kernels are not part of this package; the optimized ones run.", stacklevel=4)
    return op_resolver_type in (OpResolverType.AUTO, OpResolverType.BUILTIN)


def _webnn_options(delegates: list[Delegate]) -> dict[str, Any] | None:
    for delegate in delegates:
        if not isinstance(delegate, Delegate):
            raise TypeError(f"experimental_delegates accepts results of load_delegate(), not {type(delegate).__name__}")
    return delegates[0].options if delegates else None


def load(path: str | os.PathLike[str] | None, content: bytes | bytearray | memoryview | None, options: Any) -> Model:
    """Load a model from Python's file system or from bytes.

    Raises:
        ValueError: not exactly one of them is provided, the file does not exist, or is not a usable model (ModelError).
        TypeError: the content is not bytes.
    """
    return with_file(path, content, lambda size_bytes, fill: Model.load(current_backend(), size_bytes, fill, options))


def with_file(
    path: str | os.PathLike[str] | None,
    content: bytes | bytearray | memoryview | None,
    use: Callable[[int, Callable[[HeapView], None]], Result],
) -> Result:
    """Return what `use` makes of a file's size in bytes, and of a function that copies it into JavaScript's memory.

    Raises:
        ValueError: not exactly one of them is provided, or the file does not exist (ModelError).
        TypeError: the content is not bytes.
    """
    if path and content:
        raise ValueError("Can't both provide `model_path` and `model_content`")
    if path:
        try:
            with Path(path).open("rb") as file:
                return use(Path(path).stat().st_size, _fill_from_file(file))
        except OSError as error:
            raise ModelError(f"Could not open '{os.fspath(path)}': {error.strerror}", "MODEL_NOT_FOUND") from error
    if content:
        if not isinstance(content, (bytes, bytearray, memoryview)):
            raise TypeError(f"model_content is the bytes of a model, not {type(content).__name__}")
        return use(memoryview(content).nbytes, _fill_from_bytes(content))
    raise ValueError("`model_path` or `model_content` must be specified.")


def _fill_from_bytes(content: bytes | bytearray | memoryview) -> Callable[[HeapView], None]:
    """Return a function that copies a model's bytes into the heap."""

    def fill(view: HeapView) -> None:
        source = memoryview(content).cast("B")
        for begin in range(0, len(source), _CHUNK_BYTES):
            part = source[begin : begin + _CHUNK_BYTES]
            view.subarray(begin, begin + len(part)).assign(part)

    return fill


def _fill_from_file(file: BinaryIO) -> Callable[[HeapView], None]:
    """Return a function that copies a file into the heap."""

    def fill(view: HeapView) -> None:
        begin = 0
        while part := file.read(_CHUNK_BYTES):
            view.subarray(begin, begin + len(part)).assign(part)
            begin += len(part)

    return fill
