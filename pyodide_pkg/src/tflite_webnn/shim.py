"""Importing this module makes `tflite_runtime.interpreter` and `ai_edge_litert.interpreter` aliases of this package.

import tflite_webnn.shim
from tflite_runtime.interpreter import Interpreter
"""

from tflite_webnn.aliases import install_shim

install_shim()
