"""A script written for tflite_runtime, in CPython and in Pyodide: the same output."""

import sys
from pathlib import Path

import pytest

from support.command import run
from support.paths import PROJECT_DIR
from web_tests.drivers.python_page import PythonPage
from web_tests.models import package_assets
from web_tests.models.catalogue import all_models
from web_tests.tests.pyodide.conftest import SCRIPTS_DIR

pytestmark = pytest.mark.needs("wheel")

SCRIPT = PROJECT_DIR / "pyodide_pkg" / "examples" / "label_image.py"
MODEL = all_models()["efficientnet_lite0_int8"]


@pytest.fixture(scope="module")
def image() -> Path:
    return package_assets.path_of("images", "chelsea")


def native(image: Path) -> str:
    command = [sys.executable, str(SCRIPT), "--model", str(MODEL.path()), "--image", str(image)]
    return run(command, capture=True, quiet=True)


def test_label_image_prints_what_native_litert_does(image: Path) -> None:
    assert native(image).splitlines()[0].endswith("Egyptian cat")


def test_label_image_prints_the_same_in_pyodide(python: PythonPage, image: Path) -> None:
    python.load(["pillow"])
    python.add_module(SCRIPT)
    python.add_module(SCRIPTS_DIR / "shimmed.py")
    python.write("model.tflite", MODEL.content())
    python.write("chelsea.png", image.read_bytes())
    arguments = ["--model", "model.tflite", "--image", "chelsea.png"]
    assert python.run("shimmed.printed", script=SCRIPT.name, arguments=arguments) == native(image)
