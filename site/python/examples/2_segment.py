"""Segmentation: selfie_segmentation removes the background"""

import numpy as np
from PIL import Image
from site_files import fetch, show
from tflite_webnn import Interpreter, load_delegate

photo = Image.open(await fetch("samples/astronaut.png")).convert("RGB")
interpreter = Interpreter(
    model_path=await fetch("models/selfie_segmentation.tflite"),
    experimental_delegates=[load_delegate("webnn")],
)
interpreter.allocate_tensors()
image, mask = interpreter.get_input_details()[0], interpreter.get_output_details()[0]
_, height, width, _ = image["shape"]

pixels = np.asarray(photo.resize((int(width), int(height))))
interpreter.set_tensor(image["index"], pixels[np.newaxis].astype(np.float32) / 255)
await interpreter.invoke_async()

person = interpreter.get_tensor(mask["index"])[0, :, :, :1]
print(f"{person.mean():.1%} of the image is a person")
show((pixels * person + 255 * (1 - person)).astype(np.uint8))
