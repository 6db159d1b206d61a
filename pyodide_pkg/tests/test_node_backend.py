"""The session in Node, after its process has ended."""

import pytest
from tflite_webnn import Interpreter

from pyodide_pkg.tests.node_backend import NodeBackend, NodeEndedError
from web_tests.models import handmade

pytestmark = pytest.mark.needs("variants")


def test_a_node_that_ends_is_an_error_of_its_sessions_and_not_of_later_ones(node: NodeBackend) -> None:
    interpreter = Interpreter(model_content=handmade.sin_example())
    node.close()
    with pytest.raises(NodeEndedError, match="Node has ended with -9 during allocate"):
        interpreter.allocate_tensors()
    later = Interpreter(model_content=handmade.sin_example())
    later.allocate_tensors()
    later.invoke()
    del interpreter
