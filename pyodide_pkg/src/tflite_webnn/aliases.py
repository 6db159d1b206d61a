"""Other packages' names for this one, so that scripts written for them run as they are."""

from __future__ import annotations

import sys
from types import ModuleType

from tflite_webnn import arguments, delegate, interpreter, signature_runner

# Each has a module `interpreter`.
PACKAGES = ("tflite_runtime", "ai_edge_litert")


def install_shim() -> None:
    """Have `tflite_runtime.interpreter` and `ai_edge_litert.interpreter` be this package, from now on.

    Modules that have been imported before keep what they have.
    """
    for name in PACKAGES:
        package = ModuleType(name, f"Stands in for {name}: this is tflite_webnn.")
        package.__path__ = []
        module = ModuleType(f"{name}.interpreter", f"Stands in for {name}.interpreter: this is tflite_webnn.")
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
