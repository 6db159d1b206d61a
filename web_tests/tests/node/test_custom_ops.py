"""The option `customOps`: ops that functions of the caller compute, in Node."""

import itertools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from support.npm import find_node
from web_tests.models import custom_ops
from web_tests.models.model_writer import NO_TENSOR, ModelWriter, Quantization
from web_tests.models.recipes import SEED, Array
from web_tests.tests.node.programs import EXECUTIONS, in_node

pytestmark = pytest.mark.needs("package")

X = np.linspace(-2, 2, 8, dtype=np.float32).reshape(custom_ops.SHAPE)
SCALE = """{ run([x, table], [y]) {
  for (let i = 0; i < x.data.length; i++) y.data[i] = x.data[i] * table.data[i % table.data.length];
} }"""
DOUBLE = "{ run([x], [y]) { x.data.forEach((value, i) => { y.data[i] = 2 * value; }); } }"
ON_POLYFILL = json.dumps(EXECUTIONS["webnn"])


BEGIN = """
    const file = FILE;
    const load = (customOps, options) => library.loadTFLiteModel(file, { numThreads: 1, customOps, ...options });
    const floats = (...values) => Float32Array.from(values);
    const failed = async (action) => {
      try {
        await action();
        return null;
      } catch (error) {
        const { name, code, message, details, cause = null } = error;
        const isOfPackage = error instanceof (library[name] ?? Object);
        return { name, code, message, details, cause: cause && String(cause), isOfPackage };
      }
    };
"""


def run(folder: Path, content: bytes, body: str) -> Any:
    """Return the result of the function body, which also has `load(customOps, options)` and `floats(...)`."""
    return run_all(folder, {"": (content, body)})[""]


def run_all(folder: Path, programs: Mapping[str, tuple[bytes, str]]) -> dict[str, Any]:
    """Run several models with their function bodies in one Node."""
    functions = []
    for index, (name, (content, body)) in enumerate(programs.items()):
        file = folder / f"model_{index}.tflite"
        file.write_bytes(content)
        begin = BEGIN.replace("FILE", json.dumps(str(file)))
        functions.append(f"{json.dumps(name)}: async () => {{ {begin}\n{body} }}")
    call = f"""
        const results = {{}};
        for (const [name, call] of Object.entries({{ {", ".join(functions)} }})) results[name] = await call();
        return results;
    """
    results: dict[str, Any] = in_node(str(find_node()), folder / "program", call)
    return results


def scaled(x: Array) -> Array:
    result: Array = -(np.sin(x) * custom_ops.TABLE)
    return result


@pytest.mark.parametrize(
    ("options", "mode"),
    [
        ("{ device: 'cpu' }", "cpu"),
        ("{ device: 'cpu', enableXnnpackDelegate: false }", "cpu"),
        ("{ device: 'cpu', numThreads: 3 }", "cpu"),
        (ON_POLYFILL, "stepped"),
        (
            "{ enableWebnnDelegate: true, webnnDelegateOptions: "
            "{ polyfill: 'tflite', blocking: true, ignorePartitionCost: true } }",
            "blocking",
        ),
    ],
    ids=["cpu", "without_xnnpack", "threads", "stepped", "blocking"],
)
def test_the_other_nodes_run_as_ever(tmp_path: Path, options: str, mode: str) -> None:
    body = f"""
        const model = await load({{ Scale: {SCALE} }}, {options});
        const x = Float32Array.from({X.ravel().tolist()});
        const [first] = await model.run(x);
        const [second] = await model.run(x);
        const {{ nodes }} = await model.report();
        return {{ y: [...second.data], isSame: first.data.every((value, i) => value === second.data[i]),
          mode: model.executionMode, nodes: nodes.map(({{ op, placement, reason }}) => [op, placement, reason]) }};
    """
    found = run(tmp_path, custom_ops.scaled_between_nodes(), body)
    assert found["mode"] == mode
    assert found["isSame"]
    np.testing.assert_allclose(np.array(found["y"]).reshape(X.shape), scaled(X), rtol=1e-5, atol=1e-6)
    if mode != "cpu":
        assert found["nodes"] == [
            ["SIN", "webnn", None],
            ["Scale", "cpu", "a function of the option customOps computes Scale"],
            ["NEG", "webnn", None],
        ]


def test_run_sync_calls_the_functions(tmp_path: Path) -> None:
    body = f"""
        const model = await load({{ Double: {DOUBLE} }}, {{ device: 'cpu' }});
        return [...model.runSync(floats(1, 2, 3, 4))[0].data];
    """
    assert run(tmp_path, custom_ops.one_node("Double"), body) == [2, 4, 6, 8]


def test_functions_get_tensors_options_and_their_node(tmp_path: Path) -> None:
    body = """
        const calls = [];
        const shown = ({ index, name, dtype, shape, quantization, data }) =>
          ({ index, name, dtype, shape, quantization, data: data && [...data], type: data?.constructor.name });
        const op = {
          factor: 2,
          prepare(inputs, options, node) {
            const shownNode = { ...node, options: [...node.options] };
            calls.push({ inputs: inputs.map(shown), options: [...options], node: shownNode });
            node.state = this.factor;
          },
          run(inputs, outputs, node) {
            calls.push({ inputs: inputs.map(shown), outputs: outputs.map(shown), state: node.state });
            outputs[0].data.fill(1);
          },
        };
        const model = await load({ Scale: op }, { device: 'cpu' });
        const prepared = calls.at(-1);
        await model.run(new Float32Array(8));
        return { prepared, ran: calls.at(-1) };
    """
    found = run(tmp_path, custom_ops.scaled_between_nodes(), body)
    common = {"dtype": "float32", "quantization": None}
    values = {"type": "Float32Array"}
    sine = {"index": 1, "name": "sine", "shape": [2, 4], **common}
    table = {"index": 4, "name": "table", "shape": [4], **common, "data": custom_ops.TABLE.tolist(), **values}
    assert found["prepared"] == {
        "inputs": [{**sine, "data": None}, table],
        "options": [3, 5],
        "node": {"op": "Scale", "index": 1, "subgraph": 0, "options": [3, 5]},
    }
    scaled_tensor = {"index": 2, "name": "scaled", "shape": [2, 4], **common, "data": [0] * 8, **values}
    assert found["ran"]["inputs"] == [{**sine, "data": [0] * 8, **values}, table]
    assert [{**output, "data": [0] * 8} for output in found["ran"]["outputs"]] == [scaled_tensor]
    assert found["ran"]["state"] == 2


ARRAYS = {
    "float32": "Float32Array",
    "float64": "Float64Array",
    "int8": "Int8Array",
    "uint8": "Uint8Array",
    "int16": "Int16Array",
    "uint16": "Uint16Array",
    "int32": "Int32Array",
    "uint32": "Uint32Array",
    "int64": "BigInt64Array",
    "uint64": "BigUint64Array",
    "bool": "Uint8Array",
    "complex64": "Float32Array",
}


@pytest.fixture(scope="module")
def typed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    programs = {}
    for dtype, array in ARRAYS.items():
        body = f"""
            let types;
            const op = {{ run([x], [y]) {{
              types = [x.data.constructor.name, y.data.constructor.name, x.dtype, x.data.length];
              y.data.set(x.data.slice().reverse());
            }} }};
            const model = await load({{ Reverse: op }}, {{ device: 'cpu' }});
            const x = new {array}({8 if dtype == "complex64" else 4});
            x[0] = x[0] === 0n ? 1n : 1;
            const [{{ data }}] = await model.run(x);
            return [types, Number(data.at(-1)), Number(data[0])];
        """
        programs[dtype] = (custom_ops.one_node("Reverse", dtype), body)
    return run_all(tmp_path_factory.mktemp("typed"), programs)


@pytest.mark.parametrize(("dtype", "array"), ARRAYS.items())
def test_data_is_the_typed_array_of_its_type(typed: dict[str, Any], dtype: str, array: str) -> None:
    assert typed[dtype] == [[array, array, dtype, 8 if dtype == "complex64" else 4], 1, 0]


def test_float16_is_an_array_that_this_engine_has(tmp_path: Path) -> None:
    body = """
        let types;
        const op = { run([x], [y]) { types = x.data.constructor === y.data.constructor; y.data.set(x.data); } };
        const model = await load({ Copy: op }, { device: 'cpu' });
        const [{ data }] = await model.run(new Uint16Array([0x3c00, 0, 0, 0]));
        return [types, new Uint16Array(data.buffer, data.byteOffset, 4)[0]];
    """
    assert run(tmp_path, custom_ops.one_node("Copy", "float16"), body) == [True, 0x3C00]


def test_quantization_is_the_files(tmp_path: Path) -> None:
    body = """
        let found;
        const op = { run([x], [y]) { found = x.quantization; y.data.set(x.data); } };
        const model = await load({ Copy: op }, { device: 'cpu' });
        await model.run(new Int8Array(4));
        return found;
    """
    content = custom_ops.one_node("Copy", "int8", quantization=Quantization((0.5,), (-3,)))
    assert run(tmp_path, content, body) == {"scales": [0.5], "zeroPoints": [-3], "quantizedDimension": 0}


def test_nodes_of_one_op_have_their_own_options_and_state(tmp_path: Path) -> None:
    body = """
        const seen = [];
        const op = {
          prepare([x], options, node) { node.state = options[0]; return [{ shape: x.shape, dtype: x.dtype }]; },
          run([x], [y], node) {
            seen.push([node.index, node.state]);
            for (let i = 0; i < x.data.length; i++) y.data[i] = x.data[i] + node.state;
          },
        };
        const model = await load({ Add: op }, { device: 'cpu' });
        const [y] = await model.run(floats(0, 1, 2, 3));
        return [seen, [...y.data]];
    """
    found = run(tmp_path, custom_ops.chain("Add", [b"\x01", b"\x0a", b"\x64"]), body)
    assert found == [[[0, 1], [1, 10], [2, 100]], [111, 112, 113, 114]]


def test_an_input_that_is_left_out_has_no_elements(tmp_path: Path) -> None:
    writer = ModelWriter()
    x, y = writer.tensor("x", (4,)), writer.tensor("y", (4,))
    writer.node("First", [NO_TENSOR, x], [y])
    body = """
        const op = { run([none, x], [y]) { y.data.set([none.index, none.data.length, ...x.data.slice(2)]); } };
        const [y] = await (await load({ First: op }, { device: 'cpu' })).run(floats(5, 6, 7, 8));
        return [...y.data];
    """
    assert run(tmp_path, writer.finish([x], [y]), body) == [-1, 0, 7, 8]


@pytest.mark.parametrize("options", ["{ device: 'cpu' }", ON_POLYFILL], ids=["cpu", "webnn"])
def test_only_the_branch_taken_calls_its_node(tmp_path: Path, options: str) -> None:
    body = f"""
        const nodes = new Set();
        const op = {{ run([x], [y], node) {{
          nodes.add(`${{node.subgraph}}:${{node.index}}`);
          for (let i = 0; i < 4; i++) y.data[i] = 2 * x.data[i];
        }} }};
        const model = await load({{ Double: op }}, {options});
        const results = [];
        for (const chosen of [1, 0]) {{
          const [y] = await model.run([Uint8Array.of(chosen), floats(1, 2, 3, 4)]);
          results.push([...y.data]);
        }}
        return [results, [...nodes]];
    """
    found = run(tmp_path, custom_ops.in_branches("Double"), body)
    assert found == [[[2, 4, 6, 8], [-2, -4, -6, -8]], ["1:0", "2:1"]]


@pytest.mark.parametrize("options", ["{ device: 'cpu' }", ON_POLYFILL], ids=["cpu", "webnn"])
def test_a_signature_of_another_subgraph_calls_the_functions(tmp_path: Path, options: str) -> None:
    body = f"""
        const model = await load({{ Double: {DOUBLE} }}, {options});
        const {{ y }} = await model.runSignature('other', {{ x: floats(1, 2, 3, 4) }});
        return [...y.data, ...(await model.run(floats(1, 0, 0, 0)))[0].data];
    """
    assert run(tmp_path, custom_ops.of_signature("Double"), body) == [2, 4, 6, 8, -1, 0, 0, 0]


@pytest.mark.parametrize("options", ["{ device: 'cpu' }", ON_POLYFILL], ids=["cpu", "webnn"])
def test_prepare_runs_again_for_other_shapes(tmp_path: Path, options: str) -> None:
    body = f"""
        const shapes = [];
        const op = {{
          prepare([x]) {{ shapes.push(x.shape); return [{{ shape: x.shape }}]; }},
          run([x], [y]) {{ for (let i = 0; i < x.data.length; i++) y.data[i] = 2 * x.data[i]; }},
        }};
        const model = await load({{ Double: op }}, {options});
        await model.resizeInputs([3, 2]);
        const [y] = await model.run(floats(1, 2, 3, 4, 5, 6));
        await model.resizeInputs([1, 2]);
        const [small] = await model.run(floats(1, 2));
        return [shapes[0], shapes.at(-1), y.shape, [...y.data], [...small.data]];
    """
    content = custom_ops.one_node("Double", shape=(1, 2), open_axes=[0])
    first, last, shape, values, small = run(tmp_path, content, body)
    assert (first, shape, values, small) == ([1, 2], [3, 2], [2, 4, 6, 8, 10, 12], [2, 4])
    assert last == [3, 2]  # the model of the first shape was kept


def test_an_open_shape_needs_prepare_after_a_resize(tmp_path: Path) -> None:
    body = f"""
        const model = await load({{ Double: {DOUBLE} }}, {{ device: 'cpu' }});
        const before = [...(await model.run(floats(1, 2)))[0].data];
        const error = await failed(() => model.resizeInputs([3, 2]));
        return [before, error, [...(await model.run(floats(1, 2)))[0].data]];
    """
    before, error, after = run(tmp_path, custom_ops.one_node("Double", shape=(1, 2), open_axes=[0]), body)
    assert before == after == [2, 4]
    assert error["code"] == "CUSTOM_OP_FAILED"
    assert (
        "has output 0 ('y') of the shape [-1, 2], which depends on its inputs: return it from prepare()"
        in error["message"]
    )


POSITIVES = """{
  prepare: () => [{ shape: null }],
  run([x], [y]) {
    const kept = x.data.filter((value) => value > 0);
    y.resize([kept.length]);
    y.data.set(kept);
  },
}"""


@pytest.mark.parametrize("options", ["{ device: 'cpu' }", ON_POLYFILL], ids=["cpu", "webnn"])
def test_a_run_gives_an_output_its_shape(tmp_path: Path, options: str) -> None:
    body = f"""
        const model = await load({{ Positives: {POSITIVES} }}, {options});
        const results = [];
        for (const sign of [1, -1, 0, 1]) {{
          const [y] = await model.run(floats(1, 2, 3, 4, 5, 6, 7, 8).map((value) => sign * value));
          results.push([y.shape, [...y.data]]);
        }}
        return [results, model.executionMode];
    """
    results, mode = run(tmp_path, custom_ops.filtered(), body)
    for sign, (shape, values) in zip([1, -1, 0, 1], results, strict=True):
        sine = np.sin(sign * np.arange(1, 9))
        np.testing.assert_allclose(values, 2 * sine[sine > 0], rtol=1e-5)
        assert shape == [len(values)]
    assert mode == ("cpu" if "cpu" in options else "stepped")


def test_views_are_made_again_when_memory_grows(tmp_path: Path) -> None:
    body = """
        const seen = [];
        const op = {
          prepare: () => [{ shape: null }],
          run([x], [y]) {
            const before = x.data;
            y.resize([2 ** 25]);
            seen.push(before.length, x.data.length, x.data[3], y.data.length);
            y.data[2 ** 25 - 1] = x.data[3];
          },
        };
        const model = await load({ Grow: op }, { device: 'cpu', variant: 'simd' });
        const [y] = await model.run(floats(1, 2, 3, 4));
        return [seen, y.shape, y.data.at(-1)];
    """
    # The view of the memory before has no elements any more.
    assert run(tmp_path, custom_ops.one_node("Grow"), body) == [[0, 4, 4, 2**25], [2**25], 4]


FAILURES = {
    "run_throws": ("{ run() { throw new RangeError('too bad'); } }", "failed in run(): RangeError: too bad."),
    "run_throws_no_error": ("{ run() { throw 5; } }", "failed in run(): 5."),
    "prepare_throws": (
        "{ prepare() { throw new RangeError('too bad'); }, run() {} }",
        "failed in prepare(): RangeError: too bad.",
    ),
    "async_run": (
        "{ async run() { throw new Error('unseen'); } }",
        "has an asynchronous run(), but TFLite cannot wait: make it synchronous.",
    ),
    "async_prepare": (
        "{ async prepare() {}, run() {} }",
        "has an asynchronous prepare(), but TFLite cannot wait: make it synchronous.",
    ),
    "too_few_results": (
        "{ prepare: () => [], run() {} }",
        "has another number of results: prepare() returns a list with { shape } for each of its 1 outputs; "
        "it returned 0.",
    ),
    "no_list": (
        "{ prepare: () => ({ shape: [4] }), run() {} }",
        "has another result: prepare() returns a list with { shape } for each of its 1 outputs; it returned "
        "[object Object].",
    ),
    "bare_shape": (
        "{ prepare: () => [[4]], run() {} }",
        "prepare() returns a list with { shape } for each of its 1 outputs; it returned 4 for output 0.",
    ),
    "wrong_shape": (
        "{ prepare: () => [{ shape: [-1] }], run() {} }",
        "cannot have output 0 of the shape -1: a shape is a list of integers, 0 or more, or null if run() sets it",
    ),
    "large_shape": (
        "{ prepare: () => [{ shape: [65536, 65536] }], run() {} }",
        "failed in prepare(): RangeError: output 0 ('y') of the shape [65536, 65536] takes more than 2 GB.",
    ),
    "wrong_type": (
        "{ prepare: () => [{ dtype: 'int32' }], run() {} }",
        'cannot have output 0 of the type "int32": the file says float32, which other nodes rely on.',
    ),
    "never_resized": (
        "{ prepare: () => [{ shape: null }], run() {} }",
        "did not call resize(shape) of output 0, whose shape prepare() left to run().",
    ),
    "read_before_resize": (
        "{ prepare: () => [{ shape: null }], run(_, [y]) { y.data.fill(1); } }",
        "failed in run(): TypeError: output 0 ('y') has no values before resize(shape) gives it a shape.",
    ),
    "resize_of_a_fixed_shape": (
        "{ run(_, [y]) { y.resize([2]); } }",
        "failed in run(): TypeError: resize() is for outputs that prepare() returned with the shape null; "
        "output 0 ('y') has the shape [4].",
    ),
    "resize_to_no_shape": (
        "{ prepare: () => [{ shape: null }], run(_, [y]) { y.resize('4'); } }",
        'failed in run(): TypeError: resize() needs a list of integers, 0 or more; it was given "4".',
    ),
    "endless_recursion": (
        "{ run: function run(inputs, outputs) { run(inputs, outputs); } }",
        "failed in run(): RangeError: Maximum call stack size exceeded.",
    ),
}


DEVICES = {"cpu": "{ device: 'cpu' }", "webnn": ON_POLYFILL}


@pytest.fixture(scope="module")
def failures(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    programs = {}
    for device, options in DEVICES.items():
        for name, (op, _) in FAILURES.items():
            body = f"""
                const good = await load({{ Mine: {DOUBLE} }}, {options});
                const error = await failed(async () => {{
                  const model = await load({{ Mine: {op} }}, {options});
                  await failed(() => model.run(floats(1, 2, 3, 4)));
                  await model.run(floats(1, 2, 3, 4));
                }});
                return [error, [...(await good.run(floats(1, 2, 3, 4)))[0].data]];
            """
            programs[f"{device} {name}"] = (custom_ops.one_node("Mine"), body)
    return run_all(tmp_path_factory.mktemp("failures"), programs)


@pytest.mark.parametrize(
    ("name", "message"), [(name, message) for name, (_, message) in FAILURES.items()], ids=FAILURES
)
@pytest.mark.parametrize("device", DEVICES)
def test_what_functions_do_wrong_is_an_error_with_the_node(
    failures: dict[str, Any], device: str, name: str, message: str
) -> None:
    """Another model still runs."""
    error, values = failures[f"{device} {name}"]
    assert error["message"].startswith("The custom op 'Mine' (node 0) ")
    assert message in error["message"]
    assert (error["name"], error["code"], error["isOfPackage"]) == ("InterpreterError", "CUSTOM_OP_FAILED", True)
    assert error["details"] == {"op": "Mine", "node": 0, "subgraph": 0}
    assert (error["cause"] is not None) == ("failed in" in message)
    assert values == [2, 4, 6, 8]


def test_a_model_runs_again_after_a_failed_run(tmp_path: Path) -> None:
    body = """
        let fails = true;
        const op = { run([x], [y]) { if (fails) throw new Error('once'); y.data.set(x.data); } };
        const model = await load({ Copy: op }, { device: 'cpu' });
        const error = await failed(() => model.run(floats(1, 2, 3, 4)));
        fails = false;
        return [error.code, [...(await model.run(floats(1, 2, 3, 4)))[0].data]];
    """
    assert run(tmp_path, custom_ops.one_node("Copy"), body) == ["CUSTOM_OP_FAILED", [1, 2, 3, 4]]


@pytest.mark.parametrize("dtype", ["string", "int4"])
def test_types_without_an_array_are_rejected(tmp_path: Path, dtype: str) -> None:
    body = "return failed(() => load({ Copy: { run() {} } }, { device: 'cpu' }));"
    error = run(tmp_path, custom_ops.one_node("Copy", dtype), body)
    assert f"cannot have input 0 of the type {dtype}, which no array holds" in error["message"]


REENTRIES = {
    "run": "reentered = failed(() => model.run(x.data.slice()))",
    "run_sync": "model.runSync(x.data.slice())",
    "signature": "reentered = failed(() => model.runSignature('main', {}))",
    "dispose": "model.dispose()",
}


OUTER = ("run", "runSync")
THREADS = (1, 3)


@pytest.fixture(scope="module")
def reentries(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    programs = {}
    for outer, threads, (name, call) in itertools.product(OUTER, THREADS, REENTRIES.items()):
        body = f"""
            let model;
            let reentered;
            const op = {{ run([x], [y]) {{ {call}; y.data.set(x.data); }} }};
            model = await load({{ Copy: op }}, {{ device: 'cpu', numThreads: {threads} }});
            const error = await failed(() => model.{outer}(floats(1, 2, 3, 4)));
            const found = (await reentered)?.message ?? error.message;
            model.dispose();
            return found;
        """
        programs[f"{outer} {threads} {name}"] = (custom_ops.one_node("Copy"), body)
    return run_all(tmp_path_factory.mktemp("reentries"), programs)


@pytest.mark.parametrize("name", REENTRIES)
@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.parametrize("outer", OUTER)
def test_a_run_cannot_use_its_own_model(reentries: dict[str, Any], outer: str, threads: int, name: str) -> None:
    message = reentries[f"{outer} {threads} {name}"]
    assert (
        "The custom op 'Copy' (node 0) used its own model, which waits for it: use the model after its run." in message
    )


def test_a_run_may_use_another_model(tmp_path: Path) -> None:
    body = f"""
        const other = await load({{ Double: {DOUBLE} }}, {{ device: 'cpu' }});
        const op = {{ run([x], [y]) {{ y.data.set(other.runSync(x.data.slice())[0].data); }} }};
        const model = await load({{ Double: op }}, {{ device: 'cpu' }});
        return [...(await model.run(floats(1, 2, 3, 4)))[0].data];
    """
    assert run(tmp_path, custom_ops.one_node("Double"), body) == [2, 4, 6, 8]


def test_tensors_can_be_used_during_their_call_only(tmp_path: Path) -> None:
    body = """
        let kept;
        const op = { run([x], [y]) { kept = x; y.data.set(x.data); } };
        const model = await load({ Copy: op }, { device: 'cpu' });
        await model.run(floats(1, 2, 3, 4));
        return failed(() => kept.data);
    """
    error = run(tmp_path, custom_ops.one_node("Copy"), body)
    assert error["message"] == (
        "a tensor of a custom op can be used during its call only: copy the values with data.slice()"
    )


@pytest.mark.parametrize("source", ["pathToFileURL(path)", "pathToFileURL(path).href", "path"])
def test_ops_of_a_module_here_and_in_a_worker(tmp_path: Path, source: str) -> None:
    (tmp_path / "ops.mjs").write_text(f"export default {{ Double: {DOUBLE} }};", encoding="utf-8")
    body = f"""
        const path = file.replace('model_0.tflite', 'ops.mjs');
        const here = await load({source});
        const worker = new library.TFLiteWorker();
        const there = await worker.loadTFLiteModel(file, {{ customOps: {source} }});
        const results = [];
        for (const model of [here, there]) results.push([...(await model.run(floats(1, 2, 3, 4)))[0].data]);
        worker.dispose();
        return results;
    """
    assert run(tmp_path, custom_ops.one_node("Double"), body) == [[2, 4, 6, 8]] * 2


def test_a_worker_passes_on_errors_of_functions(tmp_path: Path) -> None:
    (tmp_path / "ops.mjs").write_text(
        "export default { Mine: { run() { throw new RangeError('too bad'); } } };", encoding="utf-8"
    )
    body = """
        const worker = new library.TFLiteWorker();
        const customOps = pathToFileURL(file.replace('model_0.tflite', 'ops.mjs'));
        const model = await worker.loadTFLiteModel(file, { customOps });
        const ran = await failed(() => model.run(floats(1, 2, 3, 4)));
        const given = await failed(() => worker.loadTFLiteModel(file, { customOps: { Mine: { run() {} } } }));
        worker.dispose();
        return [ran, given];
    """
    ran, given = run(tmp_path, custom_ops.one_node("Mine"), body)
    assert ran["message"] == "The custom op 'Mine' (node 0) failed in run(): RangeError: too bad."
    assert (ran["code"], ran["cause"], ran["isOfPackage"]) == ("CUSTOM_OP_FAILED", "RangeError: too bad", True)
    assert (given["name"], given["details"]) == ("OptionError", {"option": "customOps"})
    assert "pass the address of a module that has them as its default export" in given["message"]


MODULES = {
    "export const Mine = {};": 'the option "customOps" is a module without ops: {url} needs "export default',
    "export default 5;": 'the option "customOps" is a module without ops: {url} needs "export default',
    "export default {": 'the option "customOps" could not be imported from {url} (SyntaxError',
    None: 'the option "customOps" could not be imported from {url} (Error: Cannot find module',
    "export default { Mine: {} };": 'the option "customOps.Mine.run" is a function; it was given undefined',
}


@pytest.mark.parametrize(("content", "message"), MODULES.items(), ids=range(len(MODULES)))
def test_a_module_without_ops_is_an_option_error(tmp_path: Path, content: str | None, message: str) -> None:
    path = tmp_path / "ops.mjs"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    body = "return failed(() => load(pathToFileURL(file.replace('model_0.tflite', 'ops.mjs'))));"
    error = run(tmp_path, custom_ops.one_node("Mine"), body)
    assert error["name"] == "OptionError"
    assert error["message"].startswith(message.format(url=path.as_uri()))


NEXT_STEP = "or compute the op in JavaScript: loadTFLiteModel() of tflite-webnn takes it as the option customOps"


def test_an_unknown_custom_op_names_the_option(tmp_path: Path) -> None:
    body = "return [await failed(() => load(undefined)), await failed(() => load({ Other: { run() {} } }))];"
    for error in run(tmp_path, custom_ops.one_node("Mine"), body):
        assert error["code"] == "UNRESOLVED_CUSTOM_OP"
        assert error["message"].endswith(NEXT_STEP)


def test_a_function_computes_an_op_of_tensorflow(tmp_path: Path) -> None:
    body = f"""
        const error = await failed(() => load(undefined));
        const model = await load({{ FlexErf: {DOUBLE} }});
        return [error.message, [...(await model.run(floats(1, 2, 3, 4)))[0].data]];
    """
    message, values = run(tmp_path, custom_ops.one_node("FlexErf"), body)
    assert message.endswith(NEXT_STEP)
    assert values == [2, 4, 6, 8]


@pytest.mark.parametrize("op", ["MaxPoolingWithArgmax2D", "MaxUnpooling2D", "Convolution2DTransposeBias"])
def test_delegates_do_not_take_an_op_that_a_function_computes(tmp_path: Path, op: str) -> None:
    """XNNPACK's delegate would read the options of these ops unchecked."""
    writer = ModelWriter()
    x, y, z = (writer.tensor(name, (1, 2, 2, 1)) for name in ("x", "y", "z"))
    weights = writer.constant("weights", np.ones((1, 1, 1, 1), np.float32))
    bias = writer.constant("bias", np.ones(1, np.float32))
    more = [weights, bias] if op.startswith("Convolution") else []
    writer.node(op, [x, *more], [y], np.array([2, 1, 1], np.int32).tobytes())
    writer.node("NEG", [y], [z])
    body = f"""
        const results = [];
        for (const options of [{{ device: 'cpu' }}, {ON_POLYFILL}]) {{
          const model = await load({{ {op}: {DOUBLE} }}, options);
          results.push([...(await model.run(floats(1, 2, 3, 4)))[0].data]);
        }}
        return results;
    """
    assert run(tmp_path, writer.finish([x], [z]), body) == [[-2, -4, -6, -8]] * 2


@pytest.mark.parametrize("op", ["Convolution2DTransposeBias", "AudioSpectrogram"])
def test_a_function_is_not_held_to_the_kernel_of_its_name(tmp_path: Path, op: str) -> None:
    """The kernels need another number of inputs, and options."""
    body = f"return [...(await (await load({{ {op}: {DOUBLE} }})).run(floats(1, 2, 3, 4)))[0].data];"
    assert run(tmp_path, custom_ops.one_node(op), body) == [2, 4, 6, 8]


TRANSPOSED_CONVOLUTION = """{
  prepare([x, filters], options, node) {
    const [padding, strideWidth, strideHeight] = new Int32Array(options.slice().buffer);
    if (padding !== 2) throw new Error('not VALID');
    node.state = { strideWidth, strideHeight };
    const [batch, height, width] = x.shape;
    return [{ shape: [batch, height * strideHeight, width * strideWidth, filters.shape[0]] }];
  },
  run([x, filters, bias], [y], { state }) {
    const [, height, width, channels] = x.shape;
    const [outputs, filterHeight, filterWidth] = filters.shape;
    const rowWidth = y.shape[2];
    for (let i = 0; i < y.data.length; i++) y.data[i] = bias.data[i % outputs];
    for (let i = 0; i < height * width; i++) {
      for (let j = 0; j < filterHeight * filterWidth; j++) {
        const row = Math.floor(i / width) * state.strideHeight + Math.floor(j / filterWidth);
        const column = (i % width) * state.strideWidth + (j % filterWidth);
        for (let out = 0; out < outputs; out++) {
          for (let c = 0; c < channels; c++) {
            y.data[(row * rowWidth + column) * outputs + out] +=
              x.data[i * channels + c] * filters.data[(out * filterHeight * filterWidth + j) * channels + c];
          }
        }
      }
    }
  },
}"""


def test_results_are_those_of_the_kernel(tmp_path: Path) -> None:
    """An op that this runtime has, by its own kernel and in JavaScript, from the same file."""
    random = np.random.default_rng(SEED)
    filters, bias = random.standard_normal((3, 2, 2, 4), np.float32), random.standard_normal(3, np.float32)
    x = random.standard_normal((1, 5, 5, 4), np.float32)
    body = f"""
        const x = Float32Array.from({x.ravel().tolist()});
        const results = [];
        let calls = 0;
        const op = {TRANSPOSED_CONVOLUTION};
        const counted = {{ prepare: op.prepare, run: (...all) => {{ calls++; op.run(...all); }} }};
        for (const customOps of [undefined, {{ Convolution2DTransposeBias: counted }}]) {{
          for (const options of [{{ device: 'cpu' }}, {ON_POLYFILL}]) {{
            const model = await load(customOps, options);
            results.push([...(await model.run(x))[0].data]);
          }}
        }}
        return [results, calls];
    """
    results, calls = run(tmp_path, custom_ops.transposed_convolution(filters, bias, side=5), body)
    assert calls == 2
    for result in results[1:]:
        np.testing.assert_allclose(result, results[0], rtol=1e-4, atol=1e-5)


def test_models_load_and_run_again_after_dispose(tmp_path: Path) -> None:
    body = f"""
        const results = [];
        for (let i = 0; i < 5; i++) {{
          const model = await load({{ Double: {DOUBLE} }}, {{ device: 'cpu' }});
          results.push((await model.run(floats(1, 2, 3, i)))[0].data[3]);
          model.dispose();
          results.push((await failed(() => model.run(floats(1, 2, 3, 4)))).name);
        }}
        return results;
    """
    expected = [value for i in range(5) for value in (2 * i, "ModelDisposedError")]
    assert run(tmp_path, custom_ops.one_node("Double"), body) == expected


def test_nodes_are_measured_by_their_op(tmp_path: Path) -> None:
    body = f"""
        const model = await load({{ Scale: {SCALE} }}, {{ device: 'cpu', enableProfiling: true }});
        await model.run(new Float32Array(8));
        return (await model.getProfilingResults()).map(({{ nodeType }}) => nodeType);
    """
    assert "Scale" in run(tmp_path, custom_ops.scaled_between_nodes(), body)


def test_explain_model_reports_the_node_on_the_cpu(tmp_path: Path) -> None:
    body = f"""
        const {{ explainModel }} = await import(pathToFileURL(`${{packageDir}}/node/explain.mjs`));
        const limits = {{ maxTensorByteLength: 2 ** 31 - 1 }};
        const {{ report }} = await explainModel(file, limits, {{ customOps: {{ Scale: {SCALE} }} }});
        return report.nodes.map(({{ op, placement, reason }}) => [op, placement, reason])[1];
    """
    found = run(tmp_path, custom_ops.scaled_between_nodes(), body)
    assert found == ["Scale", "cpu", "a function of the option customOps computes Scale"]


def test_explained_is_what_loads_although_a_signature_has_an_unknown_op(tmp_path: Path) -> None:
    """Its subgraph is left out of the report and of the memory plan."""
    body = """
        const { explainModel, planMemory } = await import(pathToFileURL(`${packageDir}/node/explain.mjs`));
        const { report, unsupported } = await explainModel(file, { maxTensorByteLength: 2 ** 31 - 1 });
        const { subgraphs } = await planMemory(file);
        const modes = report.subgraphs.map(({ executionMode }) => executionMode);
        const planned = subgraphs.map(({ index }) => index);
        return { nodes: report.nodes.map(({ op }) => op), modes, unsupported, planned };
    """
    found = run(tmp_path, custom_ops.of_signature("Mine"), body)
    (row,) = found["unsupported"]
    assert "custom op 'Mine'" in row["reason"]
    assert (found["nodes"], found["modes"], row["index"], found["planned"]) == (["NEG"], [None], 1, [0])
