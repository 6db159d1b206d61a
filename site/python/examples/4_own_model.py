"""Your model: its inputs and outputs, and a run on zeros"""

import numpy as np
from site_files import fetch
from tflite_webnn import Interpreter, load_delegate

MODEL = await fetch("models/selfie_segmentation.tflite")  # choose or drop a file: its name replaces this one

interpreter = Interpreter(model_path=MODEL, experimental_delegates=[load_delegate("webnn")])
interpreter.allocate_tensors()
for details in interpreter.get_input_details():
    print("input", details["name"], np.dtype(details["dtype"]), details["shape"].tolist())
    interpreter.set_tensor(details["index"], np.zeros(details["shape"], details["dtype"]))
await interpreter.invoke_async()
for details in interpreter.get_output_details():
    values = interpreter.get_tensor(details["index"])
    print("output", details["name"], values.dtype, list(values.shape), "from", values.min(), "to", values.max())
