"""Python's half of js/browser_tests: their models, what native LiteRT computes, and the browser in which they run."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from ai_edge_litert.interpreter import Interpreter
from PIL import Image

from support.paths import BUILD_DIR
from web_tests.browsers.chromium_flags import (
    BOUNDS_CHECK_FLAGS,
    NO_SANDBOX_FLAGS,
    QUIET_FLAGS,
    WEBGPU_FLAGS,
    WEBNN_FLAGS,
    combined,
)
from web_tests.browsers.installed import BrowserProgram
from web_tests.models import custom_ops, handmade, metadata, stateful
from web_tests.models.catalogue import known_models
from web_tests.models.model_writer import ModelWriter
from web_tests.models.networks import variables
from web_tests.models.networks.decoder import DecoderShape, decoder
from web_tests.models.networks.modern import LENGTH
from web_tests.models.networks.sentence_encoder import sentence_encoder
from web_tests.models.one_node import one_node
from web_tests.models.recipes import Array, image_path
from web_tests.references import native_litert
from web_tests.references.decoding import decode_natively
from web_tests.references.inputs import inputs_for

# js/vitest.browser.config.ts serves it as /fixtures/.
FIXTURES_DIR = BUILD_DIR / "browser_tests"

# Of models.toml; each has one input, which is NAME.input.
REAL_MODELS = (
    "face_detection_short_range",
    "mobilenet_v1_uint8",
    "mww_hey_jarvis_int8",
    "pose_landmark_lite",
    "u_net_16x8",
)
DTYPES = (
    *("float32", "float16", "int8", "uint8", "int16", "int32", "uint32", "int64", "bool", "complex64"),
    "string",
)
IMAGE = "chelsea"
# Width and height.
IMAGE_SIZES = ((224, 224), (96, 160), (600, 450))
PROMPT, STEPS = [1, 2, 3, 4], 6
# Prompts of all remainders of the four tokens that the decoder's prefill accepts.
PROMPT_LENGTHS = (1, 2, 4, 7, 9)
THRESHOLD = 128
SENTENCES = {
    "the same": [1, 2, 3],
    "again the same": [1, 2, 3],
    "much longer": [1, 2, 3, 40, 41, 42, 43],
    "other": [60],
}


def write_fixtures(directory: Path = FIXTURES_DIR) -> None:
    """Write NAME.tflite, NAME.input and NAME.json into `directory`, those that have changed."""
    models = {name: known_models()[name] for name in REAL_MODELS}
    files = {
        **{f"{name}.tflite": content for name, content in small_models().items()},
        **{f"{name}.tflite": model.content() for name, model in models.items()},
        **{f"{name}.input": np.ascontiguousarray(inputs_for(model)[0]).tobytes() for name, model in models.items()},
        "decoder.json": json.dumps(decoding()).encode(),
        "sentence_encoder.json": json.dumps(similarities()).encode(),
        "sin.task": metadata.archive({"sin.tflite": handmade.sin_example()}),
        **images(),
    }
    directory.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        file = directory / name
        if not file.exists() or file.read_bytes() != content:
            file.write_bytes(content)


def small_models() -> Mapping[str, bytes]:
    """Return the generated models by the names that the tests use."""
    return {
        "add": handmade.sum_of_two("float32", (8,)),
        "add_integer": handmade.sum_of_two(),
        "add_integers": handmade.sum_of_two("int32", (2,)),
        "compressed_metadata": named_sine(compressed=True),
        "counter": stateful.counter(),
        "decoder": decoder(DecoderShape()),
        **{f"flattened_{dtype}": handmade.flattened(dtype) for dtype in DTYPES},
        "inverted": handmade.inverted_image(4),
        "positives": handmade.positives(),
        "quantized_sine": handmade.quantized_sine(),
        "ring_buffer": variables.ring_buffer(),
        "sentence_encoder": sentence_encoder(),
        "sin": handmade.sin_example(),
        "softsign_between_nodes": custom_ops.scaled_between_nodes("Softsign"),
        "stored_metadata": named_sine(compressed=False),
        "strings": stateful.string_picker(),
        "two_ops": two_ops(),
    }


def named_sine(*, compressed: bool) -> bytes:
    """Return a model whose metadata has a name and a file."""
    schema = metadata.schema()
    names = schema.ModelMetadataT(name="sine", subgraphMetadata=[schema.SubGraphMetadataT()])
    return metadata.with_metadata(handmade.sin_example(), names, {"a.txt": b"a" * 9}, compressed=compressed)


def two_ops() -> bytes:
    """Return y = 2 * AboveThreshold(Softsign(2 * x)) of eight floats."""
    writer = ModelWriter()
    x, doubled, signs, found, y = (writer.tensor(name, (8,)) for name in ("x", "doubled", "signs", "found", "y"))
    writer.node("ADD", [x, x], [doubled])
    writer.node("Softsign", [doubled], [signs])
    writer.node("AboveThreshold", [signs], [found], bytes([THRESHOLD]))
    writer.node("ADD", [found, found], [y])
    return writer.finish([x], [y])


def decoding() -> dict[str, Any]:
    """Return what native LiteRT decodes: the interface `Decoding` of states.test.ts."""
    shape = DecoderShape()
    content = decoder(shape)

    def continuation(prompt: list[int]) -> dict[str, list[int]]:
        logits = decode_natively(content, prompt, shape.cache - len(prompt) + 1)
        return {"prompt": prompt, "tokens": logits.argmax(axis=1).tolist()}

    return {
        "prompt": PROMPT,
        "steps": STEPS,
        "logits": decode_natively(content, [*PROMPT, PROMPT[-1]], STEPS).tolist(),
        "cache": shape.cache,
        "continuations": [continuation([*range(3, 3 + length)]) for length in PROMPT_LENGTHS],
    }


def images() -> Mapping[str, bytes]:
    """Return an image, its pixels (.rgb), and it in other sizes, as TFLite (.litert) and Pillow (.pillow) resize it."""
    file = image_path(IMAGE)
    with Image.open(file) as image:
        color, gray = image.convert("RGB"), image.convert("L")
    pixels = np.asarray(color)
    files = {f"{IMAGE}.png": file.read_bytes(), f"{IMAGE}.rgb": pixels.tobytes()}
    for width, height in IMAGE_SIZES:
        inputs = ((1, *pixels.shape),), (np.array([height, width], np.int32),)
        model = one_node("RESIZE_BILINEAR", inputs, ((1, height, width, 3),), {"halfPixelCenters": True}, version=3)
        (resized,) = native_litert.outputs_of(model, [pixels[None].astype(np.float32)])
        name = f"{IMAGE}_{width}x{height}"
        files[f"{name}.litert"] = resized.tobytes()
        for channels, converted in ((1, gray), (3, color)):
            smooth = converted.resize((width, height), Image.Resampling.BILINEAR)
            files[f"{name}x{channels}.pillow"] = smooth.tobytes()
    return files


def similarities() -> dict[str, Any]:
    """Return sentences, as the ids of their tokens, and how similar native LiteRT's vectors of each two are."""
    vectors = np.stack([_sentence_vector(sentence_encoder(), ids) for ids in SENTENCES.values()])
    return {"sentences": SENTENCES, "similarities": (vectors @ vectors.T).tolist()}


def _sentence_vector(content: bytes, ids: list[int]) -> Array:
    """Return the mean of the tokens' vectors by native LiteRT, at length 1."""
    runner = Interpreter(model_content=content).get_signature_runner("serving_default")
    padded = np.zeros((1, LENGTH), np.int64)
    padded[0, : len(ids)] = ids
    mask = (np.arange(LENGTH) < len(ids)).astype(np.int64)[None]
    (tokens,) = runner(input_ids=padded, attention_mask=mask).values()
    mean = tokens[0, : len(ids)].mean(axis=0)
    return np.asarray(mean / np.linalg.norm(mean))


def environment(program: BrowserProgram) -> dict[str, str]:
    """Return the variables that js/vitest.browser.config.ts reads."""
    flags = combined(NO_SANDBOX_FLAGS, QUIET_FLAGS, WEBNN_FLAGS, WEBGPU_FLAGS, BOUNDS_CHECK_FLAGS)
    return {"TFLITE_WEBNN_BROWSER": str(program.executable), "TFLITE_WEBNN_BROWSER_FLAGS": " ".join(flags)}
