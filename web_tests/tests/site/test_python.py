"""The Python page: its examples run and show the models' results."""

from playwright.sync_api import Browser, FilePayload

from web_tests.models.catalogue import all_models
from web_tests.tests.site.conftest import ServedSite
from web_tests.tests.site.visit import Visit, visiting

# Includes the start of Python on a busy machine.
RUN_MS = 200_000


def test_each_example_of_the_python_page_runs(webnn_browser: Browser, site: ServedSite) -> None:
    with visiting(webnn_browser, site, "python.html") as visit:
        classified = _run(visit, 0)
        assert "Done in" in visit.page.inner_text("#status"), classified
        assert "Egyptian cat" in classified or "tiger cat" in classified or "tabby" in classified
        assert visit.page.locator("#output canvas").count() == 1
        assert "of the image is a person" in _run(visit, 1)
        assert "WebNN is used" in _run(visit, 2)
        model = all_models()["mlperftiny_kws_int8"].content()
        visit.page.set_input_files("#file", FilePayload(name="mine.tflite", mimeType="", buffer=model))
        visit.page.wait_for_selector("#status:text('mine.tflite is in Python’s directory: press Run')")
        assert 'MODEL = "mine.tflite"' in visit.page.input_value("#code")
        assert "output Identity float32 [1, 12] from 0.0 to" in _run(visit)
        assert visit.console_errors == []
        assert visit.foreign_requests(site) == []


def test_python_goes_on_after_errors_until_it_is_stopped(webnn_browser: Browser, site: ServedSite) -> None:
    with visiting(webnn_browser, site, "python.html") as visit:
        visit.page.context.route("**/python_worker.mjs", lambda route: route.abort())
        assert "could not be loaded" in _run(visit, 0)
        visit.page.context.unroute("**/python_worker.mjs")
        visit.page.fill("#code", "number = 42\nnumber / 0")
        assert "ZeroDivisionError" in _run(visit)
        visit.page.fill("#code", "number")
        visit.page.focus("#code")
        visit.page.keyboard.press("Control+Enter")
        visit.page.wait_for_selector("#output .value:text-is('42')", timeout=RUN_MS)
        visit.page.fill("#code", "while True: pass")
        visit.page.click("#run")
        visit.page.wait_for_function(
            "() => document.getElementById('status').textContent.startsWith('Python is running')", timeout=RUN_MS
        )
        visit.page.click("#stop")
        visit.page.wait_for_selector("#run:enabled")
        assert "Python was stopped" in visit.page.inner_text("#output")


def _run(visit: Visit, example: int | None = None) -> str:
    """Run the editor's code, or an example, and return all of the output."""
    if example is not None:
        visit.page.select_option("#example", index=example)
    visit.page.click("#run")
    visit.page.wait_for_selector("#run:enabled", timeout=RUN_MS)
    return visit.page.inner_text("#output")
