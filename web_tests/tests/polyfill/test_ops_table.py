"""docs/polyfill-ops.md matches the engine's table."""

from tools.docs import polyfill_ops_table


def test_the_document_is_up_to_date() -> None:
    document = polyfill_ops_table.DOCUMENT.read_text()
    assert document == polyfill_ops_table.text(), "run `python3 build.py docs` and read the difference"
