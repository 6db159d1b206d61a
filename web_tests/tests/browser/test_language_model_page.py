"""The example of a page with a language model, whose tokens are compared with native LiteRT's."""

from playwright.sync_api import Page

from web_tests.models.networks.decoder import DecoderShape, decoder
from web_tests.references.decoding import decode_natively
from web_tests.server.server import Server


def test_the_language_model_example_writes_the_tokens_of_native_litert(own_page: Page, server: Server) -> None:
    content = decoder(DecoderShape())
    own_page.goto(f"{server.origin}/examples/language_model.html")
    own_page.set_input_files("#model", {"name": "decoder.tflite", "mimeType": "", "buffer": content})
    own_page.fill("#prompt", "\x01\x02\x03")
    own_page.click("#start")
    own_page.wait_for_function(
        "() => document.getElementById('speed').textContent.includes('14 tokens')", timeout=120_000
    )
    expected = decode_natively(content, [1, 2, 3], 14).argmax(axis=1)
    assert own_page.text_content("#text") == "\x01\x02\x03" + bytes(expected.tolist()).decode()
    assert "webnn" in (own_page.text_content("#speed") or "")
