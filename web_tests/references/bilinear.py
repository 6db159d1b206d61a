"""Bilinear interpolation with half-pixel centers in float64, the reference of imageToTensor()."""

import math
from dataclasses import dataclass

import numpy as np

from web_tests.models.recipes import Array


@dataclass(frozen=True)
class Region:
    """A rectangle of an image: center, size in pixels, rotation in radians, clockwise on the screen."""

    x: float
    y: float
    width: float
    height: float
    rotation: float = 0.0


def sampled(image: Array, region: Region, width: int, height: int, background: float = 0.0) -> Array:
    """Return the region of an image [rows, columns, channels] as [height, width, channels], in float64.

    A pixel whose center lies outside of the image is `background`.
    """
    rows, columns = image.shape[:2]
    across = ((np.arange(width) + 0.5) / width - 0.5) * region.width
    down = ((np.arange(height) + 0.5) / height - 0.5) * region.height
    u, v = np.meshgrid(across, down)
    cos, sin = math.cos(region.rotation), math.sin(region.rotation)
    x, y = region.x + u * cos - v * sin, region.y + u * sin + v * cos
    inside = (x >= 0) & (y >= 0) & (x < columns) & (y < rows)
    x, y = np.clip(x - 0.5, 0, columns - 1), np.clip(y - 0.5, 0, rows - 1)
    left, top = np.floor(x).astype(int), np.floor(y).astype(int)
    right, bottom = np.minimum(left + 1, columns - 1), np.minimum(top + 1, rows - 1)
    fx, fy = (x - left)[..., None], (y - top)[..., None]
    wide = image.astype(np.float64)
    upper = wide[top, left] * (1 - fx) + wide[top, right] * fx
    lower = wide[bottom, left] * (1 - fx) + wide[bottom, right] * fx
    blended: Array = np.where(inside[..., None], upper * (1 - fy) + lower * fy, background)
    return blended
