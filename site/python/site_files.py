"""Helpers of the Python page's examples: download files of this site, show images in the output."""

from typing import Any

import _site_page  # type: ignore[import-not-found]  # registered by the page's worker
import numpy as np


async def fetch(path: str) -> str:
    """Download a file of this site into the working directory unless it exists; return its name there."""
    name: str = await _site_page.fetch(path)
    return name


def show(image: Any) -> None:
    """Show a uint8 array of shape (height, width), grey, (height, width, 3), RGB, or (height, width, 4), RGBA."""
    pixels = np.asarray(image)
    if pixels.dtype != np.uint8:
        raise TypeError(f"show() accepts a uint8 array, not {pixels.dtype}")
    if pixels.ndim == 2:
        pixels = np.repeat(pixels[:, :, np.newaxis], 3, axis=2)
    if pixels.ndim != 3 or pixels.shape[2] not in (3, 4):
        raise ValueError(
            f"show() accepts (height, width), (height, width, 3) or (height, width, 4), not {pixels.shape}"
        )
    if pixels.shape[2] == 3:
        pixels = np.concatenate([pixels, np.full_like(pixels[:, :, :1], 255)], axis=2)
    height, width, _ = pixels.shape
    _site_page.show(width, height, np.ascontiguousarray(pixels).reshape(-1))
