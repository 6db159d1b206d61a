"""`build.py screenshots`, without a browser."""

from pathlib import Path

import pytest
from PIL import Image
from site_generator import pages

from support.marked_text import write_between
from tools import screenshots
from tools.measuring.browser import BrowserFacts


def test_a_page_that_the_site_lacks_is_reported() -> None:
    with pytest.raises(pages.NoPageError, match="no page 'demo'") as error:
        screenshots.run(["demo"], None, None)
    assert "demo-audio" in str(error.value.hint)


def test_each_picture_has_its_file() -> None:
    files = {
        screenshots.picture_file(Path("out"), page, look)
        for page in ("docs", "docs/peers")
        for look in screenshots.LOOKS
    }
    assert len(files) == 8
    assert Path("out/docs-peers-phone-dark.png") in files


def test_the_readme_has_a_place_for_its_picture(tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text(screenshots.README.read_text(encoding="utf-8"), encoding="utf-8")
    facts = BrowserFacts("Some Browser", "147.0", "/usr/bin/some-browser", True, "")
    write_between(readme, screenshots.BEGIN, screenshots.END, screenshots.readme_text(facts))
    assert "in Some Browser 147.0 on " in readme.read_text(encoding="utf-8")
    assert screenshots.README_PICTURE.stat().st_size < 200_000


def test_the_readme_shows_pages_row_by_row() -> None:
    colours = ("red", "lime", "blue")
    whole = screenshots.tiled([Image.new("RGB", (1280, 800), colour) for colour in colours])
    assert whole.size == (1648, 1048)
    places = ((400, 200), (1200, 200), (400, 800))
    assert [whole.getpixel(place) for place in places] == [(255, 0, 0), (0, 255, 0), (0, 0, 255)]
    assert whole.getpixel((1200, 800)) == whole.getpixel((0, 0))
