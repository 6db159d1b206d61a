"""Classifies an image. Written for tflite_runtime; after `import tflite_webnn.shim` it runs in the browser, too.

python label_image.py --model efficientnet_lite0.tflite --image cat.png
"""

import argparse
import zipfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PIL import Image

try:
    from tflite_runtime.interpreter import Interpreter
except ImportError:
    from ai_edge_litert.interpreter import Interpreter


def load_labels(path: Path) -> list[str]:
    """Return the labels of a text file, or those packed into a model file."""
    if not zipfile.is_zipfile(path):
        return path.read_text().splitlines()
    with zipfile.ZipFile(path) as archive:
        name = next(name for name in archive.namelist() if name.endswith(".txt"))
        return archive.read(name).decode().splitlines()


def main(argv: Sequence[str] | None = None) -> None:
    """Print the most likely labels, best first."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--image", type=Path, required=True)
    parser.add_argument("--labels", type=Path, help="a text file; default: the labels packed into the model")
    parser.add_argument("--count", type=int, default=5, help="how many to print")
    arguments = parser.parse_args(argv)

    interpreter = Interpreter(model_path=str(arguments.model), num_threads=1)
    interpreter.allocate_tensors()
    image_detail = interpreter.get_input_details()[0]
    scores_detail = interpreter.get_output_details()[0]
    _, height, width, _ = image_detail["shape"]

    image = Image.open(arguments.image).convert("RGB").resize((int(width), int(height)))
    pixels = np.expand_dims(np.asarray(image), 0)
    if image_detail["dtype"] == np.float32:
        pixels = (pixels.astype(np.float32) - 127.5) / 127.5
    interpreter.set_tensor(image_detail["index"], pixels)
    interpreter.invoke()
    scores = np.squeeze(interpreter.get_tensor(scores_detail["index"]))
    scale, zero_point = scores_detail["quantization"]
    if scale:
        scores = scale * (scores.astype(np.float32) - zero_point)

    labels = load_labels(arguments.labels or arguments.model)
    for index in np.argsort(-scores, kind="stable")[: arguments.count]:
        print(f"{scores[index]:.4f}  {labels[index]}")


if __name__ == "__main__":
    main()
