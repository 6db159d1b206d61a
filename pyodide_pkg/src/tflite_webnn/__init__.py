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
    MetadataError,
    ModelError,
    TFLiteWebnnError,
    UnknownDelegateError,
    WebnnRunError,
)
from tflite_webnn.interpreter import Interpreter
from tflite_webnn.metadata import Labels, ModelMetadata, TensorMetadata, labels_for, read_model_metadata
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
    "Labels",
    "MetadataError",
    "ModelError",
    "ModelMetadata",
    "OpResolverType",
    "SignatureRunner",
    "TFLiteWebnnError",
    "TensorMetadata",
    "UnknownDelegateError",
    "WebnnRunError",
    "install_shim",
    "labels_for",
    "load_delegate",
    "read_model_metadata",
    "setup",
]
