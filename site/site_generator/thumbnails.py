"""Thumbnails of the demos: an image, and what the demo's model finds in it, by the package in Node."""

import base64
import colorsys
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont, ImageOps

from support import cache
from support.command import run
from support.npm import JS_DIR, pinned_node
from support.paths import PACKAGE_DIR
from web_tests.models import package_assets

SCRIPT = JS_DIR / "scripts" / "tools" / "demo_results.mjs"
# In pixels.
SIZE = (640, 360)
FONT_SIZE = 26
MARGIN = 12
# As the demos draw: site/scripts/vision.
HUE_STEP = 137.508
BODY_COLOUR = 5
MASK_SHARE = 150 / 255
MIN_VISIBILITY = 0.5


def create(image: str, task: str, model: Path) -> Path:
    """Return the JPEG file of an image of models.toml with the result of a task of demo_results.mjs."""
    source = package_assets.path_of("images", image)
    key = cache.content_hash([Path(__file__), SCRIPT, source, model], task)
    return cache.get(
        f"generated/thumbnail-{key}.jpg",
        lambda file: _draw(source, task, model).save(file, "JPEG", quality=80),
        title=f"Making the thumbnail {image}",
    )


def _draw(source: Path, task: str, model: Path) -> Image.Image:
    with Image.open(source) as opened:
        image = opened.convert("RGB")
    pixels = base64.b64encode(image.convert("RGBA").tobytes()).decode()
    request = {"task": task, "model": str(model), "width": image.width, "height": image.height, "pixels": pixels}
    command: list[str | Path] = [pinned_node(), SCRIPT, PACKAGE_DIR]
    result = json.loads(run(command, stdin=json.dumps(request), capture=True, quiet=True))
    return DRAWN[task](image, result)


def _fitted(image: Image.Image) -> Image.Image:
    return ImageOps.fit(image, SIZE, centering=(0.5, 0.2))


def _with_categories(full: Image.Image, categories: Sequence[Mapping[str, Any]]) -> Image.Image:
    image = _fitted(full)
    drawing = ImageDraw.Draw(image, "RGBA")
    font = ImageFont.load_default(FONT_SIZE)
    line = FONT_SIZE + MARGIN
    top = image.height - line * len(categories) - MARGIN
    drawing.rectangle((0, top, image.width, image.height), (0, 0, 0, 160))
    for index, category in enumerate(categories):
        y = top + MARGIN / 2 + line * index
        drawing.rectangle((0, y, image.width * category["score"], y + line - 4), (*_colour(1), 110))
        drawing.text((MARGIN, y + 4), category["label"], "white", font)
        text = f"{category['score']:.1%}"
        drawing.text((image.width - MARGIN - drawing.textlength(text, font), y + 4), text, "white", font)
    return image


def _with_boxes(image: Image.Image, detections: Sequence[Mapping[str, Any]]) -> Image.Image:
    drawing = ImageDraw.Draw(image)
    font = ImageFont.load_default(FONT_SIZE)
    line = FONT_SIZE + MARGIN
    for detection in detections:
        box, colour = detection["box"], _colour(detection["index"] + 1)
        left, top = box["left"], box["top"]
        text = f"{detection['label']} {detection['score']:.0%}"
        drawing.rectangle((left, top, left + box["width"], top + box["height"]), outline=colour, width=4)
        drawing.rectangle((left, top - line, left + drawing.textlength(text, font) + MARGIN, top), colour)
        drawing.text((left + MARGIN / 2, top - line + 4), text, "black", font)
    return _fitted(image)


def _with_mask(image: Image.Image, result: Mapping[str, str]) -> Image.Image:
    classes = np.frombuffer(base64.b64decode(result["classes"]), np.uint8).reshape(image.height, image.width)
    pixels = np.asarray(image, np.float32).copy()
    for index in np.unique(classes[classes > 0]):
        here = classes == index
        pixels[here] = pixels[here] * (1 - MASK_SHARE) + np.array(_colour(int(index))) * MASK_SHARE
    return _fitted(Image.fromarray(pixels.round().astype(np.uint8)))


def _with_body(image: Image.Image, result: Mapping[str, Any]) -> Image.Image:
    drawing, colour = ImageDraw.Draw(image), _colour(BODY_COLOUR)
    points = {
        index: (point["x"] * image.width, point["y"] * image.height)
        for index, point in enumerate(result["points"])
        if point["visibility"] >= MIN_VISIBILITY
    }
    for connection in result["connections"]:
        ends = connection["start"], connection["end"]
        if all(end in points for end in ends):
            drawing.line([points[end] for end in ends], "black", 7)
            drawing.line([points[end] for end in ends], colour, 4)
    for center in points.values():
        drawing.circle(center, 5, colour, "black")
    return _fitted(image)


def _colour(index: int) -> tuple[int, int, int]:
    red, green, blue = colorsys.hls_to_rgb(index * HUE_STEP % 360 / 360, 0.55, 0.43 / 0.45)
    return round(255 * red), round(255 * green), round(255 * blue)


DRAWN: Mapping[str, Callable[[Image.Image, Any], Image.Image]] = {
    "classification": _with_categories,
    "detection": _with_boxes,
    "segmentation": _with_mask,
    "pose": _with_body,
}
