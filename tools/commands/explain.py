"""Report where each node of a model runs, and why.

Prints the report on a model: per node where it runs, the WebNN operators that it became, whether it stays quantized,
and the reason if it stays on the CPU; per partition what crosses its boundary. With --limits the delegate runs in Node,
in a second or two and without a browser (web_tests/limits/chromium-147.json is one such file). Without it, a browser
with WebNN builds and runs the model, so that the report has times and devices, too.
--memory prints the arena plan instead, without a browser: where in TFLite's arena each tensor lies, from which node to
which, how large the arena is, and how much of it is in use at the same time; with --limits, what WebNN leaves of it.
--metadata prints the file's metadata instead: names, labels, normalization. Of a .task bundle, which is a zip archive
of models, only this is printed; --part names a model in the bundle to explain.
"""

import argparse
import json
from pathlib import Path
from typing import Any

from tools import making, options

GROUPS = ("run",)


def add_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("model", type=Path, metavar="FILE", help="a .tflite model, or a .task bundle of models")
    add("--limits", type=Path, metavar="FILE", help="a browser's saved limits: no browser is started")
    options.add_json(parser, "print the report as JSON (report.schema.json)")
    text = "print where TFLite puts the tensors instead: offset, size, first and last node; no browser is started"
    add("--memory", action="store_true", help=text)
    add("--metadata", action="store_true", help="print the file's metadata instead; no browser is started")
    text = "the model of a .task bundle to explain, e.g. hand_detector.tflite, or inner.task/model.tflite"
    add("--part", metavar="NAME", help=text)
    text = "also write the WebNN graphs: graph.json as data, graph.js as a page script that builds them call by call"
    add("--export", type=Path, metavar="FILE", help=text)
    text = """webnnDelegateOptions of loadTFLiteModel, e.g. '{"ignorePartitionCost": true}'"""
    add("--delegate-options", type=_json_object, default={}, metavar="JSON", help=text)
    text = "simd (the default) or relaxed-simd"
    add("--variant", default=options.DEFAULT_VARIANT, metavar="NAME", help=text)
    options.add_browser(parser)


def run(arguments: argparse.Namespace) -> int:
    from tools.explain import bundles, explain
    from tools.explain.without_browser import Request

    limits, json_output = arguments.limits, arguments.json
    with bundles.opened(arguments.model, arguments.part) as model:
        request = Request(arguments.variant, arguments.delegate_options, export=arguments.export)
        is_description = arguments.metadata or bundles.is_bundle(model)
        if is_description or arguments.memory or limits:
            making.package([arguments.variant])
        else:
            making.for_browser(arguments.variant, arguments.browser)
        if is_description:
            return explain.print_metadata(model, json_output=json_output)
        if arguments.memory:
            return explain.print_memory_plan(model, request, limits=limits, json_output=json_output)
        return explain.run(model, request, limits=limits, json_output=json_output, browser=arguments.browser)


def _json_object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"not JSON: {error}") from error
    if not isinstance(value, dict):
        raise argparse.ArgumentTypeError(f"{text!r} is not a JSON object")
    return value
