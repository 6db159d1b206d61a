"""TensorFlow Lite for Python in the browser: the `Interpreter` of TFLite, on WebNN or on the CPU.

from tflite_webnn import Interpreter, load_delegate
"""

from tflite_webnn.aliases import install_shim
from tflite_webnn.arguments import OpResolverType
from tflite_webnn.assets import AssetsError, EvaluationForbiddenError, setup
from tflite_webnn.delegate import Delegate, load_delegate
from tflite_webnn.delegate_options import DelegateOptions
from tflite_webnn.errors import (
    AsyncInvokeRequiredError,
    BackendUnavailableError,
    ContextLostError,
    DelegateError,
    InterpreterBusyError,
    InterpreterCrashedError,
    InterpreterError,
    ModelError,
    TFLiteWebnnError,
    UnknownDelegateError,
    WebnnRunError,
)
from tflite_webnn.interpreter import Interpreter
from tflite_webnn.signature_runner import SignatureRunner

__all__ = [
    "AssetsError",
    "AsyncInvokeRequiredError",
    "BackendUnavailableError",
    "ContextLostError",
    "Delegate",
    "DelegateError",
    "DelegateOptions",
    "EvaluationForbiddenError",
    "Interpreter",
    "InterpreterBusyError",
    "InterpreterCrashedError",
    "InterpreterError",
    "ModelError",
    "OpResolverType",
    "SignatureRunner",
    "TFLiteWebnnError",
    "UnknownDelegateError",
    "WebnnRunError",
    "install_shim",
    "load_delegate",
    "setup",
]
