"""The parts of README.md that come from committed results: numbers, browsers, and badges."""

from collections.abc import Iterator
from pathlib import Path
from statistics import median

from support.markdown_table import table
from support.marked_text import replaced
from support.paths import PROJECT_DIR
from tools import result_file
from tools.bench import peers_document
from tools.bench.result import Result
from tools.matrix import document as browsers_document
from tools.matrix.result import EngineRow, Matrix

DOCUMENT = PROJECT_DIR / "README.md"
BADGES_DIR = PROJECT_DIR / "docs" / "images"
BEGIN_NUMBERS = "<!-- Numbers: made by `python3 build.py docs` -->"
BEGIN_BROWSERS = "<!-- Browsers: made by `python3 build.py docs` -->"
END = "<!-- End -->"
# Columns of the table of browsers, and the executions that each stands for.
COLUMNS = {
    "WebNN": ("webnn",),
    "polyfill": ("polyfill-tflite", "polyfill-webgpu", "polyfill-webgl"),
    "CPU": ("simd", "relaxed-simd"),
    "threads": ("simd-threads", "relaxed-simd-threads"),
}
PEER, CPU_PEER = "litert.js/webnn", "litert.js/wasm"
# The runtimes of the comparison, in the order of its columns; None where the library has no WebNN.
WEBNN_PEERS = (PEER, None, "onnxruntime-web/webnn")
CPU_PEERS = (CPU_PEER, "tfjs-tflite/simd", "onnxruntime-web/wasm")
FILES = "docs/guides/hosting.md#what-a-page-loads"
NUMBERS = """
- **Small**: module and scripts are {size} kB with gzip ([files]({files})), LiteRT.js's [{peer_size} kB]({page}).
- **Fast**: the median model runs {webnn} times as fast as on LiteRT.js with WebNN, {cpu} times on one CPU thread.

{comparison}
"""
CHARACTER, PADDING = 6.6, 12
BADGE = """\
<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="20" role="img" aria-label="{name}: {value}">
<title>{name}: {value}</title>
<rect width="{width}" height="20" rx="3" fill="#24292f"/>
<rect x="{left}" width="{right}" height="20" rx="3" fill="#0b5cad"/>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">
<text x="{name_x}" y="14">{name}</text><text x="{value_x}" y="14">{value}</text>
</g>
</svg>
"""


def write() -> None:
    """Write the parts into README.md, and the badges.

    Raises:
        NoPlaceError: README.md lacks a mark.
    """
    for file, text in texts().items():
        file.write_text(text, encoding="utf-8")


def texts() -> dict[Path, str]:
    """Return README.md and the badges, as the results have them.

    Raises:
        NoPlaceError: README.md lacks a mark.
    """
    document = DOCUMENT.read_text(encoding="utf-8")
    for begin, text in ((BEGIN_NUMBERS, numbers()), (BEGIN_BROWSERS, f"\n{browsers()}\n")):
        document = replaced(document, begin, END, text, where=DOCUMENT)
    return {DOCUMENT: document, **{BADGES_DIR / name: content for name, content in badges().items()}}


def numbers(file: Path = peers_document.RESULT) -> str:
    """Return the points about size and speed, and a table of them, with the numbers of docs/reference/benchmarks.md."""
    found = result_file.read(Result, file)
    sizes = {row.runtime: row.gzip_bytes for row in found.loading if row.gzip_bytes}
    webnn, cpu = (f"{_ratio(found, runtime):.1f}" for runtime in (PEER, CPU_PEER))
    size, peer_size = (f"{sizes[runtime] / 1000:,.0f}" for runtime in ("tflite-webnn/webnn", PEER))
    return NUMBERS.format(
        page=_page(), files=FILES, size=size, peer_size=peer_size, webnn=webnn, cpu=cpu, comparison=_comparison(found)
    )


def _comparison(found: Result) -> str:
    sizes = {row.runtime: row.gzip_bytes for row in found.loading if row.gzip_bytes}
    loaded = ("tflite-webnn/webnn", *(webnn or cpu for webnn, cpu in zip(WEBNN_PEERS, CPU_PEERS, strict=True)))
    title = f"[measured]({_page()}) with the models that each runs"
    rows = [
        ["library, gzip", *(f"{sizes[runtime] / 1000:,.0f} kB" for runtime in loaded)],
        ["time of the median model, WebNN", "1", *(_time(found, runtime) for runtime in WEBNN_PEERS)],
        ["on one thread of the CPU", "1", *(_time(found, runtime) for runtime in CPU_PEERS)],
    ]
    return table([title, "tflite-webnn", "LiteRT.js", "tfjs-tflite", "ONNX Runtime Web"], rows)


def _page() -> str:
    return str(peers_document.DOCUMENT.relative_to(PROJECT_DIR))


def _time(found: Result, runtime: str | None) -> str:
    return "-" if runtime is None else f"{_ratio(found, runtime):.1f}"


def _ratio(found: Result, runtime: str) -> float:
    rows = (row for row in found.speed if row.runtime == runtime and row.verdict.grade != "WRONG")
    return median(row.ratio.median for row in rows if row.ratio)


def browsers(file: Path = browsers_document.RESULT) -> str:
    """Return a row for each browser: what runs in it, its version, and when it was tested.

    Answers do not depend on the machine's load, and each row has its day: citation.check() is for speeds.
    """
    found = result_file.read(Matrix, file)
    # One row for a browser that two drivers start.
    engines = {row.version: row for row in reversed(found.engines)}
    rows = [[row.title, *_cells(found, row), _version(row), row.measured[:10]] for row in reversed(engines.values())]
    return table(["browser", *COLUMNS, "tested version", "on"], rows)


def _version(row: EngineRow) -> str:
    return ".".join(row.version.split(".")[:2])


def _cells(found: Matrix, engine: EngineRow) -> Iterator[str]:
    for executions in COLUMNS.values():
        cells = [cell for cell in found.cells if cell.engine == engine.name and cell.execution in executions]
        right = sum(cell.status == "right" for cell in cells)
        yield "no" if not cells else "yes" if right == len(cells) else f"{right} of {len(cells)}"


def badges() -> dict[str, str]:
    """Return SVG files: no page asks another host for them."""
    found = result_file.read(Result, peers_document.RESULT)
    size = next(row.gzip_bytes for row in found.loading if row.runtime == "tflite-webnn/webnn" and row.gzip_bytes)
    license_text = (PROJECT_DIR / "LICENSE").read_text(encoding="utf-8")
    name = "Apache-2.0" if "Apache License" in license_text and "Version 2.0" in license_text else "see LICENSE"
    return {"license.svg": _badge("license", name), "size.svg": _badge("gzip", f"{size / 1000:.0f} kB")}


def _badge(name: str, value: str) -> str:
    left, right = (round(len(text) * CHARACTER + PADDING) for text in (name, value))
    xs = {"name_x": left / 2, "value_x": left + right / 2}
    return BADGE.format(name=name, value=value, width=left + right, left=left, right=right, **xs)
