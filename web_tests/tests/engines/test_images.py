"""imageToTensor() in every engine: files, bitmaps and pixels become the same numbers."""

from typing import Any

import numpy as np
import pytest
from PIL import Image

from web_tests.drivers import images
from web_tests.drivers.harness import PageHarness
from web_tests.drivers.images import Conversion
from web_tests.models.recipes import image_path
from web_tests.references.bilinear import Region, sampled

IMAGE = "chelsea"
SHAPE = (1, 96, 128, 3)
TOLERANCE = 1e-4
LETTERBOX: dict[str, Any] = {"range": [0, 255], "fit": "letterbox", "background": 100}


@pytest.mark.pages
@pytest.mark.parametrize("kind", ["Blob", "ImageBitmap", "OffscreenCanvas"])
def test_files_and_canvases_become_the_same_tensor(harness: PageHarness, kind: str) -> None:
    assert_letterboxed(harness, kind, f"/images/{IMAGE}")


def test_raw_pixels_are_letterboxed_as_numpy_does(harness: PageHarness) -> None:
    """The only form in Node, where a package decodes the file."""
    with Image.open(image_path(IMAGE)) as image:
        content, (width, height) = image.convert("RGB").tobytes(), image.size
    assert_letterboxed(harness, "pixels", f"/exchange/{harness.send(content)}#{width}x{height}")


def assert_letterboxed(harness: PageHarness, kind: str, url: str) -> None:
    """Letterbox the image, and compare with numpy."""
    with Image.open(image_path(IMAGE)) as file:
        image = np.asarray(file.convert("RGB"))
    found, placement = images.convert(harness, Conversion(kind, url, SHAPE, options=LETTERBOX))
    row = placement["region"]
    region = Region(row["center"]["x"], row["center"]["y"], row["width"], row["height"])
    expected = sampled(image, region, SHAPE[2], SHAPE[1], LETTERBOX["background"])
    np.testing.assert_allclose(found[0], expected, atol=TOLERANCE, rtol=0)
    assert (expected == LETTERBOX["background"]).all(axis=-1).sum() == 11 * SHAPE[2]  # 85 rows of 96 show the image
