"""Inputs of networks: images, tones and seeded waves, in the shape of an input tensor."""

import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from web_tests.models import package_assets

Array = NDArray[Any]

# Reference inputs depend only on this number and a tensor's name and shape.
SEED = 20261121


class InputRecipe(Protocol):
    """Generates the float content of an input tensor from its shape; integers are quantized afterwards."""

    def make(self, shape: tuple[int, ...]) -> NDArray[np.float32]:
        """Return float32 values of `shape`."""
        ...


@dataclass(frozen=True)
class ImageInput:
    """A real image, resized to the tensor [1, height, width, channels]; black is `low` and white `high`."""

    image: str
    low: float
    high: float
    box: tuple[int, int, int, int] | None = None

    def make(self, shape: tuple[int, ...]) -> NDArray[np.float32]:
        """Return the image in the network's convention."""
        _, height, width, channels = shape
        with Image.open(image_path(self.image)) as image:
            converted = image.convert("L" if channels == 1 else "RGB")
        resized = converted.resize((width, height), Image.Resampling.BILINEAR, box=self.box)
        pixels = np.asarray(resized).astype(np.float32).reshape(shape) / np.float32(255)
        scaled: NDArray[np.float32] = self.low + pixels * np.float32(self.high - self.low)
        return scaled


@dataclass(frozen=True)
class ToneInput:
    """A sine at half scale: audio samples along the longest axis."""

    frequency_hz: float
    rate_hz: float

    def make(self, shape: tuple[int, ...]) -> NDArray[np.float32]:
        seconds = np.arange(np.prod(shape)) / self.rate_hz
        return (0.5 * np.sin(2 * np.pi * self.frequency_hz * seconds)).astype(np.float32).reshape(shape)


@dataclass(frozen=True)
class WavesInput:
    """Smooth seeded waves between `low` and `high`.

    Uniform noise is unlike any training data, and drives outputs into ranges where every difference looks small.
    """

    low: float
    high: float

    def make(self, shape: tuple[int, ...]) -> NDArray[np.float32]:
        """Return the sum of a few sines along every axis, scaled to the range."""
        random = np.random.default_rng(SEED + zlib.crc32(repr(shape).encode()))
        total = np.zeros(shape)
        for axis, length in enumerate(shape):
            position = np.arange(length).reshape([-1 if i == axis else 1 for i in range(len(shape))])
            for cycles in (1.0, 2.7, 6.1):
                total = total + np.sin(2 * np.pi * (cycles * position / length + random.random()))
        total += 0.3 * random.standard_normal(shape)
        spread = max(float(np.ptp(total)), 1e-6)
        scaled: NDArray[np.float32] = (self.low + (total - total.min()) / spread * (self.high - self.low)).astype(
            np.float32
        )
        return scaled


def recipe_of(row: dict[str, Any]) -> InputRecipe:
    """Return the recipe in a row of models.toml."""
    if "image" in row:
        low, high = row["range"]
        return ImageInput(row["image"], low, high, tuple(row["box"]) if "box" in row else None)
    if "tone" in row:
        return ToneInput(row["tone"], row["rate"])
    return WavesInput(*row["waves"])


def image_path(name: str) -> Path:
    """Return an image's file; download and check it if the cache lacks it."""
    return package_assets.path_of("images", name)
