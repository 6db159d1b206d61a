"""Pictures of hands: emoji of models.toml on a light background, where hand detectors find them."""

import base64
import io

from PIL import Image

from web_tests.models.recipes import picture_path

BACKGROUND = (230, 230, 230)


def hands_picture(*hands: tuple[str, tuple[int, int]], size: tuple[int, int] = (512, 512)) -> Image.Image:
    """Return a picture of hands: their names in models.toml, and the places of their left top corners.

    Each hand has 256 pixels in width and height.
    """
    picture = Image.new("RGB", size, BACKGROUND)
    for name, place in hands:
        hand = Image.open(picture_path(name)).convert("RGBA")
        picture.paste(hand, place, hand)
    return picture


def data_url(picture: Image.Image) -> str:
    """Return a picture as the address of itself."""
    content = io.BytesIO()
    picture.save(content, "PNG")
    return f"data:image/png;base64,{base64.b64encode(content.getvalue()).decode()}"
