"""Each workaround on the tests' browser: its model is right with it, and fails without it as the table says."""

import pytest
from playwright.sync_api import Playwright

from tools.probe.workaround_models import models
from tools.probe.workaround_trials import is_right, trials
from tools.probe.workarounds import Workaround, workarounds
from web_tests.browsers.installed import BrowserProgram
from web_tests.drivers.harness import POLYFILL, Harness, LoadOptions, ModelError
from web_tests.server.server import Server

IDS = [row.id for row in workarounds()]


@pytest.mark.parametrize("row", workarounds(), ids=IDS)
def test_a_browser_fails_without_the_workaround(
    playwright: Playwright, webnn_program: BrowserProgram, server: Server, row: Workaround
) -> None:
    ((_, outcome),) = trials(playwright, webnn_program, server, [row])
    assert outcome == row.without


@pytest.mark.parametrize("id_", IDS)
def test_the_workaround_is_used_and_reported(webnn: Harness, id_: str) -> None:
    model = models()[id_]()
    loaded = webnn.load(model.content)
    assert is_right(loaded.run(model.inputs), model)
    report = loaded.report_now()
    assert report["webnn"]["workarounds"] == [id_]
    assert id_ in loaded.report_text()
    assert (report["webnn"]["excludedNodes"], report["webnn"]["contextLosses"]) == ([], 0)
    assert bool(loaded.cpu_reasons()) == model.is_on_cpu
    loaded.dispose()


def test_the_polyfill_needs_no_workaround(webnn: Harness) -> None:
    for id_ in IDS:
        model = models()[id_]()
        loaded = webnn.load(model.content, POLYFILL)
        assert is_right(loaded.run(model.inputs), model), id_
        assert (loaded.report["webnn"]["workarounds"], loaded.execution_mode, loaded.cpu_reasons()) == (
            [],
            "direct",
            {},
        ), id_
        loaded.dispose()


def test_an_unknown_workaround_is_an_error(webnn: Harness) -> None:
    options = LoadOptions(webnn_options={"workarounds": ["gemm_nann"]})
    with pytest.raises(ModelError, match="'webnn_workarounds': 'gemm_nann' is not all, or ids of workarounds"):
        webnn.load(models()["gemm_nan"]().content, options)
