"""Report: placement of each node"""

from site_files import fetch
from tflite_webnn import Interpreter, load_delegate

interpreter = Interpreter(
    model_path=await fetch("models/selfie_segmentation.tflite"),
    experimental_delegates=[load_delegate("webnn")],
)
interpreter.allocate_tensors()
await interpreter.invoke_async()  # on zeros: the first run prepares WebNN

report = interpreter.report()
print("WebNN is used" if report["webnn"]["used"] else f"The CPU is used: {report['webnn']['reason']}")
for name, value in report["totals"].items():
    print(f"{name:16} {value}")
for node in report["nodes"][:10]:
    print(node["index"], node["op"], node["placement"])
