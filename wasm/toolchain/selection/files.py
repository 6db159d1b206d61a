"""The generated files of a module for certain models, which wasm/runner and wasm/cmake compile."""

from collections.abc import Mapping
from pathlib import Path

from wasm.toolchain.selection import kernels, xnnpack
from wasm.toolchain.selection.models import op_names
from wasm.toolchain.selection.selection import Selection

ALL_OPS = '#include "runner/all_ops.cc"\n'


def write_files(folder: Path, sources: Mapping[str, Path], selection: Selection) -> None:
    """Write ops.cc, xnnpack_absent.c and xnnpack_renamed.h; unchanged files are not touched.

    Args:
        folder: created if missing.
        sources: the folder of each third-party component.
        selection: the contents of the module.

    Raises:
        SelectionError: TFLite has no kernel of a selected op.
    """
    lite = sources["tensorflow"] / "tensorflow" / "lite"
    absent = xnnpack.Absent({}, ())
    ops = ALL_OPS
    if selection.ops is not None:
        texts = _read_xnnpack(sources["xnnpack"], lite)
        absent = xnnpack.find_absent(texts, op_names(), selection.ops, selection.types or ())
        ops = kernels.ops_file(
            (lite / "core" / "kernels" / "register.cc").read_text(), selection.ops, selection.types or ()
        )
    files = {"ops.cc": ops, "xnnpack_absent.c": absent.stand_ins(), "xnnpack_renamed.h": absent.renaming_header()}
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        file = folder / name
        if not file.exists() or file.read_text() != text:
            file.write_text(text)


def _read_xnnpack(xnnpack_dir: Path, lite: Path) -> xnnpack.Sources:
    return xnnpack.Sources(
        delegate=(lite / "delegates" / "xnnpack" / "xnnpack_delegate.cc").read_text(),
        builtin_ops=(lite / "builtin_ops.h").read_text(),
        header=(xnnpack_dir / "include" / "xnnpack.h").read_text(),
        subgraph=_texts(xnnpack_dir / "src" / "subgraph"),
        configs=_texts(xnnpack_dir / "src" / "configs"),
    )


def _texts(folder: Path) -> str:
    return "\n".join(file.read_text() for file in sorted(folder.rglob("*")) if file.suffix in {".c", ".cc", ".h"})
