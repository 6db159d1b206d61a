"""The options of build.py's larger commands. Standard library only: they are read before anything is installed."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from tools import manual

DEFAULT_VARIANT = "simd"
DEFAULT_ROUNDS = 20
DEFAULT_FUZZ_COUNT = 20_000
DEFAULT_FUZZ_SEED = 1
FUZZ_VARIANT = "sanitizer"
DEFAULT_PROPERTIES_EXAMPLES = 20_000
DEFAULT_PROPERTIES_SEED = 1
TOOLS = ("benchmark_model", "inference_diff")
PLACES = ("webnn", "polyfill", "node")
DRAWN_ON = ("cpu", "webnn", "polyfill")
EXECUTIONS = ("cpu", "webnn", "blocking", "polyfill")


def add_measurement_options(command: argparse.ArgumentParser) -> None:
    """Add the options: what runs models in a browser takes."""
    command.add_argument("--model", type=Path, action="append", default=[], metavar="FILE", help=manual.MODEL)
    command.add_argument("--json", action="store_true", help="print JSON, and nothing else, on standard output")
    command.add_argument("--browser", type=Path, metavar="PATH", help=manual.BROWSER)
    command.add_argument("--rounds", type=int, metavar="N", help=f"timed runs per side (mostly {DEFAULT_ROUNDS})")


def add_bench_options(bench: argparse.ArgumentParser) -> None:
    """Add the options: those of `bench`."""
    instead = bench.add_mutually_exclusive_group()
    instead.add_argument("--quick", action="store_true", help=manual.QUICK)
    instead.add_argument("--overhead", action="store_true", help=manual.OVERHEAD)
    instead.add_argument("--polyfill", action="store_true", help=manual.POLYFILL)
    instead.add_argument("--pyodide", action="store_true", help=manual.PYODIDE)
    instead.add_argument("--tool", action="store_true", help=manual.TOOL_TIMES)
    instead.add_argument("--sweep", action="store_true", help=manual.SWEEP)
    instead.add_argument("--document", type=Path, metavar="DIR", help=manual.DOCUMENT)
    add_measurement_options(bench)
    bench.add_argument("--engine", action="append", default=[], metavar="NAME", help=manual.ENGINE)
    bench.add_argument("--load-rounds", type=int, metavar="N", help=manual.LOAD_ROUNDS)
    bench.add_argument("--twins", action="store_true", help=manual.TWINS)
    bench.add_argument("--out", type=Path, metavar="DIR", help="the result's folder; else one in build/bench")


def add_profile_options(profile: argparse.ArgumentParser) -> None:
    """Add the options: those of `profile`."""
    profile.add_argument("model", type=Path, nargs="+", metavar="MODEL.tflite", help=manual.PROFILED_MODEL)
    profile.add_argument("--execution", choices=EXECUTIONS, default=EXECUTIONS[0], help=manual.EXECUTION)
    profile.add_argument("--variant", default="auto", metavar="NAME", help=manual.PROFILED_VARIANT)
    profile.add_argument("--threads", type=int, default=1, metavar="N", help="threads on the CPU (%(default)s)")
    profile.add_argument("--runs", type=int, default=50, metavar="N", help="profiled runs (%(default)s)")
    profile.add_argument("--top", type=int, default=20, metavar="N", help="nodes in the table (%(default)s)")
    profile.add_argument("--json", action="store_true", help="print JSON, and nothing else, on standard output")
    profile.add_argument("--browser", type=Path, metavar="PATH", help=manual.BROWSER)
    profile.add_argument("--out", type=Path, metavar="DIR", help="the files' folder; else one in build/profile")


def add_matrix_options(matrix: argparse.ArgumentParser) -> None:
    """Add the options: those of `matrix`."""
    axes = {"engine": "shell", "execution": "'*-threads'", "model": "oww_alexa", "place": "'plain-*'"}
    for axis, example in axes.items():
        text = f"only {axis}s of this name, e.g. {example} (repeatable)"
        matrix.add_argument(f"--{axis}", action="append", default=[], metavar="NAME", help=text)
    matrix.add_argument("--part", choices=["all", "ci"], default="all", help=manual.PART)
    matrix.add_argument("--browser", type=Path, metavar="PATH", help=manual.OWN_BROWSER)
    matrix.add_argument("--grid", default="", metavar="URL", help=manual.GRID)
    matrix.add_argument("--capabilities", action="append", default=[], metavar="WANTED", help=manual.CAPABILITIES)
    matrix.add_argument("--host", default="127.0.0.1", metavar="ADDRESS", help=manual.HOST)
    matrix.add_argument(
        "--sessions", type=int, default=2, metavar="N", help="browsers of the grid at once (%(default)s)"
    )
    matrix.add_argument("--out", type=Path, metavar="FILE", help="the result; else build/matrix/matrix.json")
    matrix.add_argument("--add-to", type=Path, metavar="FILE", help=manual.ADD_TO)
    matrix.add_argument("--json", action="store_true", help="print the result on standard output, and nothing else")


def add_fuzz_options(fuzz: argparse.ArgumentParser) -> None:
    """Add the options: those of `fuzz`."""
    fuzz.add_argument("--count", type=int, default=DEFAULT_FUZZ_COUNT, metavar="N", help="models (%(default)s)")
    fuzz.add_argument("--seed", type=int, default=DEFAULT_FUZZ_SEED, metavar="N", help="of all choices (%(default)s)")
    fuzz.add_argument("--first", type=int, default=0, metavar="N", help="start with this model of the seed")
    fuzz.add_argument("--jobs", type=int, default=2, metavar="N", help="worker processes (%(default)s)")
    fuzz.add_argument("--variant", default=FUZZ_VARIANT, metavar="NAME", help="the module to run (%(default)s)")
    fuzz.add_argument("--model", type=Path, action="append", default=[], metavar="FILE", help=manual.FUZZ_MODEL)
    fuzz.add_argument("--replay", type=Path, action="append", default=[], metavar="FILE", help=manual.FUZZ_REPLAY)


def add_properties_options(properties: argparse.ArgumentParser) -> None:
    """Add the options: those of `properties`."""
    examples, seed = DEFAULT_PROPERTIES_EXAMPLES, DEFAULT_PROPERTIES_SEED
    properties.add_argument("--family", action="append", default=[], metavar="NAME", help=manual.FAMILY)
    properties.add_argument("--op", default="", metavar="NAME", help="only this op, e.g. CONV_2D")
    properties.add_argument("--on", choices=DRAWN_ON, default="", help="only this execution (default: all)")
    properties.add_argument("--examples", type=int, default=examples, metavar="N", help="nodes a family (%(default)s)")
    properties.add_argument("--seed", type=int, default=seed, metavar="N", help="of all choices (%(default)s)")


def add_explain_options(command: argparse.ArgumentParser) -> None:
    """Add the options: those of `explain`."""
    command.add_argument("model", type=Path, metavar="MODEL.tflite")
    command.add_argument("--limits", type=Path, metavar="FILE", help="saved limits (`limits`): no browser is started")
    command.add_argument("--json", action="store_true", help="print the report as JSON (report.schema.json)")
    command.add_argument("--memory", action="store_true", help=manual.MEMORY)
    command.add_argument("--export", type=Path, metavar="FILE", help=manual.EXPORT)
    command.add_argument(
        "--delegate-options", type=_json_object, default={}, metavar="JSON", help=manual.DELEGATE_OPTIONS
    )
    command.add_argument(
        "--variant", default=DEFAULT_VARIANT, metavar="NAME", help="simd (the default) or relaxed-simd"
    )
    command.add_argument("--browser", type=Path, metavar="PATH", help=manual.BROWSER)


def add_probe_options(command: argparse.ArgumentParser) -> None:
    """Add the options: those of `probe`."""
    command.add_argument(
        "--op", action="append", default=[], metavar="NAME", help="an operator, e.g. gather; repeat it"
    )
    command.add_argument("--out", type=Path, metavar="FILE", help="the JSON file to write")
    command.add_argument("--browser", type=Path, metavar="PATH", help=manual.BROWSER)


def add_build_options(build: argparse.ArgumentParser) -> None:
    """Add the options: those of `build`."""
    build.add_argument("--variant", action="append", metavar="NAME", help="simd (the default), relaxed-simd, or all")
    build.add_argument("--jobs", type=int, metavar="N", help="parallel compiler processes; one a core if not given")
    build.add_argument("--check-reproducible", action="store_true", help=manual.CHECK_REPRODUCIBLE)
    add_selection_options(build)
    add_source_options(build)


def add_serve_options(serve: argparse.ArgumentParser) -> None:
    """Add the options: those of `serve`."""
    serve.add_argument("--port", type=int, default=8000, metavar="N", help="8000 if not given; 0 for one that is free")
    serve.add_argument("--plain", action="store_true", help=manual.SERVE_PLAIN)


def add_selection_options(build: argparse.ArgumentParser) -> None:
    """Add the options: what a module for certain models has."""
    build.add_argument("--model", type=Path, action="append", default=[], metavar="FILE", help=manual.BUILD_MODEL)
    build.add_argument("--ops", type=_names, default=[], metavar="A,B,...", help=manual.BUILD_OPS)
    build.add_argument("--without-webnn", dest="webnn", action="store_false", help="leave out the WebNN delegate")
    build.add_argument("--without-xnnpack", dest="xnnpack", action="store_false", help="leave out XNNPACK's delegate")


def add_tool_options(command: argparse.ArgumentParser) -> None:
    """Add the options: those of `tool`. What follows the tool's name is the tool's own."""
    _add_place_options(command)
    command.add_argument("tool", choices=TOOLS, metavar="TOOL", help=" or ".join(TOOLS))
    command.add_argument("arguments", nargs=argparse.REMAINDER, metavar="...", help="the tool's own flags")


def add_kernel_tests_options(command: argparse.ArgumentParser) -> None:
    """Add the options: those of `kernel-tests`."""
    _add_place_options(command)
    command.add_argument("--filter", action="append", default=[], metavar="PATTERN", help=manual.KERNEL_TESTS_FILTER)
    command.add_argument("--write-docs", action="store_true", help="write docs/kernel-tests.md of the result")


def _add_place_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("--on", choices=PLACES, default=PLACES[0], help=manual.ON)
    command.add_argument("--browser", type=Path, metavar="PATH", help=manual.BROWSER)


def add_source_options(command: argparse.ArgumentParser) -> None:
    """Add the options: where third-party sources come from."""
    command.add_argument(
        "--source", type=_override, action="append", default=[], metavar="NAME=DIR", help=manual.SOURCE
    )
    command.add_argument("--keep-archive", action="store_true", help="keep the source archive after unpacking (941 MB)")


def _json_object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"this is no JSON: {error}") from error
    if not isinstance(value, dict):
        raise argparse.ArgumentTypeError(f"{text!r} is no JSON object")
    return value


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _override(text: str) -> tuple[str, Path]:
    name, separator, folder = text.partition("=")
    if not separator:
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=DIR")
    return name, Path(folder).expanduser().resolve()
