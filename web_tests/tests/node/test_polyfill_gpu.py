"""The polyfill's GPU engine in Node, where a program brings WebGPU (npm's `webgpu`) as navigator.gpu."""

from pathlib import Path

import pytest

from web_tests.tests.node.programs import in_node

pytestmark = pytest.mark.needs("package")


def test_webgpu_without_adapter_says_so(program: str, tmp_path: Path) -> None:
    body = """
        globalThis.navigator ??= {};
        Object.defineProperty(globalThis.navigator, 'gpu', { value: { requestAdapter: async () => null } });
        const { webnnOf } = await import(pathToFileURL(`${packageDir}/polyfill.mjs`));
        return webnnOf('webgpu').navigator.ml.createContext().then(() => '', ({ message }) => message);
    """
    assert "WebGPU has no adapter" in in_node(program, tmp_path / "none", body)
