"""Op cases with values outside of the domain, on the CPU and the polyfill; test_ops.py runs them on WebNN."""

from collections.abc import Iterator

import pytest

from tools.properties.engines import Engine, engine, executions
from web_tests.op_cases import case_id, edges
from web_tests.op_cases.case import OpCase
from web_tests.references import native_litert
from web_tests.server.server import Server
from web_tests.tests.browser.test_ops import check

pytestmark = pytest.mark.needs("package")


@pytest.fixture(scope="module", params=["cpu-simd", "polyfill"])
def subject(request: pytest.FixtureRequest, server: Server) -> Iterator[Engine]:
    (execution,) = [each for each in executions() if each.name == request.param]
    with engine(execution, server) as made:
        yield made


@pytest.mark.parametrize("case", list(edges.cases()), ids=case_id)
def test_edge(subject: Engine, case: OpCase) -> None:
    model, inputs = case.model(), case.inputs()
    found = subject.start(model, inputs, 1)().outputs
    check(case, found, native_litert.outputs_of(model, inputs, kernels=case.native_kernels))
