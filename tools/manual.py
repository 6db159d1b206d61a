"""The texts of `build.py --help`. Standard library only: they are shown before anything is installed."""

from __future__ import annotations

DESCRIPTION = """\
tflite-webnn: TensorFlow Lite in the browser, on WebNN where there is one.

Every command makes what it needs and is not there yet: on a bare machine `demo` alone installs the Python
packages, makes the compiler, fetches the sources, compiles them, and gets a browser. What is there is not made
again, so the second run starts its work within seconds."""

EPILOG = """\
examples:
  python3 build.py demo                        six models, wasm against WebNN, with the difference to native LiteRT
  python3 build.py demo --model my.tflite      the same with your own model
  python3 build.py explain my.tflite           what runs where, and why; --json, --export graph.js, --memory
  python3 build.py profile my.tflite           where the time goes: tables, and a flame graph
  python3 build.py bench --model my.tflite     your model on every engine: this one, its peers from npm, native
  python3 build.py bench --twins --model a.tflite --model b.tflite   which of two models is how much faster
  python3 build.py matrix --model oww_alexa    one model in every browser engine, in every way
  python3 build.py build --variant simd        one wasm module and the package in build/package
  python3 build.py build --model my.tflite     a smaller module, for this model only, and its package in build/selected
  python3 build.py build --source tensorflow=~/tensorflow   with your own checkout of a component
  python3 build.py serve                       the site on http://127.0.0.1:8000/
  python3 build.py test -k softmax -x          arguments that build.py does not know go to pytest
  python3 build.py tool benchmark_model --graph=my.tflite --use_webnn=true   TFLite's own tools on the delegate
  python3 build.py kernel-tests --filter softmax   TFLite's own tests of a kernel on the delegate
  python3 build.py doctor                      what is missing on this machine, and the command that mends it

where things are:
  build/wasm/VARIANT/    tflite_webnn.mjs and .wasm, manifest.json (versions, hashes, flags), build.log
  build/pyodide/         the wheel for Python in the browser
  build/site/            the static site
  build/package/         what a page imports: index.mjs, types, one folder per variant
  ~/.cache/tflite-webnn  downloads, sources, compiler, browsers, compiled objects; shared by all checkouts

environment variables:
  TFLITE_WEBNN_CACHE           another folder for the cache
  TFLITE_WEBNN_DEBIAN_MIRROR   a Debian mirror, before those that apt is configured for
  EMSDK                        an emsdk whose Emscripten has the pinned version (wasm/variants.toml)

`build.py COMMAND --help` tells what a command does, step by step."""

SUMMARIES = {
    "setup": "install and download everything, compile nothing",
    "build": "compile the wasm modules and bundle the package",
    "pyodide": "build the wheel for Python in the browser",
    "demo": "run models in a browser: time and difference to native LiteRT",
    "bench": "measure speed, loading and answers of every engine on every model, by turns",
    "profile": "show where a model's time goes, node by node: tables and a flame graph",
    "matrix": "run every model in every browser engine, in every way, and compare with native LiteRT",
    "explain": "tell of a model what WebNN takes, what stays on the CPU, and why",
    "limits": "save what a browser's WebNN supports, for `explain --limits`",
    "probe": "try every WebNN operator of a browser at every rank and type: what it rejects, gets wrong, or dies of",
    "site": "make the static site: demos, explorer, benchmark, tables, documents",
    "serve": "make the site and serve it on this machine",
    "test": "run every test; arguments go to pytest",
    "fuzz": "run thousands of damaged models through the module, with sanitizers",
    "properties": "compare randomly drawn ops with native LiteRT, and shrink what differs",
    "tool": "run TFLite's benchmark_model or inference_diff with the delegate",
    "kernel-tests": "run TFLite's own tests of its kernels, and of its XNNPACK delegate, with the delegate",
    "lint": "check style and types of Python, TypeScript and C++",
    "docs": "write docs/ops.md and docs/polyfill-ops.md: what becomes of each operator; and build/docs/api.md",
    "goldens": "rewrite the golden files that tests compare with",
    "doctor": "tell what is there, what is missing, and what mends it",
    "clean": "delete what was generated",
}

COMMANDS = {
    "setup": """\
Installs and downloads what the other commands need, so that they can then run without a network:
  1. Emscripten of the pinned version: on PATH or in EMSDK; else by emsdk; else in a private Debian folder
  2. the third-party sources of wasm/sources.toml: from upstream git, else from a Debian source archive
  3. the JavaScript packages of js/package-lock.json; tools of Pyodide and JupyterLite, for `pyodide`
  4. browsers: a headless shell with native WebNN, and Debian's Chromium without it
  5. for `test` only: Debian's Firefox ESR and WebKitGTK; without root or sudo it prints the command that does it""",
    "build": """\
Compiles build/wasm/VARIANT and bundles build/package:
  1. the toolchain and the sources, as in `setup`
  2. generates the headers that third-party code expects, compiles with a compiler cache, links
  3. writes manifest.json beside the module, and keeps the result for other checkouts with the same inputs
  4. bundles the TypeScript and the modules
From nothing about 15 minutes per variant on two cores. With no change nothing is started at all.
With --model or --ops the modules have only the kernels, and only that part of XNNPACK, which these can reach, and go,
with their package, to build/selected. Their manifest.json says what is in them, and a model that needs more is refused
with the names of the ops that it misses.""",
    "pyodide": """\
Builds build/pyodide/tflite_webnn-VERSION-py3-none-any.whl, TFLite's Interpreter for Python in Pyodide:
  1. compiles all variants of the wasm module, where that has not been done
  2. bundles the JavaScript into one module, and packs both with the Python files
  3. has Pyodide's own tools write a recipe (meta.yaml) and a lock file's entry (lock_entry.json) of the wheel
Beside the wheel are the files that are in it, for pages that load them by their address (pyodide_pkg/README.md).""",
    "demo": """\
Builds what is missing (the variant simd), then runs the demo models, or your
own, in a browser, on XNNPACK in wasm and on WebNN by turns, and prints a table: nodes delegated, difference to
native LiteRT on a real picture, milliseconds. Without WebNN the models run on the CPU and the table says why.""",
    "bench": """\
Builds what is missing (all variants), fetches the other engines from npm, and measures in a real browser:
  1. speed: each engine has the model loaded, and all take turns in every round; what counts is the median over the
     rounds of the ratios, never times of two runs
  2. answers: the difference of each to native LiteRT, in the same row
  3. loading: library, model and first run in a browser that has seen nothing; bytes, memory, the page's longest wait
The engines: this project on WebNN (by itself, blocking), through its polyfill and on the CPU with each variant that is
built; LiteRT.js, tfjs-tflite and onnxruntime-web on WebNN and on the CPU with one thread and two; native LiteRT; the
same graph written by hand. The result, bench.json and plots, goes to a folder in build/bench, or to --out.
docs/performance.md tells what the columns mean. Without --model it takes all known real models and MobileNetV2 in float
and int8; that takes about an hour, --quick two minutes.
Chromium compiles its WebNN engine without AVX-512. On an x86 processor without AVX-VNNI (avx_vnni in /proc/cpuinfo;
avx512_vnni does not count) int8 there runs on AVX2 kernels, which need not be faster than those of float.
With --overhead it tells instead what run() costs beyond the same graph written by hand in WebNN, which is the script
that `explain --export graph.js` writes: same inputs, same outputs, by turns in one page, in ten times the rounds. The
models, five known ones without --model, must be such that WebNN runs them as a whole. Look at the load that it tells:
a busy machine's differences mean little.
With --polyfill it tells how much longer than plainly on XNNPACK models take by the delegate and the WebNN polyfill,
whose engine runs them on XNNPACK again, and what a tiny graph costs there: in a worker, where the engine computes in
the thread that calls, and in a page, where it has a worker. Without --model it takes all known real models.
With --tool it tells how the times of TFLite's benchmark_model, which the browser runs, too, compare with those of this
project's engines: on WebNN in blocking mode, and on the CPU with one thread and two. The goal: within 10 %.
With --sweep it tells how the delegate's cost grows: made models in which only the input's size, the number of nodes,
the batch or the number of partitions grows run by turns with the same graph by hand, or with the same model on the CPU;
straight lines through the times, with what they do not tell, go to the console, sweep.json and sweep.png.
With --pyodide it tells what set_tensor() and get_tensor() of a model's first input cost Python in the browser.""",
    "profile": """\
Builds what is missing (all variants), runs models many times in a real browser with TFLite's profiler on, and prints
where their time goes: by type of node, and for the most expensive nodes. XNNPACK measures its own operators inside of
its partitions; a partition on WebNN is one entry; "outside of nodes" is the rest of run(): copies, and JavaScript.
A model is a file, or the name of a known one. In a folder of build/profile, or in --out, are
  profile.speedscope.json  the flame graph: open it at https://www.speedscope.app, which keeps the file in the browser
  profile.json             all numbers
Profiling itself takes time: compare profiles with each other, and use `bench` to know how fast a model is.""",
    "matrix": """\
Builds what is missing (all variants), installs browsers that are missing, and runs models in all combinations of
  engine       shell (Chromium's headless shell with WebNN), chromium and chromium-selenium (Debian's), firefox,
               webkitgtk, node; with --browser also `own`
  execution    webnn (the browser's own), polyfill-tflite, polyfill-webgpu, polyfill-webgl, and XNNPACK in wasm: simd,
               relaxed-simd, simd-threads, relaxed-simd-threads
  place        page and worker, cross-origin isolated; plain-page and plain-worker, which are not
  model        all real models of web_tests/models/models.toml and MobileNetV2; others of it by name
Each cell is right or wrong against native LiteRT (web_tests/references/tolerances.toml), with its difference,
milliseconds, and what ran where. What cannot be says why: the page is asked what it lacks, and the package is seen to refuse.
All of it takes hours on two cores, --part ci some minutes. The result is build/matrix/matrix.json or --out
(tools/matrix/result.py describes it); with --add-to an earlier result's cells are kept where this run has none.
With --grid the browsers are those of a Selenium Grid or of any WebDriver end, such as a chromedriver; --host is this
machine's address as they see it. docs/webnn-in-your-browser.md has examples.
The exit status is 1 when a cell is red.""",
    "explain": """\
Prints the report on a model: per node where it runs, the WebNN operators that it became, whether it stays quantized,
and the reason if it stays on the CPU; per partition what crosses its border. With --limits the delegate runs in Node,
in a second or two and without a browser (web_tests/limits/chromium-147.json is one such file). Without, a browser with
WebNN builds and runs the model, so that times and devices are told too.
With --memory it prints the arena plan instead, without a browser: where in TFLite's arena each tensor lies, from which
node to which, how large the arena is, and how much of it is in use at once; with --limits, what WebNN leaves of it.""",
    "limits": """\
Starts a browser with WebNN and writes what its opSupportLimits() answers to a JSON file, with its version.""",
    "probe": """\
Builds and runs about 12,000 graphs of one operator each on the browser's own WebNN: every operator at every rank and
data type that opSupportLimits() promises, ranks of indices and of broadcast operands varied by themselves, a grid of
windows and paddings, and values that break kernels. Prints a table of the graphs that the browser
  kills    dies of: its GPU process, where WebNN computes, is gone, for all pages
  hangs    does not answer
  rejects  refuses, with its own words
  wrong    computes otherwise than numpy, or otherwise than at other ranks
Chromium gives no WebNN any more after the third death, so a fresh browser takes over; the first death of each operator
is confirmed by its graph alone. Takes ten minutes with Chromium 147, most of them for its 430 deaths. Use --op NAME to
try some operators only. docs/browser-faults.md tells what was found and how this project avoids it;
web_tests/limits/chromium-147-faults.json was written by --out. The exit status is 1 when anything kills.""",
    "site": """\
Builds what is missing (all variants, the wheel for Pyodide), then writes the site to build/site, or to --output: plain
files for any static host, in any folder of it. Pages ask nobody but that host. What is there and unchanged is not
written again; site/README.md tells how a page is added.""",
    "serve": """\
Makes the site as `site` does and serves it on 127.0.0.1 until Ctrl+C. Its answers have the headers of cross-origin
isolation, which threads need; with --plain they have none, as on a host where none can be set, and the site's service
worker adds them.""",
    "test": """\
Builds what is missing (all variants), then runs pytest over the toolchain, the TypeScript and the browsers.
Browsers that cannot be installed are told before; their tests are skipped and say so at the end.
Style checks are tests too. Examples: test -k lint; test web_tests/tests/unit -n0 -x""",
    "fuzz": """\
Builds the variant (`sanitizer`: AddressSanitizer and UndefinedBehaviorSanitizer; about ten minutes the first time)
and loads and describes mutated models with it in Node, under the limits of a browser's WebNN. What stays on the CPU
is run, too. Models are named by seed and number, so a run can be repeated, or one model of it (--first N --count 1).
Models that crash are in build/fuzz, with as few mutations as it takes and a report. The exit status is 1 when
anything crashed while loading, or in this project's own code while running; what TensorFlow Lite's own kernels do
while they run a malformed model is counted apart.""",
    "properties": """\
Draws nodes of each family of ops with Hypothesis (shapes, windows, axes, types, scales, NaN, empty tensors), runs them
with native LiteRT and with each execution, and compares. `test` does the same with a few hundred nodes a family.
  cpu        each variant of CPU_VARIANTS in tools/properties/engines.py that is built, in Node
  webnn      the browser's own WebNN
  polyfill   the delegate on the WebNN polyfill, in Node
A failure is shrunk to its smallest node, which is printed and saved in build/properties; then the campaign goes on
without failures of that kind. Native LiteRT has two kernel sets, and the answer of either is right. Differences that
have a name are in tools/properties/known.toml. The exit status is 1 when a node differs that is not named there.
The same seed draws the same nodes.""",
    "tool": """\
Compiles one of TFLite's own tools to WebAssembly, of TensorFlow's unmodified sources, and runs it with the arguments
that follow its name, in a worker that waits for WebNN. Its output is printed as it comes, its exit status is the
command's. Files that the arguments name are there for it, read-only; what it writes is written here. `--use_webnn=true`
applies the delegate, with the flags of docs/delegate-options.md, such as `--webnn_device_preference=gpu`;
`--num_threads` (of inference_diff: `--num_interpreter_threads`) tells how many threads compute on the CPU. Of a model
with signatures, benchmark_model lets XNNPACK take the nodes first, unless `--use_xnnpack=false` is there, too. Options
of this command come before the tool's name:
  python3 build.py tool benchmark_model --graph=m.tflite --use_webnn=true --enable_op_profiling=true
  python3 build.py tool --on node inference_diff --model_file=m.tflite --use_webnn=true""",
    "kernel-tests": """\
Compiles TFLite's tests of its kernels (tensorflow/lite/kernels/*_test.cc, unmodified) to WebAssembly and runs each with
`--use_webnn=true` in a worker that waits for WebNN; then those of its XNNPACK delegate (delegates/xnnpack/*_test.cc),
called xnnpack_*, which get the WebNN delegate in its place. It prints per test file how many cases were run, how many
of them WebNN computed, and of those how many pass, fail, and fail without a reason in
wasm/kernel_tests/*expectations.toml, which makes the exit status 1. Cases that fail are run again without the delegate
(those of XNNPACK's with XNNPACK's own): what fails there, too, is not counted. The first run compiles for most of an
hour; `--filter add` or `--filter "xnnpack_*add"` takes a minute or two, where the module's objects are.""",
    "lint": """\
Runs ruff and mypy over the Python files, clang-format over the project's own C++, and the TypeScript compiler and
linter over js/.""",
    "docs": """\
Builds what is missing (the variant simd), then writes docs/ops.md from the delegate's registry and from the op
cases of the tests, which are described under the limits of Chromium 147; the options of the delegate for JavaScript
and Python, and docs/delegate-options.md, from its table of options; docs/polyfill-ops.md from the polyfill's table of
operators; and build/docs/api.md, the site's API page, from the comments of the package's exports. No browser is
started.""",
    "goldens": """\
Builds what is missing (the variant simd), then rewrites the golden files of all tests, Python's and TypeScript's: what
the delegate makes of each op, what `explain` prints for each model, which TFLite nodes the polyfill's operators become.
No browser is started. Read the difference before you commit it.""",
    "doctor": """\
Prints a table: each thing that the build uses, what was found, and the command that mends what is missing. Nothing
is installed. The exit status is 1 when something is missing that the build cannot get by itself.""",
    "clean": """\
Deletes build/ and the npm packages of js/. With --all also the user cache: compiler, sources, downloads, browsers.""",
}

SITE_OUTPUT = "a folder that is new, empty, or holds the site already; build/site if not given"
SERVE_PLAIN = "send no headers of cross-origin isolation"
BROWSER = "a Chromium-based browser of yours, e.g. Chrome"
MEMORY = "print where TFLite puts the tensors instead: offset, size, first and last node; no browser is started"
OWN_BROWSER = "also in a Chromium-based browser of yours, as the engine `own`"
PART = "ci: two models in two places, in minutes (all)"
GRID = "the browsers of the WebDriver end at this address instead, e.g. http://grid.example:4444"
CAPABILITIES = (
    "a browser to ask the grid for (repeatable): its name, a JSON object of WebDriver capabilities, or NAME=JSON; "
    "chrome if not given"
)
HOST = "the address of this machine under which the grid's browsers reach it (%(default)s)"
SESSIONS = "browsers of the grid at once (%(default)s)"
ADD_TO = "an earlier result, of another machine perhaps: its cells are kept where this run has none"
EXPORT = (
    "write the WebNN graphs too: graph.json as data, graph.js as a page script that builds them by hand-readable calls"
)
DELEGATE_OPTIONS = """webnnDelegateOptions of loadTFLiteModel, e.g. '{"ignorePartitionCost": true}'"""
ON = "WebNN of a browser (the default), the polyfill in a browser, or the polyfill in Node"
KERNEL_TESTS_FILTER = "test files, e.g. add or 'unidirectional*' (may be given several times); else all"
SOURCE = "use your own folder for a component of wasm/sources.toml (may be given several times)"
CHECK_REPRODUCIBLE = "then compile everything a second time without any cache, and compare the results byte by byte"
BUILD_MODEL = "only what this model needs is in the module; build/selected has the package then (repeatable)"
BUILD_OPS = "only these ops, by TFLite's names, as CONV_2D; on top of what --model needs"
FAMILY = "only this family of ops, e.g. convolution; repeatable (default: all)"
FUZZ_MODEL = "mutate this file too, half of the time (repeatable)"
FUZZ_REPLAY = "only run this file, as it is, and print what happens (repeatable)"
PROFILED_MODEL = "files, or names of known models"
PROFILED_VARIANT = "of the wasm module, e.g. simd; auto (the default): the best that the browser runs"
EXECUTION = "on XNNPACK in wasm (the default), on the browser's WebNN, there in a worker that waits, or on the polyfill"
MODEL = "a model of your own, or a known one's name (may be given several times)"
QUICK = "three models, a few rounds: two minutes"
ENGINE = "only engines of this name, e.g. litert.js/wasm or 'tflite-webnn/*' (repeatable)"
LOAD_ROUNDS = "fresh browsers per engine and model for the time to the first result (mostly 3); 0 leaves that out"
TWINS = "compare the models with the first one on each engine, instead of the engines on each model"
OVERHEAD = "what run() costs beyond the same graph written by hand in WebNN"
POLYFILL = "models through the WebNN polyfill on the CPU against the same ones plainly on XNNPACK"
WHEEL_URL = "where the wheel will be served from, for meta.yaml and lock_entry.json; else they have its name only"
DOCUMENT = (
    "write the results of this folder (of --out, with and without --sweep) into docs/performance.md; measure nothing"
)
TOOL_TIMES = "whether TFLite's benchmark_model, on the delegate and on the CPU, tells the same times as this benchmark"
SWEEP = "how the delegate's cost grows with input size, depth, batch and partitions"
JUPYTERLITE = "also build a JupyterLite site with the wheel and its notebook, build/jupyterlite, for any static server"
PYODIDE = "what it costs Python in the browser to bring an array into a model, and out of it"
