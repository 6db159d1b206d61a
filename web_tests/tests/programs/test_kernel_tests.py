"""Some of TFLite's kernel tests on native WebNN; `python3 -m tools.kernel_tests` runs all of them."""

import pytest

from tools.kernel_tests import registry
from tools.kernel_tests.command import check
from tools.programs.hosts import PageHost
from tools.programs.tested import KERNEL_TESTS

pytestmark = pytest.mark.needs("programs", "webnn")


@pytest.mark.parametrize("file", KERNEL_TESTS)
def test_the_delegate_passes_tflites_kernel_tests(webnn_host: PageHost, file: str) -> None:
    result = check(webnn_host, file, registry.load())
    assert result.delegated
    assert {case.name: case.message for case in result.unexplained} == {}
