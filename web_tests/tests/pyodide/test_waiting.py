"""invoke() on WebNN if Python cannot wait for promises: a helper worker waits instead."""

import pytest
from playwright.sync_api import Page

from web_tests.browsers.playwright_pages import PlaywrightPage
from web_tests.drivers.page_calls import ModelError
from web_tests.drivers.python_page import PythonPage
from web_tests.models.catalogue import all_models
from web_tests.references.inputs import inputs_for
from web_tests.server.server import Server
from web_tests.tests.browser.test_models import assert_native_outputs
from web_tests.tests.pyodide.conftest import SCRIPTS_DIR

pytestmark = pytest.mark.needs("wheel")

MODEL = all_models()["deeplabv3_257"]
PATH = "model.tflite"
# A browser without JSPI, as Pyodide detects it.
NO_JSPI = "delete WebAssembly.Suspending; delete WebAssembly.promising;"


def start(page: Page, server: Server, *, in_worker: bool) -> PythonPage:
    page.add_init_script(NO_JSPI)
    python = PythonPage(PlaywrightPage(page), server, in_worker=in_worker)
    python.start()
    python.add_module(SCRIPTS_DIR / "waiting.py")
    python.write(PATH, MODEL.content())
    return python


def test_in_a_page_nothing_can_wait(own_page: Page, server: Server) -> None:
    python = start(own_page, server, in_worker=False)
    python.run("waiting.start_helper")
    x = inputs_for(MODEL)[0]
    for awaited in (False, True):
        with pytest.raises(ModelError, match=r"AsyncInvokeRequiredError: .*await interpreter\.invoke_async\(\)"):
            python.run("waiting.invoked", {"x": x}, model=PATH, awaited=awaited)


def test_in_an_isolated_worker_a_helper_lets_it_wait(own_page: Page, server: Server) -> None:
    python = start(own_page, server, in_worker=True)
    x = inputs_for(MODEL)[0]
    with pytest.raises(ModelError, match="AsyncInvokeRequiredError"):
        python.run("waiting.invoked", {"x": x}, model=PATH, awaited=False)
    python.run("waiting.start_helper")
    found = python.run("waiting.invoked", {"x": x}, model=PATH, awaited=False)
    assert found["mode"] == "blocking"
    assert_native_outputs(MODEL, [found["output"]], [x], "webnn")
