"""Every op case on WebNN compared with TFLite's kernels in native LiteRT."""

import numpy as np
import pytest

from web_tests.drivers.harness import Harness
from web_tests.models.recipes import Array
from web_tests.op_cases import all_cases, case_id, cases_with_nan
from web_tests.op_cases.case import OpCase
from web_tests.op_cases.quantized_case import QuantizedCase
from web_tests.references import native_litert
from web_tests.references.comparison import compare, tolerance

RUNS_WITH_STATE = 3


@pytest.mark.parametrize("case", all_cases(), ids=case_id)
def test_an_op_on_webnn_equals_native_litert(webnn: Harness, case: OpCase) -> None:
    model, inputs = case.model(), case.inputs()
    loaded, results = webnn.load_and_run(model, inputs, runs=RUNS_WITH_STATE if case.has_state else 1)
    if case.cpu_reason:
        assert case.cpu_reason in loaded.cpu_reasons()[case.op]
    else:
        assert loaded.cpu_reasons() == {}
        assert loaded.report["webnn"]["excludedNodes"] == []
        # State is in the module's memory between its runs.
        assert loaded.execution_mode == ("stepped" if case.has_state else "direct")
    for runs, found in enumerate(results, 1):
        expected = native_litert.outputs_of(model, inputs, kernels=case.native_kernels, runs=runs)
        assert_op_outputs(case, found, expected)


@pytest.mark.parametrize(
    "op", ["FULLY_CONNECTED", "LOCAL_RESPONSE_NORMALIZATION", "LOG_SOFTMAX", "STABLEHLO_MAXIMUM", "STABLEHLO_MINIMUM"]
)
def test_nan_is_where_native_litert_has_it(webnn: Harness, op: str) -> None:
    for case, inputs in cases_with_nan(op):
        _, (found,) = webnn.load_and_run(case.model(), inputs)
        for one, other in zip(found, native_litert.outputs_of(case.model(), inputs), strict=True):
            np.testing.assert_array_equal(np.isnan(one), np.isnan(other), case_id(case))


def assert_op_outputs(case: OpCase, found: list[Array], expected: list[Array]) -> None:
    difference = compare(found, expected)
    if isinstance(case, QuantizedCase) and case.ends != "input":
        row = tolerance("quantized_ops", case.op)
        assert difference.absolute <= (0 if found[0].dtype == np.bool_ else row.steps), row.why
    else:
        row = tolerance("ops", case.op)
        assert difference.relative <= row.relative_to_range, row.why
        for one, other in zip(found, expected, strict=True):
            if other.dtype.kind != "f":  # a share of the range hides the low digits of large integers
                np.testing.assert_array_equal(one, other)
