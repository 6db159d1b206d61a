"""The kernels of wasm/kernels against scalar references, with sanitizers."""

import pytest

from js.node import pinned_node
from tools.programs.invocation import invocation
from tools.programs.places import NODE_SCRIPT, NodePlace
from tools.programs.tested import OWN_KERNEL_TESTS
from tools.support.cache import check_once
from tools.support.command import run
from wasm.toolchain.programs import PROGRAMS_DIR

pytestmark = pytest.mark.needs("programs")


@pytest.mark.parametrize("name", OWN_KERNEL_TESTS)
def test_own_kernels(node_place: NodePlace, name: str) -> None:
    """Their random numbers are seeded: a program that has passed would pass again, and does not run."""

    def check() -> None:
        lines: list[str] = []
        status = node_place.run(
            invocation(name, ["--gtest_fail_if_no_test_linked"]), lambda line, _: lines.append(line)
        )
        assert status == 0, "\n".join(lines[-40:])

    files = [NODE_SCRIPT, *(PROGRAMS_DIR / file for file in ("run_program.mjs", f"{name}.mjs", f"{name}.wasm"))]
    version = run([pinned_node(), "--version"], capture=True, quiet=True)
    check_once(f"kernels-{name}", files, check, title=f"Running {name}", extra=version)
