"""Aliases: scripts written for other TFLite packages run unchanged."""

import sys
from types import ModuleType

from tflite_webnn import arguments, delegate, interpreter, signature_runner

# Each has a module `interpreter`.
PACKAGES = ("tflite_runtime", "ai_edge_litert")


def install_shim() -> None:
    """Make `tflite_runtime.interpreter` and `ai_edge_litert.interpreter` aliases of this package.

    Modules imported before keep their names.
    """
    for name in PACKAGES:
        package = ModuleType(name, f"Alias of tflite_webnn for {name}.")
        package.__path__ = []
        module = ModuleType(f"{name}.interpreter", f"Alias of tflite_webnn for {name}.interpreter.")
        module.__dict__.update(
            Interpreter=interpreter.Interpreter,
            OpResolverType=arguments.OpResolverType,
            SignatureRunner=signature_runner.SignatureRunner,
            Delegate=delegate.Delegate,
            load_delegate=delegate.load_delegate,
        )
        package.interpreter = module  # type: ignore[attr-defined]
        sys.modules[name] = package
        sys.modules[f"{name}.interpreter"] = module
