"""Node runs what is malformed in graphs and kernels."""

from web_tests.tests.node.conftest import harness, node_page

__all__ = ["harness", "node_page"]
