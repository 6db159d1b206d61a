"""The demos of texts: a language model and sentence similarity, with the site's models and with the visitor's."""

import json

import pytest
from playwright.sync_api import Browser, FilePayload

from web_tests.models.networks.decoder import DecoderShape, decoder
from web_tests.models.networks.sentence_encoder import sentence_encoder
from web_tests.tests.site.conftest import ServedSite
from web_tests.tests.site.demo_page import DemoPage, demo
from web_tests.tests.site.test_demos import check_page

VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "cats", "dogs", "sleep", "run", "."]
WRITTEN = "document.getElementById('text').textContent"


def give_sample(page: DemoPage, site: ServedSite, model: str) -> None:
    """Provide the page's own sample as a visitor's model and tokenizer: it starts without a click."""
    page.page.set_input_files("#model-file", site.directory / "models" / f"{model}.tflite")
    page.page.set_input_files("#tokenizer-file", site.directory / "data" / "word_tokenizer.json")
    page.page.wait_for_selector("#status[data-kind=busy]")


@pytest.mark.parametrize("name", ["demo-language-model", "demo-sentences"])
def test_the_sample_is_a_speed_test_and_shows_no_nonsense(webnn_browser: Browser, site: ServedSite, name: str) -> None:
    with demo(webnn_browser, site, name) as page:
        assert page.says("ready") == "Choose your model and its tokenizer, or start the speed test."
        page.page.click("#form [type=submit]")
        page.says("ready", "Choose your model")
        page.page.click("#speed-test")
        page.says("ready", "A speed test: the sample’s weights are random.")
        assert "Loading" in page.figures()
        assert page.page.locator("#text:visible, .similarity").count() == 0
        check_page(page)


def test_text_is_written_on_webnn_and_on_the_cpu(webnn_browser: Browser, site: ServedSite) -> None:
    """At temperature 0 both write the same."""
    with demo(webnn_browser, site, "demo-language-model") as page:
        give_sample(page, site, "language_model")
        page.says("ready", "tokens written")
        assert page.page.evaluate(WRITTEN).startswith("Once upon a time there was a small machine that")
        page.page.fill("#temperature", "0")
        page.page.fill("#max-tokens", "20")
        texts = {}
        for execution in ("cpu", "webnn"):
            assert "20 tokens written" in page.compute_on(execution)
            texts[execution] = page.page.evaluate(WRITTEN)
        assert texts["cpu"] == texts["webnn"]
        assert [row[0] for row in page.rows()] == ["WebNN", "CPU (XNNPACK)"]
        assert all(float(speed) > 0 for row in page.rows() for speed in row[1:])
        check_page(page)


def test_the_stop_button_ends_the_writing(webnn_browser: Browser, site: ServedSite) -> None:
    with demo(webnn_browser, site, "demo-language-model") as page:
        give_sample(page, site, "language_model")
        page.says("ready", "tokens written")
        page.page.fill("#max-tokens", "200")
        page.page.fill("#prompt", "the")
        page.page.press("#max-tokens", "Enter")  # the keyboard is enough
        page.page.wait_for_function(f"() => !{WRITTEN}.startsWith('Once') && {WRITTEN}.length > 20")
        page.page.focus("#stop")
        page.page.keyboard.press("Enter")
        status = page.says("ready", "Stopped after").split()
        assert 0 < int(status[2]) < 200
        assert page.page.is_disabled("#stop")


def test_a_full_cache_ends_the_text(webnn_browser: Browser, site: ServedSite) -> None:
    """A model of the visitor, without a tokenizer: each byte is a token."""
    with demo(webnn_browser, site, "demo-language-model") as page:
        content = decoder(DecoderShape(vocabulary=256))
        file = {"name": "own.tflite", "mimeType": "application/octet-stream", "buffer": content}
        page.page.set_input_files("#model-file", file)  # type: ignore[arg-type]
        page.page.fill("#prompt", "abcdef")
        page.page.click("#form [type=submit]")
        assert page.says("ready", "11 tokens written")
        assert "own.tflite" in page.page.inner_text("#where")
        page.page.fill("#prompt", "longer than sixteen bytes")
        page.page.click("#form [type=submit]")
        page.says("error", "the model accepts 16")
        page.page.click("#sample-model")
        page.page.click("#form [type=submit]")
        page.says("ready", "Choose your model")


def test_a_model_that_is_not_a_language_model_is_rejected(webnn_browser: Browser, site: ServedSite) -> None:
    with demo(webnn_browser, site, "demo-language-model") as page:
        content = (site.directory / "models" / "sentence_encoder.tflite").read_bytes()
        page.page.set_input_files("#model-file", FilePayload(name="own.tflite", mimeType="", buffer=content))
        page.page.click("#form [type=submit]")
        page.says("error", "the signature decode")


def test_the_similarities_of_sentences_are_shown(webnn_browser: Browser, site: ServedSite) -> None:
    with demo(webnn_browser, site, "demo-sentences") as page:
        give_sample(page, site, "sentence_encoder")
        for execution in ("cpu", "webnn"):
            status = page.compute_on(execution)
            assert "“We drink hot coffee in the morning.” and “In the morning they drink tea.”" in status
            matrix = [[float(value) for value in row[1:]] for row in page.rows()]
            assert [row[index] for index, row in enumerate(matrix)] == [1.0] * 5
            assert 0.5 < matrix[2][3] == matrix[3][2] < 0.9
        check_page(page)
        page.page.fill("#sentences", "only one")
        page.page.click("#form [type=submit]")
        page.says("error", "at least two sentences")


def test_the_sentences_demo_runs_a_model_of_the_visitor(webnn_browser: Browser, site: ServedSite) -> None:
    with demo(webnn_browser, site, "demo-sentences") as page:
        model = {"name": "own.tflite", "mimeType": "application/octet-stream", "buffer": sentence_encoder()}
        page.page.set_input_files("#model-file", model)  # type: ignore[arg-type]
        page.page.fill("#sentences", "Cats sleep.\ncats sleep.\nDogs run.")
        page.page.click("#form [type=submit]")
        page.says("error", "tokenizer of your model")
        vocabulary = "\n".join(VOCABULARY).encode()
        page.page.set_input_files(
            "#tokenizer-file",
            {"name": "vocab.txt", "mimeType": "text/plain", "buffer": vocabulary},
        )
        page.says("ready", "Most similar, 1.00")
        assert [row[0] for row in page.rows()] == ["1. Cats sleep.", "2. cats sleep.", "3. Dogs run."]
        bad = {"name": "tokenizer.json", "mimeType": "application/json", "buffer": json.dumps({}).encode()}
        page.page.set_input_files("#tokenizer-file", bad)  # type: ignore[arg-type]
        page.says("error", "TokenizerError")
