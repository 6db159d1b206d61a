"""Images of hands: emoji of models.toml on a light background, where hand detectors find them."""

import base64
import io

from PIL import Image

from web_tests.models.recipes import image_path

BACKGROUND = (230, 230, 230)


def hands_image(*hands: tuple[str, tuple[int, int]], size: tuple[int, int] = (512, 512)) -> Image.Image:
    """Return an image of hands: their names in models.toml, and the positions of their left top corners.

    Each hand has 256 pixels in width and height.
    """
    image = Image.new("RGB", size, BACKGROUND)
    for name, position in hands:
        hand = Image.open(image_path(name)).convert("RGBA")
        image.paste(hand, position, hand)
    return image


def data_url(image: Image.Image) -> str:
    """Return an image as the address of itself."""
    content = io.BytesIO()
    image.save(content, "PNG")
    return f"data:image/png;base64,{base64.b64encode(content.getvalue()).decode()}"
