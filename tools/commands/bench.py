"""Measure runtimes on models: speed, loading, outputs.

Builds what is missing (all variants), fetches the other runtimes from npm, and measures in a real browser:
  1. speed: each runtime loads the model, and all take turns in every round; the result is the median over the rounds of
     the ratios, never a comparison of two separate runs
  2. answers: each runtime's difference to native LiteRT, in the same row
  3. loading: library, model and first run in a fresh browser; bytes, memory, the page's longest wait
The runtimes: this project on WebNN (direct, blocking), on its polyfill and on the CPU with each variant that is built;
LiteRT.js, tfjs-tflite and onnxruntime-web on WebNN and on the CPU with one thread and two; native LiteRT; the same
graph written by hand. The result, bench.json and plots, goes to a folder in build/bench, or to --out.
docs/performance.md explains the columns. Without --model it measures all known real models and MobileNetV2 in float
and int8, which takes about an hour; --quick takes two minutes.
Chromium compiles its WebNN runtime without AVX-512. On an x86 processor without AVX-VNNI (avx_vnni in /proc/cpuinfo;
avx512_vnni does not count) int8 runs on AVX2 kernels there, which need not be faster than float's.
--overhead instead measures what run() costs beyond the same graph written by hand in WebNN, the script that
`explain --export graph.js` writes: same inputs, same outputs, by turns in one page, in ten times the rounds. WebNN must
run the models (five known ones without --model) as a whole. It prints the machine's load: under load, small differences
mean little.
--polyfill measures how much longer models take through the delegate and the WebNN polyfill than directly on XNNPACK,
and what a tiny graph costs there: in a worker, where the polyfill computes in the calling thread, and in a page, where
it has its own worker. Without --model it measures all known real models.
--tool compares the times that TFLite's benchmark_model prints in the browser with this benchmark's: on WebNN in
blocking mode, and on the CPU with one thread and two. The goal: within 10 %.
--sweep measures how the delegate's cost grows: generated models in which only the input's size, the number of nodes,
the batch or the number of partitions grows take turns with the same graph by hand, or with the same model on the CPU.
Straight lines through the times, and what they leave unexplained, go to the console, sweep.json and sweep.png.
--sides measures, for each signature of models, where it is faster, on WebNN or on the CPU, which of them the default
device takes, and LiteRT.js on both. --model also takes folders; without it, all known models. Each model gets a
new browser, and a page per runtime that is ended when it hangs. The result, sides.jsonl, gets a line when a model is
done, and the same command goes on from there; a model whose line is deleted is measured again.
--pyodide measures what set_tensor() and get_tensor() of a model's first input cost Python in the browser.
--vision measures MediaPipe's vision tasks, this project's and the unmodified package's, on a picture by turns, and
their first results; --model names tasks, e.g. FaceLandmarker. The result is vision.json.
--camera has FaceLandmarker work on a fake camera's frames for --seconds, on the CPU and on WebNN: times, memory, and
frames that were missed though nothing was being computed. The time of each frame is in camera.json.
--images measures imageToTensor(): pictures of 640 x 480 pixels to inputs of 224 x 224. The goal: 2 ms.
"""

import argparse
from functools import partial
from pathlib import Path

from tools import making, options

GROUPS = ("run", "measure")


def add_options(parser: argparse.ArgumentParser) -> None:
    instead = parser.add_mutually_exclusive_group()
    for name, text in (
        ("quick", "three models, a few rounds: two minutes"),
        ("overhead", "what run() costs beyond the same graph written by hand in WebNN"),
        ("polyfill", "models through the WebNN polyfill on the CPU against the same ones directly on XNNPACK"),
        ("pyodide", "the time for Python in the browser to write an array into a model and to read one"),
        (
            "tool",
            "compare the times of TFLite's benchmark_model, on the delegate and on the CPU, with this benchmark's",
        ),
        ("vision", "MediaPipe's vision tasks: this project's beside the unmodified package's"),
        ("camera", "a vision task on a camera's frames: times, memory, missed frames"),
        ("images", "the time of imageToTensor() from pictures to inputs of models"),
        ("sweep", "how the delegate's cost grows with input size, depth, batch and partitions"),
        ("sides", "where each signature of models is faster, and which side the default device takes"),
    ):
        instead.add_argument(f"--{name}", action="store_true", help=text)
    text = (
        "write this folder's results (of --out, with and without --sweep) into docs/performance.md, of --sides into "
        "docs/todays-models.md; measure nothing"
    )
    instead.add_argument("--document", type=Path, metavar="DIR", help=text)
    options.add_measurement(parser)
    text = "only runtimes of this name, e.g. litert.js/wasm or 'tflite-webnn/*' (repeatable)"
    parser.add_argument("--runtime", action="append", default=[], metavar="NAME", help=text)
    text = "fresh browsers per runtime and model for the time to the first result (3; 1 with --quick); 0 skips it"
    parser.add_argument("--load-rounds", type=int, metavar="N", help=text)
    text = "duration of --camera on the CPU and on WebNN each (120)"
    parser.add_argument("--seconds", type=float, default=120, metavar="N", help=text)
    text = "compare the models with the first one on each runtime, instead of the runtimes on each model"
    parser.add_argument("--twins", action="store_true", help=text)
    text = "the result's folder (default: one in build/bench)"
    parser.add_argument("--out", type=Path, metavar="DIR", help=text)


def run(arguments: argparse.Namespace) -> int:
    from tools.bench import (
        camera,
        command,
        document,
        images,
        overhead,
        polyfill,
        python_arrays,
        sides,
        sweep,
        tool,
        vision_command,
    )
    from web_tests.browsers import setup

    if arguments.document:
        return document.run(arguments.document)

    making.package(["all"])
    if arguments.pyodide:
        making.wheel()
    setup.prepare(need_browser=arguments.browser is None)
    models, browser, json_output = arguments.model, arguments.browser, arguments.json
    rounds = arguments.rounds or options.DEFAULT_ROUNDS
    out, load_rounds = arguments.out, arguments.load_rounds
    if arguments.sides:
        return sides.run(models, browser=browser, rounds=arguments.rounds, out=out)
    others = (
        (arguments.overhead, partial(overhead.run, models, rounds=rounds)),
        (arguments.polyfill, partial(polyfill.run, models, rounds=rounds)),
        (arguments.pyodide, partial(python_arrays.run, models, rounds=rounds)),
        (arguments.vision, partial(vision_command.run, models, rounds=rounds, load_rounds=load_rounds, out=out)),
        (arguments.camera, partial(camera.run, seconds=arguments.seconds, out=out)),
        (arguments.images, partial(images.run, rounds=rounds)),
        (arguments.tool, partial(tool.run, models, rounds=arguments.rounds)),
        (arguments.sweep, partial(sweep.run, rounds=rounds, out=out)),
    )
    for is_asked, measure in others:
        if is_asked:
            return measure(json_output=json_output, browser=browser)
    return command.run(
        command.Request(
            models=models,
            patterns=arguments.runtime,
            rounds=arguments.rounds,
            load_rounds=load_rounds,
            quick=arguments.quick,
            twins=arguments.twins,
            browser=browser,
            json_output=json_output,
            out=out,
        )
    )
