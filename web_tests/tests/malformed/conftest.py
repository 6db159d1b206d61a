"""Node runs what is malformed in graphs and kernels."""

from web_tests.tests.node.conftest import engine, harness, node_page

__all__ = ["engine", "harness", "node_page"]
