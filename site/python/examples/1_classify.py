"""Image classification: efficientnet_lite0, int8"""

import zipfile

import numpy as np
from PIL import Image
from site_files import fetch, show
from tflite_webnn import Interpreter, load_delegate

model = await fetch("models/efficientnet_lite0_int8.tflite")
photo = Image.open(await fetch("samples/chelsea.png")).convert("RGB")
show(np.asarray(photo))

interpreter = Interpreter(model_path=model, experimental_delegates=[load_delegate("webnn")])
interpreter.allocate_tensors()
image, scores = interpreter.get_input_details()[0], interpreter.get_output_details()[0]
_, height, width, _ = image["shape"]

pixels = np.asarray(photo.resize((int(width), int(height))))
interpreter.set_tensor(image["index"], pixels[np.newaxis])
await interpreter.invoke_async()

scale, zero_point = scores["quantization"]
shares = (interpreter.get_tensor(scores["index"])[0].astype(np.float32) - zero_point) * scale
with zipfile.ZipFile(model) as packed:  # the model file contains its labels in a zip archive
    labels = packed.read(next(name for name in packed.namelist() if name.endswith(".txt"))).decode().splitlines()
for index in np.argsort(-shares)[:5]:
    print(f"{shares[index]:6.1%}  {labels[index]}")
