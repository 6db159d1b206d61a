"""WebNN from Python: the delegate, asynchronous and blocking runs, and no run during a run."""

import asyncio
from collections.abc import Awaitable
from typing import Any

import numpy as np
import pytest
from tflite_webnn import (
    AsyncInvokeRequiredError,
    Delegate,
    DelegateError,
    Interpreter,
    InterpreterBusyError,
    InterpreterError,
    UnknownDelegateError,
    load_delegate,
)

from pyodide_pkg.tests.comparisons import assert_same_values
from pyodide_pkg.tests.fake_backend import FakeBackend
from pyodide_pkg.tests.node_backend import NodeBackend
from web_tests.models import handmade, stateful
from web_tests.references import native_litert
from web_tests.references.report import check_report

MODEL = handmade.tiny_network()
IMAGE = np.linspace(-1, 1, 16 * 16 * 3, dtype=np.float32).reshape(1, 16, 16, 3)


def delegated(options: dict[str, object] | None = None, content: bytes = MODEL, **arguments: Any) -> Interpreter:
    """Return an interpreter with the delegate, allocated."""
    delegates = [load_delegate("webnn", options)]
    interpreter = Interpreter(model_content=content, experimental_delegates=delegates, **arguments)
    interpreter.allocate_tensors()
    return interpreter


def result(interpreter: Interpreter) -> Any:
    return interpreter.get_tensor(interpreter.get_output_details()[0]["index"])


def test_an_unknown_delegate_is_an_error_with_the_known_one(node: NodeBackend) -> None:
    """Native LiteRT raises an OSError for a library, a ValueError if a delegate does not start."""
    for kind in (ValueError, OSError, UnknownDelegateError):
        with pytest.raises(kind, match=r"libedgetpu\.so\.1: .* the only delegate is 'webnn'"):
            load_delegate("libedgetpu.so.1")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"device": "gpu"}, 'no option "device": it is one of device_preference, power_preference, max_partitions'),
        ({"max_partition": 1}, 'no option "max_partition": did you mean max_partitions?'),
        ({"device_preference": "tpu"}, 'is one of default, gpu, cpu, npu; got "tpu"'),
        ({"polyfill": "webgpu"}, "is one of auto, never, tflite"),
        ({"max_partitions": -1}, "is an integer, 0 or more"),
        ({"ignore_partition_cost": "maybe"}, "is True or False"),
        ({"allowed_ops": "conv 2d"}, "is a list of TFLite ops"),
    ],
)
def test_a_wrong_option_is_an_error_with_the_valid_values(
    options: dict[str, object], message: str, node: NodeBackend
) -> None:
    with pytest.raises(ValueError, match="Failed to load delegate from webnn\n") as found:
        load_delegate("webnn", options)
    assert message in str(found.value)
    with pytest.raises(DelegateError):
        Delegate("webnn", options)


def test_options_of_load_delegate_reach_the_session(node: NodeBackend) -> None:
    delegate = load_delegate(
        "webnn",
        {
            "device_preference": "gpu",
            "power_preference": "low-power",
            "polyfill": "never",
            "max_partitions": 3,
            "min_nodes_per_partition": "2",
            "ignore_partition_cost": True,
            "allowed_ops": ["CONV_2D", "ADD"],
            "excluded_ops": "MUL",
        },
    )
    assert delegate.options == {
        "devicePreference": "gpu",
        "powerPreference": "low-power",
        "polyfill": "never",
        "maxPartitions": 3,
        "minNodesPerPartition": 2,
        "ignorePartitionCost": True,
        "allowedOps": ["CONV_2D", "ADD"],
        "excludedOps": ["MUL"],
    }


def test_delegates_of_another_type_are_a_type_error(fake: FakeBackend) -> None:
    for delegates in ([3], 3):
        with pytest.raises(TypeError):
            Interpreter(model_content=MODEL, experimental_delegates=delegates)  # type: ignore[arg-type]


def test_the_session_gets_the_options(fake: FakeBackend) -> None:
    delegated({"device_preference": "gpu"})
    assert fake.sessions[0].options["webnn"] == {"devicePreference": "gpu"}


def test_a_run_that_cannot_wait_names_the_one_that_can(fake: FakeBackend) -> None:
    interpreter = delegated()
    with pytest.raises(AsyncInvokeRequiredError, match=r"await interpreter\.invoke_async\(\)"):
        interpreter.invoke()


def test_an_awaited_run_has_native_litert_s_values(fake: FakeBackend) -> None:
    interpreter = delegated()
    interpreter.set_tensor(0, IMAGE)
    asyncio.run(interpreter.invoke_async())
    assert_same_values(result(interpreter), native_litert.outputs_of(MODEL, [IMAGE])[0])


def test_invoke_async_without_webnn_computes_as_native_litert(fake: FakeBackend) -> None:
    interpreter = Interpreter(model_content=MODEL)
    interpreter.allocate_tensors()
    asyncio.run(interpreter.prepare_async())
    for image in (IMAGE, IMAGE[:, ::-1]):
        interpreter.set_tensor(0, image)
        asyncio.run(interpreter.invoke_async())
        assert_same_values(result(interpreter), native_litert.outputs_of(MODEL, [image])[0])


def test_a_run_waits_where_it_can(fake: FakeBackend, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tflite_webnn.model.can_wait", lambda: True)
    waited = []

    def wait_for(promise: Awaitable[None]) -> None:
        waited.append(promise)
        asyncio.run(promise)  # type: ignore[arg-type]

    monkeypatch.setattr("tflite_webnn.model.wait_for", wait_for)
    interpreter = delegated()
    interpreter.set_tensor(0, IMAGE)
    interpreter.invoke()
    assert len(waited) == 1
    assert_same_values(result(interpreter), native_litert.outputs_of(MODEL, [IMAGE])[0])


def test_invoke_after_prepare_async_does_not_wait(fake: FakeBackend, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tflite_webnn.model.can_wait", lambda: pytest.fail("checked whether it can wait"))
    interpreter = delegated()
    asyncio.run(interpreter.prepare_async())
    interpreter.invoke()


def test_nothing_runs_before_allocation(fake: FakeBackend) -> None:
    interpreter = Interpreter(model_content=MODEL, experimental_delegates=[load_delegate("webnn")])
    with pytest.raises(InterpreterError, match="not ready"):
        interpreter.invoke()
    with pytest.raises(InterpreterError, match="not ready"):
        asyncio.run(interpreter.invoke_async())


def test_no_call_during_a_run(fake: FakeBackend) -> None:
    interpreter = delegated()
    (session,) = fake.sessions
    interpreter.get_input_details()
    calls = [
        lambda: interpreter.set_tensor(0, IMAGE),
        lambda: interpreter.get_tensor(0),
        lambda: interpreter.tensor(0)(),
        lambda: interpreter.resize_tensor_input(0, [1]),
        interpreter.allocate_tensors,
        interpreter.invoke,
        interpreter.reset_all_variables,
        interpreter._get_ops_details,
    ]

    async def run() -> None:
        release = asyncio.Event()
        session.pause = _wait(release)
        running = asyncio.ensure_future(interpreter.invoke_async())
        await asyncio.sleep(0)
        for call in calls:
            with pytest.raises(InterpreterBusyError, match="await the result of invoke_async"):
                call()
        with pytest.raises(InterpreterBusyError):
            await interpreter.invoke_async()
        with pytest.raises(InterpreterBusyError):
            await interpreter.prepare_async()
        interpreter.get_input_details()  # describes nothing that may change
        release.set()
        await running

    asyncio.run(run())
    session.pause = None
    interpreter.get_tensor(0)


async def _wait(event: asyncio.Event) -> None:
    await event.wait()


def test_an_interpreter_runs_again_after_a_failed_run(fake: FakeBackend) -> None:
    interpreter = delegated()
    (session,) = fake.sessions

    async def fail() -> None:
        raise ConnectionError("no error of JavaScript's")

    session.pause = fail()
    with pytest.raises(ConnectionError):
        asyncio.run(interpreter.invoke_async())
    session.pause = None
    asyncio.run(interpreter.invoke_async())


def test_the_session_goes_with_the_interpreter(fake: FakeBackend) -> None:
    interpreter = Interpreter(model_content=MODEL)
    (session,) = fake.sessions
    del interpreter
    assert session.disposals == 1


POLYFILL: dict[str, object] = {"polyfill": "tflite"}


def test_an_installed_webnn_runs_the_model_with_promises(node: NodeBackend) -> None:
    """The polyfill as the browser's WebNN: the same delegate, graphs and tensors."""
    interpreter = delegated(POLYFILL)
    interpreter.set_tensor(0, IMAGE)
    asyncio.run(interpreter.invoke_async())
    with pytest.raises(AsyncInvokeRequiredError, match="prepared to be run with promises"):
        interpreter.invoke()
    assert_same_values(result(interpreter), native_litert.outputs_of(MODEL, [IMAGE])[0])
    report = interpreter.report()
    assert report["executionMode"] == "direct"
    assert report["webnn"]["used"] is True


def test_webnn_computes_after_a_resize(node: NodeBackend) -> None:
    content = handmade.sin_example()
    interpreter = delegated(POLYFILL, content)
    for length in (8, 3, 8):
        interpreter.resize_tensor_input(0, [length])
        interpreter.allocate_tensors()
        x = np.arange(length, dtype=np.float32)
        interpreter.set_tensor(0, x)
        asyncio.run(interpreter.invoke_async())
        np.testing.assert_allclose(result(interpreter), handmade.sin_example_output(x), rtol=1e-5, atol=1e-6)


def test_webnn_keeps_the_state_of_a_model(node: NodeBackend) -> None:
    """Stepped: WebNN has the sine, wasm the variable."""
    interpreter = delegated({**POLYFILL, "ignore_partition_cost": True}, stateful.counter())
    x = np.array([1, 2, 3, 4], np.float32)
    expected = np.ones(4)
    for _ in range(2):
        interpreter.set_tensor(interpreter.get_input_details()[0]["index"], x)
        asyncio.run(interpreter.invoke_async())
        expected = expected + x
        np.testing.assert_allclose(result(interpreter), np.sin(expected), rtol=1e-5, atol=1e-6)


def test_without_webnn_the_model_runs_synchronously_on_the_cpu(node: NodeBackend) -> None:
    """Node has none: the model runs on the CPU, synchronously, and the report has the reason."""
    interpreter = delegated()
    interpreter.set_tensor(0, IMAGE)
    interpreter.invoke()
    assert_same_values(result(interpreter), native_litert.outputs_of(MODEL, [IMAGE])[0])
    assert "navigator.ml is missing" in interpreter.report()["webnn"]["reason"]


def test_nodes_that_webnn_rejects_run_on_the_cpu(node: NodeBackend) -> None:
    content = stateful.string_picker()
    interpreter = delegated(POLYFILL, content)
    interpreter.set_tensor(0, np.array(["a", "b", "c"]))
    interpreter.set_tensor(1, np.array([2, 1], np.int32))
    asyncio.run(interpreter.invoke_async())
    assert result(interpreter).tolist() == [b"c", b"b"]
    interpreter.invoke()  # from now on, nothing has to be awaited
    assert interpreter.report()["executionMode"] == "cpu"
    assert interpreter.report()["webnn"]["reason"]


def test_preserved_intermediate_tensors_keep_the_model_on_the_cpu(node: NodeBackend) -> None:
    with pytest.warns(UserWarning, match="preserve_all_tensors"):
        interpreter = delegated(POLYFILL, experimental_preserve_all_tensors=True)
    interpreter.set_tensor(0, IMAGE)
    interpreter.invoke()
    assert "intermediate tensors" in interpreter.report()["webnn"]["reason"]


def test_invoke_waits_for_webnn_by_a_helper(node: NodeBackend) -> None:
    """Blocking mode: a helper worker computes while the thread sleeps."""
    asyncio.run(node.startHelper())
    for content, inputs in ((MODEL, [IMAGE]), (handmade.sin_example(), [np.arange(8, dtype=np.float32)])):
        interpreter = delegated(POLYFILL, content)
        interpreter.set_tensor(0, inputs[0])
        for _ in range(2):
            interpreter.invoke()
            assert_same_values(result(interpreter), native_litert.outputs_of(content, inputs)[0])
        report = interpreter.report()
        assert report["executionMode"] == "blocking"
        assert report["webnn"]["used"] is True


def test_reports_are_of_the_schema(node: NodeBackend) -> None:
    interpreter = delegated(POLYFILL)
    check_report(interpreter.report())
    asyncio.run(interpreter.invoke_async())
    check_report(interpreter.report())
    check_report(Interpreter(model_content=MODEL).report())
