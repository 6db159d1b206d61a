"""The polyfill's GPU engine in Node, where a program brings WebGPU (npm's `webgpu`) as navigator.gpu."""

from pathlib import Path

import pytest

from web_tests.tests.node.programs import call_in_node

pytestmark = pytest.mark.needs("package")


def test_webgpu_without_adapter_says_so(program: str, tmp_path: Path) -> None:
    assert "WebGPU has no adapter" in call_in_node(program, "polyfill_gpu", "messageWithoutAdapter", tmp_path / "none")
