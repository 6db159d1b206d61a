"""Op cases with values outside of the domain, on the CPU and the polyfill; test_ops.py runs them on WebNN."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from web_tests.drivers.page_calls import ModelError
from web_tests.op_cases import case_id, edges
from web_tests.op_cases.case import OpCase, Provided, Weights
from web_tests.properties.engines import Engine, engine, executions
from web_tests.references import native_litert
from web_tests.server.server import Server
from web_tests.tests.browser.test_ops import assert_op_outputs

pytestmark = pytest.mark.needs("package")


@pytest.fixture(scope="module", params=["cpu-simd", "polyfill"])
def engine_under_test(request: pytest.FixtureRequest, server: Server) -> Iterator[Engine]:
    (execution,) = [each for each in executions() if each.name == request.param]
    with engine(execution, server) as opened:
        yield opened


@pytest.mark.parametrize("case", list(edges.cases()), ids=case_id)
def test_an_edge_case_agrees_with_native_litert(engine_under_test: Engine, case: OpCase) -> None:
    model, inputs = case.model(), case.inputs()
    found = engine_under_test.start(model, inputs, 1)().outputs
    assert_op_outputs(case, found, native_litert.outputs_of(model, inputs, kernels=case.native_kernels))


LOOKUPS = {
    "EMBEDDING_LOOKUP": OpCase("outside", "EMBEDDING_LOOKUP", (Provided([2, 4], "int32"), Weights((4, 3)))),
    "GATHER": OpCase("outside", "GATHER", (Weights((4, 3)), Provided([0, -1], "int32")), {"axis": 0}),
    "GATHER_ND": OpCase("outside", "GATHER_ND", (Weights((4, 3)), Provided([[0, 2], [3, 3]], "int32"))),
}


@pytest.mark.parametrize("op", LOOKUPS)
def test_ids_that_a_table_does_not_have_are_an_error(engine_under_test: Engine, op: str) -> None:
    case = replace(LOOKUPS[op], output_dtype="float32")
    with pytest.raises(ModelError) as raised:
        engine_under_test.start(case.model(), case.inputs(), 1)()
    assert raised.value.code == ("INPUT_VALUE" if engine_under_test.execution.name == "polyfill" else "INVOKE_FAILED")
