"""`build.py profile` on real models: its files and errors."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tools.measuring.measurement import MeasuredModel
from tools.profile.command import Execution, NotOnWebnnError, Request, profile, write
from web_tests.drivers.harness import Harness
from web_tests.models.handmade import sin_example, sum_of_two

RUNS = 8


@pytest.fixture
def browser(webnn: Harness) -> Browser:
    """The browser with WebNN, which opens separate pages for profiles."""
    browser = webnn.page.context.browser
    assert browser
    return browser


def request_for(execution: Execution) -> Request:
    return Request([], execution=execution, variant="simd", threads=1, runs=RUNS, top=20)


@pytest.mark.parametrize(
    ("execution", "mode", "op"),
    [("cpu", "cpu", "SIN"), ("webnn", "direct", "WEBNN"), ("blocking", "blocking", "TfLiteWebnnDelegate")],
)
def test_a_profile_has_the_spans_of_each_execution(
    browser: Browser, tmp_path: Path, execution: Execution, mode: str, op: str
) -> None:
    found = profile(browser, MeasuredModel("sin", sin_example(4096)), request_for(execution))
    assert (found.execution_mode, found.variant, found.threads) == (mode, "simd", 1)
    assert op in [span.op for _, span in found.root.walk()]
    assert 1 <= found.runs <= RUNS
    write(found, tmp_path)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["profile.json", "profile.speedscope.json"]
    content = json.loads((tmp_path / "profile.json").read_text())
    assert sum(time["ms"] for time in content["types"]) == pytest.approx(content["ms"])


def test_a_model_that_webnn_does_not_run_is_rejected(browser: Browser) -> None:
    with pytest.raises(NotOnWebnnError, match="WebNN gets no node"):
        profile(browser, MeasuredModel("int16", sum_of_two("int16")), request_for("webnn"))
