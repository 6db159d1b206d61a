"""Mutations of quantization parameters: counts, scales, zero points, the quantized dimension, entire tensors' types."""

from typing import Any

from ai_edge_litert import schema_py_generated as schema

from tools.fuzz.choice import Mutation, Random, index, number, numbers, pick, real, tensor_of

QUANTIZED_TYPES = ("INT8", "UINT8", "INT16", "INT32", "INT4", "FLOAT32")


def no_quantization(model: Any, random: Random) -> None:
    """Remove a tensor's parameters, or some of them."""
    tensor = tensor_of(model, random)
    if tensor and tensor.quantization:
        part = pick(("scale", "zeroPoint", None), random)
        if part:
            setattr(tensor.quantization, part, None)
        else:
            tensor.quantization = None


def scale(model: Any, random: Random) -> None:
    """Change a scale: zero, negative, not a number."""
    parameters = _parameters(model, random)
    if parameters:
        scales = [float(value) for value in _values(parameters.scale)] or [1.0]
        scales[int(random.integers(len(scales)))] = real(random)
        parameters.scale = scales


def zero_point(model: Any, random: Random) -> None:
    """Change a zero point, also to values outside the type's range."""
    parameters = _parameters(model, random)
    if parameters:
        points = numbers(parameters.zeroPoint) or [0]
        points[int(random.integers(len(points)))] = number(random) * pick((1, 1, 2**31), random)
        parameters.zeroPoint = points


def scale_count(model: Any, random: Random) -> None:
    """Make the number of scales or zero points differ from the number of channels."""
    parameters = _parameters(model, random)
    if parameters:
        scales, points = _values(parameters.scale), numbers(parameters.zeroPoint)
        if random.random() < 0.7:
            parameters.scale = _resized([float(value) for value in scales] or [0.5], random)
        if random.random() < 0.5:
            parameters.zeroPoint = _resized(points or [0], random)


def quantized_dimension(model: Any, random: Random) -> None:
    """Change the quantized dimension of a tensor."""
    parameters = _parameters(model, random)
    if parameters:
        parameters.quantizedDimension = number(random)


def per_channel(model: Any, random: Random) -> None:
    """Quantize a tensor along a dimension, mostly with one scale per index."""
    if tensor := tensor_of(model, random):
        shape = numbers(tensor.shape)
        dimension = index(len(shape), random)
        count = shape[dimension] if 0 <= dimension < len(shape) and 0 < shape[dimension] < 4096 else 3
        created = schema.QuantizationParametersT()
        created.scale = [0.25] * count
        created.zeroPoint = [0] * pick((count, count, 1, 0), random)
        created.quantizedDimension = dimension
        tensor.quantization = created
        tensor.type = _type(random)


def per_tensor(model: Any, random: Random) -> None:
    """Quantize all tensors, with parameters that most quantized kernels accept."""
    new_type = _type(random)
    for tensor in model.subgraphs[0].tensors or []:
        if tensor.type == schema.TensorType.FLOAT32:
            tensor.type = new_type
            tensor.quantization = schema.QuantizationParametersT()
            tensor.quantization.scale = [0.5]
            tensor.quantization.zeroPoint = [0]


def minimum_and_maximum(model: Any, random: Random) -> None:
    """Change the range recorded by calibration."""
    parameters = _parameters(model, random)
    if parameters:
        parameters.min = [real(random) for _ in range(int(random.integers(0, 3)))]
        parameters.max = [real(random) for _ in range(int(random.integers(0, 3)))]


def details(model: Any, random: Random) -> None:
    """Make the parameters those of a custom or blockwise quantization."""
    parameters = _parameters(model, random)
    if parameters and random.random() < 0.5:
        parameters.detailsType = schema.QuantizationDetails.CustomQuantization
        parameters.details = schema.CustomQuantizationT()
        parameters.details.custom = numbers(random.integers(0, 256, int(random.integers(0, 9))))
    elif parameters:
        parameters.detailsType = schema.QuantizationDetails.BlockwiseQuantization
        parameters.details = schema.BlockwiseQuantizationT()
        parameters.details.scales = number(random)
        parameters.details.zeroPoints = number(random)
        parameters.details.blockSize = number(random)


MUTATIONS: tuple[Mutation, ...] = (
    no_quantization,
    scale,
    zero_point,
    scale_count,
    quantized_dimension,
    per_channel,
    per_tensor,
    minimum_and_maximum,
    details,
)


def _parameters(model: Any, random: Random) -> Any:
    """Return a tensor's parameters, empty ones if it has none; None without a tensor."""
    tensor = tensor_of(model, random)
    if tensor is None:
        return None
    if tensor.quantization is None:
        tensor.quantization = schema.QuantizationParametersT()
    return tensor.quantization


def _resized(values: list[Any], random: Random) -> list[Any]:
    count = int(random.integers(0, 9)) if random.random() < 0.7 else len(values) + int(random.integers(-1, 2))
    return (values * (count // len(values) + 1))[: max(count, 0)]


def _values(vector: Any) -> Any:
    return [] if vector is None else vector


def _type(random: Random) -> int:
    return int(getattr(schema.TensorType, pick(QUANTIZED_TYPES, random)))
