"""imageToTensor() in a page and in a worker: every kind of image, compared with numpy, Pillow and LiteRT."""

from collections.abc import Iterator

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, Route

from web_tests.drivers import images
from web_tests.drivers.harness import Harness
from web_tests.drivers.images import Conversion
from web_tests.models.one_node import one_node
from web_tests.models.recipes import Array, image_path
from web_tests.references import native_litert
from web_tests.references.bilinear import Region, sampled
from web_tests.server.server import Server
from web_tests.tests.conftest import watched

IMAGE = "chelsea"
URL = f"/images/{IMAGE}"
SIZE = 224
SHAPE = (1, SIZE, SIZE, 3)
PIXELS = {"range": [0, 255]}
# Floats of about 255 in float32, from sums in float64.
TOLERANCE = 1e-4
# TFLite computes places in float32, up to 3e-5 pixels off; neighbours here differ by up to 100. Seen: 1.4e-3.
LITERT_TOLERANCE = 4e-3
# A video frame passes through YUV with halved chroma.
VIDEO_TOLERANCE = 6

IN_WORKERS = ("Blob", "OffscreenCanvas", "ImageBitmap", "ImageData", "VideoFrame", "pixels")
IN_PAGES = ("HTMLImageElement", "HTMLCanvasElement", *IN_WORKERS)


@pytest.fixture(scope="module")
def image() -> Array:
    with Image.open(image_path(IMAGE)) as image:
        return np.asarray(image.convert("RGB"))


@pytest.fixture
def worker(webnn: Harness, server: Server) -> Iterator[Harness]:
    """The harness in a worker."""
    browser = webnn.page.context.browser
    assert browser
    page = browser.new_page()
    yield from watched(Harness(page, server, in_worker=True))
    page.close()


def full_region(image: Array) -> Region:
    rows, columns = image.shape[:2]
    return Region(columns / 2, rows / 2, columns, rows)


def address(kind: str, harness: Harness, image: Array) -> str:
    """Return the image's address; raw bytes are served by the mailbox."""
    if kind != "pixels":
        return URL
    rows, columns = image.shape[:2]
    return f"/exchange/{harness.send(image.tobytes())}#{columns}x{rows}"


@pytest.mark.parametrize("kind", IN_PAGES)
def test_each_source_in_a_page_becomes_the_same_tensor(webnn: Harness, image: Array, kind: str) -> None:
    conversion = Conversion(kind, address(kind, webnn, image), SHAPE, options=PIXELS)
    found, placement = images.convert(webnn, conversion)
    np.testing.assert_allclose(found[0], sampled(image, full_region(image), SIZE, SIZE), atol=TOLERANCE, rtol=0)
    assert placement == {"image": {"width": 451, "height": 300}, "region": full_region(image).described()}


@pytest.mark.parametrize("kind", IN_WORKERS)
def test_each_source_in_a_worker_becomes_the_same_tensor(worker: Harness, image: Array, kind: str) -> None:
    found, _ = images.convert(worker, Conversion(kind, address(kind, worker, image), SHAPE, options=PIXELS))
    np.testing.assert_allclose(found[0], sampled(image, full_region(image), SIZE, SIZE), atol=TOLERANCE, rtol=0)


def test_a_drawing_without_a_size_after_a_larger_image(webnn: Harness) -> None:
    """The browser scales such a drawing to the canvas that it is drawn on."""
    large, halves = (
        f"data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' {size}>"
        "<rect width='50%' height='100%' fill='red'/></svg>"
        for size in ("width='900' height='800'", "viewBox='0 0 8 8'")
    )
    for url in (large, halves):
        found, _ = images.convert(webnn, Conversion("HTMLImageElement", url, SHAPE, options=PIXELS))
        red = found[0, :, :, 0] > 127
        assert red[:, : SIZE // 2].all()
        assert not red[:, SIZE // 2 :].any()


@pytest.mark.parametrize("settings", [{"colorSpace": "display-p3"}, {"pixelFormat": "rgba-float16"}], ids=str)
def test_pixels_that_are_not_srgb_bytes(webnn: Harness, settings: dict[str, str]) -> None:
    """The browser converts their colors."""
    found = webnn.engine_page.evaluate(
        """async (settings) => {
            const { imageToTensorSync } = await import('/package/image.mjs');
            const image = new ImageData(1, 1, settings);
            const half = 'pixelFormat' in settings ? 0.5 : 128;
            image.data.set([half / 2, half, half, 2 * half - (half > 1)]);
            const { data } = imageToTensorSync(image, { dtype: 'float32', shape: [1, 1, 1, 3] }, { range: [0, 255] });
            return [...data];
        }""",
        settings,
    )
    # As sRGB, the same color of the wider space has half of this red.
    expected = [32, 130, 129] if "colorSpace" in settings else [64, 128, 128]
    np.testing.assert_allclose(found, expected, atol=2)


def test_a_frame_of_a_video_becomes_an_input(webnn: Harness, image: Array) -> None:
    found, _ = images.convert(webnn, Conversion("HTMLVideoElement", URL, SHAPE, options=PIXELS))
    difference = np.abs(found[0] - sampled(image, full_region(image), SIZE, SIZE))
    assert difference.mean() <= VIDEO_TOLERANCE


@pytest.mark.parametrize(
    "region",
    [
        Region(225.5, 150, 451, 300),
        Region(200, 140, 100, 50),
        Region(200, 140, 160, 120, 0.7),
        Region(10, 10, 200, 150, -2.5),  # mostly outside
    ],
    ids=["entire", "part", "rotated", "beyond"],
)
@pytest.mark.parametrize("size", [(96, 64), (300, 280)], ids=["small", "large"])
def test_a_region_is_sampled_as_numpy_does(webnn: Harness, image: Array, region: Region, size: tuple[int, int]) -> None:
    width, height = size
    options = {**PIXELS, "region": region.described(), "background": 7}
    found, _ = images.convert(webnn, Conversion("ImageBitmap", URL, (1, height, width, 3), options=options))
    expected = sampled(image, region, width, height, 7)
    # On the image's very edge, rounding decides what is outside.
    differing = np.abs(found[0] - expected).max(axis=-1) > TOLERANCE
    assert differing.mean() <= (0 if region.rotation == 0 else 1e-3)


@pytest.mark.parametrize(("width", "height"), [(224, 224), (96, 160), (600, 450)])
def test_images_are_resized_as_tflite_does(webnn: Harness, image: Array, width: int, height: int) -> None:
    """RESIZE_BILINEAR with half-pixel centers."""
    rows, columns = image.shape[:2]
    inputs = ((1, rows, columns, 3),), (np.array([height, width], np.int32),)
    options = {"halfPixelCenters": True}
    model = one_node("RESIZE_BILINEAR", inputs, ((1, height, width, 3),), options, version=3)
    (expected,) = native_litert.outputs_of(model, [image[None].astype(np.float32)])
    found, _ = images.convert(webnn, Conversion("Blob", URL, (1, height, width, 3), options=PIXELS))
    np.testing.assert_allclose(found, expected, atol=LITERT_TOLERANCE, rtol=0)


@pytest.mark.parametrize(("width", "height"), [(224, 224), (96, 160), (600, 450)])
@pytest.mark.parametrize("channels", [1, 3])
def test_antialiased_images_have_pillow_s_bytes(webnn: Harness, width: int, height: int, channels: int) -> None:
    """Every byte, with the option antialias."""
    with Image.open(image_path(IMAGE)) as image:
        converted = image.convert("L" if channels == 1 else "RGB")
    expected = np.asarray(converted.resize((width, height), Image.Resampling.BILINEAR))
    conversion = Conversion("Blob", URL, (1, height, width, channels), "uint8", {"antialias": True})
    found, _ = images.convert(webnn, conversion)
    np.testing.assert_array_equal(found.reshape(expected.shape), expected)


def test_integers_are_rounded_once(webnn: Harness, image: Array) -> None:
    found, _ = images.convert(webnn, Conversion("Blob", URL, SHAPE, "int8"))
    expected = np.floor(sampled(image, full_region(image), SIZE, SIZE) + 0.5) - 128
    assert np.abs(found[0] - expected).max() <= 1
    assert (found[0] != expected).mean() < 1e-4  # where half a step is rounded in float32


@pytest.mark.parametrize(
    ("kind", "error"),
    [
        ("closedBitmap", "IMAGE_DETACHED"),
        ("closedFrame", "IMAGE_DETACHED"),
        ("detachedCanvas", "IMAGE_DETACHED"),
        ("emptyCanvas", "IMAGE_EMPTY"),
        ("emptyOffscreenCanvas", "IMAGE_EMPTY"),
        ("videoWithoutFrame", "IMAGE_EMPTY"),
        ("brokenImage", "IMAGE_DECODE_FAILED"),
    ],
)
def test_a_source_without_pixels_is_an_error_and_the_next_one_works(webnn: Harness, kind: str, error: str) -> None:
    answer = images.refusal(webnn, Conversion(kind, URL, SHAPE, "uint8"), URL)
    assert answer == {"code": error, "isOfPackage": True, "nextWorks": True}


def test_a_file_that_is_not_an_image(webnn: Harness) -> None:
    answer = images.refusal(webnn, Conversion("Blob", "/harness.html", SHAPE, "uint8"), URL)
    assert answer == {"code": "IMAGE_DECODE_FAILED", "isOfPackage": True, "nextWorks": True}


@pytest.mark.parametrize("kind", ["HTMLImageElement", "taintedCanvas"])
def test_an_image_of_another_origin(webnn: Harness, kind: str) -> None:
    """It may be shown in this page, and not be read; the next image is read."""
    page: Page = webnn.page
    elsewhere = "http://elsewhere.test/image.png"

    def serve(route: Route) -> None:
        headers = {"Cross-Origin-Resource-Policy": "cross-origin", "Content-Type": "image/png"}
        route.fulfill(body=image_path(IMAGE).read_bytes(), headers=headers)

    page.route(elsewhere, serve)
    try:
        answer = images.refusal(webnn, Conversion(kind, elsewhere, SHAPE, "uint8"), URL)
    finally:
        page.unroute(elsewhere)
    assert answer == {"code": "IMAGE_TAINTED", "isOfPackage": True, "nextWorks": True}


@pytest.mark.parametrize("kind", ["image", "canvas", "OffscreenCanvas"])
def test_an_image_too_large_for_a_canvas(webnn: Harness, kind: str) -> None:
    """The browser draws nothing, without an error; nor would it draw the next image."""
    answer = webnn.engine_page.evaluate(
        """async (kind) => {
            const { imageToTensor } = await import('/package/image.mjs');
            const input = { dtype: 'uint8', shape: [1, 1, 1, 3] };
            const size = { width: 40_000, height: 40_000 };
            const image = async () => {
                const drawing = Object.assign(new Image(), {
                    src: "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='20000' height='20000'/>",
                });
                await drawing.decode();
                return drawing;
            };
            const canvas = () => Object.assign(document.createElement('canvas'), size);
            const large = { image, canvas, OffscreenCanvas: () => new OffscreenCanvas(size.width, size.height) };
            const error = await imageToTensor(await large[kind](), input).catch((reason) => reason);
            const drawing = new OffscreenCanvas(1, 1).getContext('2d');
            drawing.fillStyle = 'white';
            drawing.fillRect(0, 0, 1, 1);
            const { data } = await imageToTensor(drawing.canvas, input);
            return [error.code, error.message, ...data];
        }""",
        kind,
    )
    assert answer == [
        "IMAGE_DECODE_FAILED",
        "The browser cannot read so many pixels: make the image smaller.",
        *[255] * 3,
    ]
