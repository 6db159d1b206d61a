"""Generated files of the demos: models with random weights and their tokenizer, bundles of real models."""

import io
import json
import string
import zipfile
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from PIL import Image, ImageOps

from site_generator.paths import IMAGE, SITE_DIR
from support.paths import BUILD_DIR
from web_tests.models import catalogue, package_assets
from web_tests.models.described_images import ImageFile, described
from web_tests.models.networks.decoder import DecoderShape, decoder
from web_tests.models.networks.sentence_encoder import sentence_encoder

GENERATED_DIR = BUILD_DIR / "site_files"
WORDS = SITE_DIR / "samples" / "words.txt"
# Scores of SentencePiece: a word is likelier than its letters.
WORD_SCORE, LETTER_SCORE, UNKNOWN_SCORE = -1.0, -10.0, -20.0
SPACE = "\u2581"
# In pixels.
ASTRONAUT_SIDE = 384
ICON_SIZE = (144, 144)
LINK_IMAGE_SIZE = (900, 471)


def vocabulary() -> list[tuple[str, float]]:
    """Return pieces and scores: the unknown piece, remainders of words, letters and signs, everyday words."""
    letters = string.ascii_lowercase + string.digits + string.punctuation
    words = WORDS.read_text(encoding="utf-8").split()
    return [
        ("<unk>", UNKNOWN_SCORE),
        *((piece, LETTER_SCORE) for piece in (SPACE, *letters)),
        *((SPACE + word, WORD_SCORE) for word in words if len(word) > 1),
    ]


def tokenizer() -> bytes:
    """Return a tokenizer.json of everyday words; other words are spelled."""
    spaces = {"type": "Metaspace", "replacement": SPACE, "prepend_scheme": "always", "split": True}
    content: dict[str, Any] = {
        "version": "1.0",
        "added_tokens": [],
        "normalizer": {"type": "Lowercase"},
        "pre_tokenizer": spaces,
        "post_processor": None,
        "decoder": spaces,
        "model": {"type": "Unigram", "unk_id": 0, "vocab": vocabulary(), "byte_fallback": False},
    }
    return json.dumps(content).encode()


def language_model() -> bytes:
    """Return a decoder of 2.7 million weights, for at most 256 tokens."""
    shape = DecoderShape(layers=6, heads=6, head_size=32, vocabulary=len(vocabulary()), cache=256, prefill=32)
    return decoder(shape)


def sentences() -> bytes:
    """Return a random vector for each token of the tokenizer."""
    return sentence_encoder(length=48, words=len(vocabulary()), width=128)


def selfie_segmenter() -> bytes:
    """Return MediaPipe's model with the metadata that `ImageSegmenter` requests; the package's file has none."""
    model = catalogue.all_models()["selfie_segmentation"].content()
    return described(model, ImageFile(mean=0, std=255), "segmentation_masks")


def bundle(**models: str) -> bytes:
    """Return a `.task` file as MediaPipe's: its files, as names of models.toml by their names without suffix."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, model in models.items():
            archive.writestr(zipfile.ZipInfo(f"{name}.tflite"), catalogue.all_models()[model].content())
    return content.getvalue()


def hand_landmarker() -> bytes:
    """Return the smaller models of hands; unlike those of MediaPipe's bundle, they find the drawn hand."""
    return bundle(hand_detector="palm_detection_lite", hand_landmarks_detector="hand_landmark_lite")


def astronaut() -> bytes:
    """Return the sample of this name, smaller: the home page draws it within two seconds."""
    with Image.open(package_assets.path_of("images", "astronaut")) as image:
        return _jpeg(image.convert("RGB").resize((ASTRONAUT_SIDE, ASTRONAUT_SIDE)), quality=65)


def link_image() -> bytes:
    """Return the image that other sites show with a link: the home page's half of README's, in their proportions."""
    with Image.open(IMAGE) as image:
        return _jpeg(image.convert("RGB").crop((0, 0, *LINK_IMAGE_SIZE)))


def icon(name: str) -> Path:
    """Create the small image of a sample's button, and return its file."""
    with Image.open(package_assets.path_of("images", name)) as image:
        return _written(f"thumbnails/{name}_icon.jpg", _jpeg(ImageOps.fit(image.convert("RGB"), ICON_SIZE)))


def _jpeg(image: Image.Image, quality: int = 80) -> bytes:
    content = io.BytesIO()
    image.save(content, "JPEG", quality=quality)
    return content.getvalue()


def _written(name: str, content: bytes) -> Path:
    """Return the file of this content below GENERATED_DIR; the same content keeps its time."""
    file = GENERATED_DIR / name
    if not file.is_file() or file.read_bytes() != content:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    return file


GENERATED: Mapping[str, Callable[[], bytes]] = {
    "language_model.tflite": language_model,
    "sentence_encoder.tflite": sentences,
    "selfie_segmenter.tflite": selfie_segmenter,
    "hand_landmarker_lite.task": hand_landmarker,
    "word_tokenizer.json": tokenizer,
    "astronaut_small.jpg": astronaut,
    "site.jpg": link_image,
}


@cache
def path(name: str) -> Path:
    """Generate one of GENERATED, and return its file."""
    return _written(name, GENERATED[name]())
