"""The options of TFLite's builtin ops: the schema's class for each op, filled by name."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from ai_edge_litert import schema_py_generated as schema

# Options of a node: values by their names in the schema; bytes for a custom op; None for a node without options.
Options = Mapping[str, Any] | bytes | None
DEFAULTS: Mapping[str, Any] = MappingProxyType({})

_REDUCTIONS = ("MEAN", "SUM", "REDUCE_PROD", "REDUCE_MAX", "REDUCE_MIN", "REDUCE_ANY", "REDUCE_ALL")
# Ops whose class has another name than the op.
_SHARED = {
    "L2_NORMALIZATION": "L2NormOptions",
    "UNIDIRECTIONAL_SEQUENCE_RNN": "SequenceRNNOptions",
    "CONV_3D_TRANSPOSE": "Conv3DOptions",
    **dict.fromkeys(("AVERAGE_POOL_2D", "MAX_POOL_2D", "L2_POOL_2D"), "Pool2DOptions"),
    **dict.fromkeys(("MAXIMUM", "MINIMUM"), "MaximumMinimumOptions"),
    **dict.fromkeys(("RANDOM_UNIFORM", "RANDOM_STANDARD_NORMAL", "MULTINOMIAL"), "RandomOptions"),
    **dict.fromkeys(_REDUCTIONS, "ReducerOptions"),
}
# The second union has the ops that were added since the first was full.
_UNIONS = {"builtinOptions": schema.BuiltinOptions, "builtinOptions2": schema.BuiltinOptions2}
_CLASSES = {name.lower(): name for union in _UNIONS.values() for name in vars(union)}


def set_options(node: Any, op: str, values: Mapping[str, Any]) -> None:
    """Set the options of an OperatorT, with these values in place of the defaults; some ops have none.

    Raises:
        AttributeError: the op has no such option.
    """
    name = _SHARED.get(op) or _CLASSES.get(f"{op.replace('_', '')}options".lower())
    if name is None:
        if values:
            raise AttributeError(f"{op} has no options")
        return
    options = getattr(schema, f"{name}T")()
    for key, value in values.items():
        if not hasattr(options, key):
            raise AttributeError(f"{name} has no option {key}")
        setattr(options, key, value)
    for field, union in _UNIONS.items():
        if hasattr(union, name):
            setattr(node, f"{field}Type", getattr(union, name))
            setattr(node, field, options)
