"""Fixtures: two backends, a fake on native LiteRT and the real session in Node, and pairs of interpreters."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from ai_edge_litert.interpreter import Interpreter as NativeInterpreter
from tflite_webnn import Interpreter
from tflite_webnn.assets import use_backend

from pyodide_pkg import module
from pyodide_pkg.tests.fake_backend import FakeBackend
from pyodide_pkg.tests.node_backend import NodeBackend
from tools.suite.needs import VARIANTS, needing


@pytest.fixture(autouse=True)
def no_running_loop() -> Iterator[None]:
    """Hide the event loop that Playwright leaves running in the thread of a worker that has also run browser tests."""
    loop = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    yield
    asyncio._set_running_loop(loop)


@pytest.fixture(scope="session")
@needing(VARIANTS)  # the module has two
def node_process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NodeBackend]:
    directory = tmp_path_factory.mktemp("bundle")
    module.bundle_module(directory)
    backend = NodeBackend(directory / module.FILE_NAME, "simd")
    yield backend
    backend.close()


@pytest.fixture
def node(node_process: NodeBackend) -> Iterator[NodeBackend]:
    """The session of the browsers."""
    use_backend(node_process)
    yield node_process
    use_backend(None)


@pytest.fixture
def fake() -> Iterator[FakeBackend]:
    """The fake on native LiteRT."""
    backend = FakeBackend()
    use_backend(backend)
    yield backend
    use_backend(None)


@pytest.fixture(params=["fake", pytest.param("node", marks=pytest.mark.needs("variants"))])
def backend(request: pytest.FixtureRequest) -> Any:
    """Each backend."""
    return request.getfixturevalue(request.param)


class Pair:
    """The same model in this package's interpreter and in native LiteRT's."""

    def __init__(self, content: bytes, **arguments: Any) -> None:
        self.interpreter: Any = Interpreter(model_content=content, **arguments)
        self.native: Any = NativeInterpreter(model_content=content, **arguments)

    def call(self, method: str, *arguments: Any, **named: Any) -> tuple[Any, Any]:
        """Return the results of a method, this package's and native's."""
        actual = getattr(self.interpreter, method)(*arguments, **named)
        native = getattr(self.native, method)(*arguments, **named)
        return actual, native

    def allocate(self) -> None:
        self.call("allocate_tensors")

    def run(self, *inputs: Any) -> None:
        """Set the inputs, in order, and invoke."""
        for details, value in zip(self.native.get_input_details(), inputs, strict=True):
            self.call("set_tensor", details["index"], value)
        self.call("invoke")

    def outputs(self) -> tuple[list[Any], list[Any]]:
        """Return the outputs, this package's and native's."""
        indices = [details["index"] for details in self.native.get_output_details()]
        return [self.interpreter.get_tensor(index) for index in indices], [
            self.native.get_tensor(index) for index in indices
        ]
