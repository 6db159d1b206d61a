"""The kernels of wasm/xnnpack_kernels against scalar references, with sanitizers."""

import pytest

from tools.programs.hosts import NodeHost
from tools.programs.invocation import invocation
from tools.programs.tested import CUSTOM_KERNEL_TESTS

pytestmark = pytest.mark.needs("programs")


@pytest.mark.parametrize("name", CUSTOM_KERNEL_TESTS)
def test_custom_kernels_pass_xnnpacks_own_tests(node_host: NodeHost, name: str) -> None:
    lines: list[str] = []
    status = node_host.run(invocation(name, ["--gtest_fail_if_no_test_linked"]), lambda line, _: lines.append(line))
    assert status == 0, "\n".join(lines[-40:])
