"""Tensors as TensorFlow Lite describes them, and their values in numpy."""

import json
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tflite_webnn.strings import decode_strings, encode_strings

Array = NDArray[Any]

STRING = "STRING"

# numpy's type by TFLite's name. Numpy has no types of 2 and 4 bits: their values are unpacked.
_NUMPY_TYPES: dict[str, type[np.generic]] = {
    "FLOAT32": np.float32,
    "FLOAT16": np.float16,
    "FLOAT64": np.float64,
    "INT8": np.int8,
    "UINT8": np.uint8,
    "INT16": np.int16,
    "UINT16": np.uint16,
    "INT32": np.int32,
    "UINT32": np.uint32,
    "INT64": np.int64,
    "UINT64": np.uint64,
    "BOOL": np.bool_,
    "COMPLEX64": np.complex64,
    "COMPLEX128": np.complex128,
    STRING: np.bytes_,
    "INT4": np.int8,
    "UINT4": np.uint8,
    "INT2": np.int8,
    "RESOURCE": np.object_,
    "VARIANT": np.object_,
}
_PACKED_BITS = {"INT4": 4, "UINT4": 4, "INT2": 2}
# Four-bit types can be written, too: from this type, within these bounds.
_FOUR_BITS: dict[str, tuple[type[np.generic], int, int]] = {"INT4": (np.int8, -8, 7), "UINT4": (np.uint8, 0, 15)}
# Types without readable values.
_HANDLES = ("RESOURCE", "VARIANT")
_TYPE_NAMES = {
    np.dtype(numpy_type).name: name
    for name, numpy_type in _NUMPY_TYPES.items()
    if name not in (STRING, *_PACKED_BITS, *_HANDLES)
}


@dataclass(frozen=True)
class Tensor:
    """A tensor, as its subgraph was last described.

    Attributes:
        type_name: TensorFlow Lite's name of the element type, e.g. FLOAT32.
        dimensions: its shape now.
        signature: its shape as the model declares it: -1 for a variable dimension.
        is_allocated: whether it has memory; a tensor of no bytes needs none.
        is_dynamic: whether a run may change its shape.
        info: TensorFlow Lite's entire description.
    """

    index: int
    name: str
    type_name: str
    dimensions: tuple[int, ...]
    signature: tuple[int, ...]
    is_allocated: bool
    is_dynamic: bool
    is_variable: bool
    info: dict[str, Any]

    @property
    def numpy_type(self) -> type[np.generic] | None:
        """The type of its values, or None if numpy has none for them."""
        return _NUMPY_TYPES.get(self.type_name)

    @property
    def is_described(self) -> bool:
        """Whether it has a type and a shape; temporary tensors may have neither."""
        return self.numpy_type is not None and self.info["shape"] is not None

    @property
    def is_sparse(self) -> bool:
        """Whether it stores only some of its values."""
        return self.info["sparsity"] is not None

    @property
    def block_scales(self) -> int | None:
        """Index of the tensor with its block scales; None if it is not quantized by blocks."""
        index: int = self.info["blockScales"]
        return index if index >= 0 else None

    def details(self, block_scales: Array | None = None) -> dict[str, Any]:
        """Return its entry in `Interpreter.get_tensor_details()`.

        Args:
            block_scales: values of the tensor with its block scales.

        Raises:
            ValueError: it is not described.
        """
        if not self.is_described:
            raise ValueError(f"Tensor {self.index} has no shape, or no type that numpy knows: {self.type_name}.")
        quantization = self.info["quantization"] or {"scales": [], "zeroPoints": [], "quantizedDimension": 0}
        scales = np.array(quantization["scales"], np.float32) if block_scales is None else block_scales.ravel()
        return {
            "name": self.name,
            "index": self.index,
            "shape": np.array(self.dimensions, np.int32),
            "shape_signature": np.array(self.signature, np.int32),
            "dtype": self.numpy_type,
            "quantization": (float(np.float32(self.info["scale"])), self.info["zeroPoint"]),
            "quantization_parameters": {
                "scales": scales,
                "zero_points": np.array(quantization["zeroPoints"], np.int32),
                "quantized_dimension": quantization["quantizedDimension"],
                "block_size": self.info["blockSize"],
            },
            "sparsity_parameters": _sparsity_parameters(self.info["sparsity"]),
        }

    def encoded(self, value: object) -> Array:
        """Return `value` as bytes of this tensor. Nothing is cast.

        Raises:
            ValueError: its type or shape differs; the text is native TFLite's.
        """
        array = np.asarray(value)
        if self.type_name in _FOUR_BITS:
            return self._packed(array)
        provided = type_name_of(array.dtype)
        if provided != self.type_name:
            raise ValueError(
                f"Cannot set tensor: Got value of type {provided} but expected type {self.type_name} "
                f"for input {self.index}, name: {self.name} "
            )
        self._check_shape(array.shape)
        if self.type_name == STRING:
            return encode_strings(value)
        return bytes_of(np.require(array, array.dtype.newbyteorder("="), ["C_CONTIGUOUS"]))

    def _check_shape(self, shape: tuple[int, ...]) -> None:
        if len(shape) != len(self.dimensions):
            raise ValueError(
                f"Cannot set tensor: Dimension mismatch. Got {len(shape)} but expected {len(self.dimensions)} "
                f"for input {self.index}."
            )
        for dimension, (found, expected) in enumerate(zip(shape, self.dimensions, strict=True)):
            if found != expected:
                raise ValueError(
                    f"Cannot set tensor: Dimension mismatch. Got {found} but expected {expected} "
                    f"for dimension {dimension} of input {self.index}."
                )

    def _packed(self, array: Array) -> Array:
        """Return an array's values as packed four-bit integers."""
        expected, lowest, highest = _FOUR_BITS[self.type_name]
        if array.dtype != expected:
            raise ValueError(
                f"Cannot set tensor: Expected a numpy array of {expected.__name__} for {self.type_name} input "
                f"{self.index}, name: {self.name}, but got {type_name_of(array.dtype)}"
            )
        if array.size != self.element_count:
            raise ValueError(
                f"Cannot set tensor: Numpy array for {self.type_name} input {self.index}, name: {self.name}, has "
                f"{array.size} bytes, but expected {self.element_count} bytes for {self.element_count} elements"
            )
        if array.size and (array.min() < lowest or array.max() > highest):
            raise ValueError(
                f"Cannot set tensor: Values for {self.type_name} input must be between {lowest} and {highest}."
            )
        nibbles = np.zeros(array.size + array.size % 2, np.uint8)
        nibbles[: array.size] = array.reshape(-1).view(np.uint8) & 0x0F
        packed: Array = nibbles[0::2] | (nibbles[1::2] << 4)
        return packed

    @property
    def element_count(self) -> int:
        """Number of elements."""
        return math.prod(self.dimensions)

    def values(self, content: Array) -> Array:
        """Return the values in a tensor's bytes.

        Args:
            content: the bytes, which the result may share.

        Raises:
            ValueError: it holds a handle instead of values.
        """
        if self.type_name in _HANDLES or self.numpy_type is None:
            raise ValueError(f"Tensor {self.index} is of type {self.type_name}, which has no values to read.")
        if self.type_name == STRING:
            return decode_strings(content, self.dimensions)
        if self.type_name in _PACKED_BITS:
            values = _unpacked(content, _PACKED_BITS[self.type_name], self.numpy_type)
        else:
            values = content.view(self.numpy_type)
        return values if self.is_sparse else values[: self.element_count].reshape(self.dimensions)


def parse_tensors(text: str) -> list[Tensor]:
    """Parse the JSON of `Session.describeTensors()`."""
    return [
        Tensor(
            index=info["index"],
            name=info["name"],
            type_name=info["type"],
            dimensions=tuple(info["shape"] or ()),
            signature=tuple(info["shapeSignature"]),
            is_allocated=info["isAllocated"],
            is_dynamic=info["allocationType"] == "dynamic",
            is_variable=info["isVariable"],
            info=info,
        )
        for info in json.loads(text)
    ]


def type_name_of(dtype: np.dtype[Any]) -> str:
    """Return TensorFlow Lite's name of a numpy type; str, bytes and objects are strings."""
    if dtype.kind in "OSU":
        return STRING
    return _TYPE_NAMES.get(dtype.name, "NOTYPE")


def bytes_of(array: Array) -> Array:
    """Return the memory of a contiguous array as bytes, without a copy."""
    return array.reshape(-1).view(np.uint8)


def _unpacked(content: Array, bits: int, numpy_type: type[np.generic]) -> Array:
    """Unpack values into bytes, lowest bits first, with sign extension."""
    to_top = np.arange(8 - bits, -1, -bits, dtype=np.uint8)
    lifted: Array = np.ascontiguousarray(content[:, np.newaxis] << to_top).reshape(-1)
    return lifted.view(numpy_type) >> (8 - bits)


def _sparsity_parameters(sparsity: dict[str, Any] | None) -> dict[str, Any]:
    if sparsity is None:
        return {}
    parameters: dict[str, Any] = {"traversal_order": np.array(sparsity["traversalOrder"], np.int32)}
    if sparsity["blockMap"]:
        parameters["block_map"] = np.array(sparsity["blockMap"], np.int32)
    parameters["dim_metadata"] = [_dimension_metadata(dimension) for dimension in sparsity["dimMetadata"]]
    return parameters


def _dimension_metadata(dimension: dict[str, Any]) -> dict[str, Any]:
    if dimension["format"] == 0:
        return {"format": 0, "dense_size": dimension["denseSize"]}
    return {
        "format": 1,
        "array_segments": np.array(dimension["arraySegments"], np.int32),
        "array_indices": np.array(dimension["arrayIndices"], np.int32),
    }
