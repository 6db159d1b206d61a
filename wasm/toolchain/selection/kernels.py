"""The registration of a module's kernels: only the selected ones, in place of wasm/runner/all_ops.cc."""

import json
import re
from collections.abc import Collection, Mapping

from tools.support.paths import PROJECT_DIR
from wasm.toolchain.selection.errors import SelectionError

# Entries of TFLite's own list of kernels, tensorflow/lite/core/kernels/register.cc.
BUILTIN = re.compile(r"AddBuiltin\(\s*BuiltinOperator_(?P<name>\w+),.*?\);", re.DOTALL)
CUSTOM = re.compile(r'AddCustom\(\s*"(?P<name>[^"]+)",\s*(?P<function>tflite::ops::custom::\w+)\(\)\s*\);', re.DOTALL)
# Calls of wasm/runner/all_ops.cc that put this project's kernels in the place of TFLite's.
ALL_OPS = PROJECT_DIR / "wasm" / "runner" / "all_ops.cc"
OWN_BUILTIN = re.compile(r"ReplaceKernel\(\s*resolver,\s*BuiltinOperator_(?P<name>\w+),.*?\);", re.DOTALL)
GUARD = re.compile(r'AddGuard\(\s*resolver,\s*(?:BuiltinOperator_(?P<name>\w+)|"(?P<custom>[^"]+)"),.*?\);', re.DOTALL)
# The types without which TFLite's own kernel does the same.
TYPES_OF_OWN = {
    **dict.fromkeys(("ADD", "CONV_2D", "DEQUANTIZE", "FULLY_CONNECTED", "MEAN", "MUL", "SUB"), ("INT16",)),
    **dict.fromkeys(("ARG_MAX", "ARG_MIN"), ("FLOAT32",)),
    "CAST": ("FLOAT16", "FLOAT32", "FLOAT64"),
    "DEPTHWISE_CONV_2D": ("FLOAT32", "INT16"),
    "HARD_SWISH": ("INT8", "UINT8"),
}
OWN_CUSTOM = {
    "Convolution2DTransposeBias": "resolver.AddCustom(kConvolution2DTransposeBiasName,"
    " RegisterConvolution2DTransposeBias());"
}

TEMPLATE = """// The kernels that were selected: {selected}.
#include "runner/kernels/guards.h"
#include "runner/kernels/own_kernels.h"
#include "runner/ops.h"
#include "tensorflow/lite/core/kernels/builtin_op_kernels.h"

namespace tflite::ops::custom {{
{declarations}
}}  // namespace tflite::ops::custom

namespace tflite::webnn {{

void AddOps(MutableOpResolver& resolver) {{
  using namespace tflite::ops::builtin;
  {registrations}
}}

const std::vector<std::string_view>& OpsLeftOut() {{
  static const std::vector<std::string_view> kNames = {{{left_out}}};
  return kNames;
}}

const char* SelectedOps() {{ return {selected_json}; }}

}}  // namespace tflite::webnn
"""


def ops_file(register_source: str, selected: Collection[str], types: Collection[str] = ()) -> str:
    """Return the C++ file that registers the kernels of the selected ops.

    Args:
        register_source: TFLite's core/kernels/register.cc.
        selected: names of builtin ops and of custom ones.
        types: names of the types of their tensors; none means all.

    Raises:
        SelectionError: TFLite has no kernel of one of them.
    """
    builtin = {match["name"]: "resolver." + match[0] for match in BUILTIN.finditer(register_source)}
    for match in OWN_BUILTIN.finditer(ALL_OPS.read_text()):
        op = match["name"]
        if op in builtin and (not types or {*TYPES_OF_OWN.get(op, types)} & {*types}):
            builtin[op] += f"\n  {match[0]}"
    functions = {match["name"]: match["function"] for match in CUSTOM.finditer(register_source)}
    custom = {name: f'resolver.AddCustom("{name}", {function}());' for name, function in functions.items()} | OWN_CUSTOM
    every = builtin | custom
    for match in GUARD.finditer(ALL_OPS.read_text()):
        guarded = match["name"] or match["custom"]
        if guarded in every:
            every[guarded] += f"\n  {match[0]}"
    _refuse_unknown(selected, every)
    names = sorted(selected)
    declared = [functions[name].rpartition("::")[2] for name in names if name in functions]
    return TEMPLATE.format(
        selected=", ".join(names),
        declarations="\n".join(f"TfLiteRegistration* {function}();" for function in declared),
        registrations="\n  ".join(every[name] for name in names),
        left_out=", ".join(json.dumps(name) for name in sorted(every.keys() - set(names))),
        selected_json=json.dumps(json.dumps(names, separators=(",", ":"))),
    )


def _refuse_unknown(selected: Collection[str], every: Mapping[str, str]) -> None:
    unknown = sorted(set(selected) - every.keys())
    if unknown:
        raise SelectionError(
            f"there is no kernel for {', '.join(unknown)}",
            hint="use TFLite's names, e.g. CONV_2D; docs/ops.md lists them",
        )
