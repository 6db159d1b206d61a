"""`build.py screenshots`, without a browser."""

from pathlib import Path

import pytest
from site_generator import pages

from tools import screenshots


def test_a_page_that_the_site_lacks_is_told() -> None:
    with pytest.raises(pages.NoPageError, match="no page 'demo'") as error:
        screenshots.run(["demo"], None, None)
    assert "demo-audio" in str(error.value.mend)


def test_each_picture_has_its_file() -> None:
    files = {
        screenshots.picture_file(Path("out"), page, look)
        for page in ("docs", "docs/peers")
        for look in screenshots.LOOKS
    }
    assert len(files) == 8
    assert Path("out/docs-peers-phone-dark.png") in files
