"""The option `customOps` of the built package, in Node: every execution, subgraphs, threads, modules and workers.

js/packages/core/tests/custom_ops_on_module.test.ts has what functions get and do.
"""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from support.npm import find_node
from web_tests.models import custom_ops
from web_tests.models.model_writer import NO_TENSOR, ModelWriter
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


def run(directory: Path, content: bytes, body: str) -> Any:
    """Return the result of the function body, which also has `load(customOps, options)` and `floats(...)`."""
    file = directory / "model.tflite"
    file.write_bytes(content)
    return in_node(str(find_node()), file, BEGIN + body)


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
def test_nodes_next_to_a_custom_op_keep_their_placement_and_result(tmp_path: Path, options: str, mode: str) -> None:
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


def copy_after_products() -> bytes:
    """Return Copy of four products of f32[16,1024]: such runs take long enough for several threads."""
    writer = ModelWriter()
    names = ("x", "first", "second", "third", "fourth", "y")
    x, *products, y = (writer.tensor(name, (16, 1024)) for name in names)
    weights = writer.constant("weights", np.zeros((1024, 1024), np.float32))
    for value, product in pairwise([x, *products]):
        writer.node("FULLY_CONNECTED", [value, weights, NO_TENSOR], [product])
    writer.node("Copy", products[-1:], [y])
    return writer.finish([x], [y])


@pytest.mark.needs("variants")
@pytest.mark.parametrize(
    "call", ["run(x.data.slice())", "runSync(x.data.slice())", "runSignature('main', {})", "dispose()"]
)
def test_a_run_on_threads_cannot_use_its_own_model(tmp_path: Path, call: str) -> None:
    body = f"""
        let model;
        let inner;
        const op = {{ run([x], [y]) {{ inner = failed(() => model.{call}); y.data.set(x.data); }} }};
        model = await load({{ Copy: op }}, {{ device: 'cpu', numThreads: 3 }});
        await model.run(new Float32Array(16 * 1024));
        return [(await model.report()).threads.used, (await inner).message];
    """
    threads, message = run(tmp_path, copy_after_products(), body)
    assert threads == 3
    assert "used its own model, which waits for it: use the model after its run." in message


@pytest.mark.parametrize("source", ["pathToFileURL(path)", "pathToFileURL(path).href", "path"])
def test_custom_ops_of_a_module_compute_here_and_in_a_worker(tmp_path: Path, source: str) -> None:
    (tmp_path / "ops.mjs").write_text(f"export default {{ Double: {DOUBLE} }};", encoding="utf-8")
    body = f"""
        const path = file.replace('model.tflite', 'ops.mjs');
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
        const customOps = pathToFileURL(file.replace('model.tflite', 'ops.mjs'));
        const model = await worker.loadTFLiteModel(file, { customOps });
        const ran = await failed(() => model.run(floats(1, 2, 3, 4)));
        const provided = await failed(() => worker.loadTFLiteModel(file, { customOps: { Mine: { run() {} } } }));
        worker.dispose();
        return [ran, provided];
    """
    ran, provided = run(tmp_path, custom_ops.one_node("Mine"), body)
    assert ran["message"] == "The custom op 'Mine' (node 0) failed in run(): RangeError: too bad."
    assert (ran["code"], ran["cause"], ran["isOfPackage"]) == ("CUSTOM_OP_FAILED", "RangeError: too bad", True)
    assert (provided["name"], provided["details"]) == ("OptionError", {"option": "customOps"})
    assert "pass the address of a module that has them as its default export" in provided["message"]


MODULES = {
    "export const Mine = {};": 'the option "customOps" is a module without ops: {url} needs "export default',
    "export default 5;": 'the option "customOps" is a module without ops: {url} needs "export default',
    "export default {": 'the option "customOps" could not be imported from {url} (SyntaxError',
    None: 'the option "customOps" could not be imported from {url} (Error: Cannot find module',
    "export default { Mine: {} };": 'the option "customOps.Mine.run" is a function; got undefined',
}


@pytest.mark.parametrize(("content", "message"), MODULES.items(), ids=range(len(MODULES)))
def test_a_module_without_ops_is_an_option_error(tmp_path: Path, content: str | None, message: str) -> None:
    path = tmp_path / "ops.mjs"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    body = "return failed(() => load(pathToFileURL(file.replace('model.tflite', 'ops.mjs'))));"
    error = run(tmp_path, custom_ops.one_node("Mine"), body)
    assert error["name"] == "OptionError"
    assert error["message"].startswith(message.format(url=path.as_uri()))


@pytest.mark.parametrize("op", ["MaxPoolingWithArgmax2D", "MaxUnpooling2D", "Convolution2DTransposeBias"])
def test_delegates_reject_an_op_that_a_function_computes(tmp_path: Path, op: str) -> None:
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


def test_a_custom_op_in_javascript_has_the_results_of_its_kernel(tmp_path: Path) -> None:
    """An op that this runtime has, by its own kernel and in JavaScript, from the same file."""
    random = np.random.default_rng(SEED)
    filters, bias = random.standard_normal((3, 2, 2, 4), np.float32), random.standard_normal(3, np.float32)
    x = random.standard_normal((1, 5, 5, 4), np.float32)
    body = f"""
        const x = Float32Array.from({x.ravel().tolist()});
        const results = [];
        const op = await script('transposed_convolution');
        for (const customOps of [undefined, {{ Convolution2DTransposeBias: op.transposedConvolution }}]) {{
          for (const options of [{{ device: 'cpu' }}, {ON_POLYFILL}]) {{
            const model = await load(customOps, options);
            results.push([...(await model.run(x))[0].data]);
          }}
        }}
        return [results, op.calls];
    """
    results, calls = run(tmp_path, custom_ops.transposed_convolution(filters, bias, side=5), body)
    assert calls == 2
    for result in results[1:]:
        np.testing.assert_allclose(result, results[0], rtol=1e-4, atol=1e-5)


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
