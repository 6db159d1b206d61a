"""The contents of a module."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support.paths import PROJECT_DIR
from wasm.toolchain.selection.errors import SelectionError

# The printed op table (wasm/tflite_kernels/op_table.def).
OPS_FILE = PROJECT_DIR / "wasm" / "ops.json"


@dataclass(frozen=True)
class Selection:
    """The contents of a module.

    Attributes:
        ops: names of builtin ops ("CONV_2D") and of custom ones; None for all.
        types: names of the tensors' element types ("INT8"), which select XNNPACK's kernels; None for all.
        with_webnn: whether it includes the WebNN delegate.
        with_xnnpack: whether it includes the XNNPACK delegate.
    """

    ops: tuple[str, ...] | None = None
    types: tuple[str, ...] | None = None
    with_webnn: bool = True
    with_xnnpack: bool = True

    def described(self) -> dict[str, Any]:
        """Return the selection for a manifest."""
        return {
            "ops": self.ops and list(self.ops),
            "types": self.types and list(self.types),
            "webnn": self.with_webnn,
            "xnnpack": self.with_xnnpack,
        }


EVERYTHING = Selection()


def select(
    models: Sequence[Path], ops: Iterable[str], *, with_webnn: bool = True, with_xnnpack: bool = True
) -> Selection:
    """Return the selection for these models and ops; without any, all ops.

    Ops without a model may have tensors of any type.

    Raises:
        SelectionError: a file is missing, or is not a TFLite model; or TFLite has no kernel of an op.
    """
    named = set(ops)
    if not models and not named:
        return Selection(with_webnn=with_webnn, with_xnnpack=with_xnnpack)
    from wasm.toolchain.selection.models import read_needs  # imports packages that setup installs

    needs = [read_needs(model) for model in models]
    types = {name for need in needs for name in need.types}
    selected = named.union(*(need.ops for need in needs))
    if unknown := sorted(selected - _ops_with_a_kernel()):
        raise SelectionError(
            f"there is no kernel for {', '.join(unknown)}",
            hint="use TFLite's names, e.g. CONV_2D; docs/reference/ops.md lists them",
        )
    return Selection(
        ops=tuple(sorted(selected)),
        types=None if named else tuple(sorted(types)),
        with_webnn=with_webnn,
        with_xnnpack=with_xnnpack,
    )


def _ops_with_a_kernel() -> set[str]:
    return {op["op"] for op in json.loads(OPS_FILE.read_text()) if "versions" in op}
