"""The part of XNNPACK that selected ops can reach, found in the sources of TFLite's delegate and of XNNPACK.

The delegate's switch over a node's op calls one Visit...Node() for it, which calls xnn_define_...() to add to
XNNPACK's graph; these find their microkernels through xnn_init_..._config(), one for each operation and element type.
A function that returns "unsupported" replaces each unreachable function of either kind, and the linker drops
everything that only they refer to.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

CASE = re.compile(r"case (kTfLiteBuiltin\w+):")
FUNCTION = re.compile(r"^  static \w+ (\w+)\(", re.MULTILINE)
DEFINE = re.compile(r"\bxnn_define_\w+")
OP_NUMBER = re.compile(r"(kTfLiteBuiltin\w+) = (\d+),")
PROTOTYPE = re.compile(r"enum xnn_status\s+(xnn_define_\w+)\(([^;{]*)\);")
CONFIG = re.compile(r"\bxnn_init_\w+_config\b")
# The tensor types that need kernels of an element type, by the part of a configuration's name. Other parts, such as x32
# and xx of kernels that only move data, are always kept. An empty set is never needed: half precision, or Arm only.
NEEDED_TYPES: Mapping[str, tuple[frozenset[str], ...]] = {
    "f32": (frozenset({"FLOAT32", "FLOAT16"}),),
    "f16": (frozenset({"FLOAT16"}),),
    **dict.fromkeys(("bf16", "pf16", "pf32", "qp8", "pqs8"), (frozenset[str](),)),
    **dict.fromkeys(("qs8", "s8", "qc8w"), (frozenset({"INT8"}),)),
    **dict.fromkeys(("qu8", "u8"), (frozenset({"UINT8"}),)),
    **dict.fromkeys(("qc4w", "qb4w"), (frozenset({"INT4"}),)),
    "qc2w": (frozenset({"INT2"}),),
    # Only the weights are integers: inputs are quantized at run time.
    **dict.fromkeys(("qd8", "qdu8"), (frozenset({"FLOAT32"}), frozenset({"INT8", "INT4", "INT2"}))),
}


@dataclass(frozen=True)
class Sources:
    """The source texts.

    Attributes:
        delegate: tensorflow/lite/delegates/xnnpack/xnnpack_delegate.cc.
        builtin_ops: tensorflow/lite/builtin_ops.h.
        header: XNNPACK's include/xnnpack.h.
        subgraph: all of XNNPACK's src/subgraph.
        configs: all of XNNPACK's src/configs.
    """

    delegate: str
    builtin_ops: str
    header: str
    subgraph: str
    configs: str


@dataclass(frozen=True)
class Absent:
    """The unreachable functions: parameters by name of xnn_define_...(), names of xnn_init_...()."""

    defines: Mapping[str, str]
    configs: tuple[str, ...]

    def stand_ins(self) -> str:
        """Return the C file with the replacements."""
        defines = (f"enum xnn_status {name}({parameters}) {{ return xnn_status_unsupported_parameter; }}"
                   for name, parameters in self.defines.items())  # fmt: skip
        configs = (f"const void* {name}(void) {{ return 0; }}" for name in self.configs)
        return "\n".join(["#include <xnnpack.h>", *defines, *configs]) + "\n"

    def renaming_header(self) -> str:
        """Return the header that renames XNNPACK's own functions."""
        return "".join(f"#define {name} left_out_{name}\n" for name in (*self.defines, *self.configs))


def find_absent(sources: Sources, op_names: Mapping[int, str], ops: Collection[str], types: Collection[str]) -> Absent:
    """Return the functions that no model of these ops and tensor types can reach.

    Args:
        sources: the source texts.
        op_names: names of builtin ops by number.
        ops: the selected ones; custom ops may have any name.
        types: element types of the tensors; empty for any.
    """
    reached = reached_defines(sources, op_names, ops)
    defines = {
        match[1]: match[2]
        for match in PROTOTYPE.finditer(re.sub(r"//.*", "", sources.header))
        if match[1] not in reached and re.search(rf"\b{match[1]}\(", sources.subgraph)
    }
    configs = sorted(set(CONFIG.findall(sources.configs)) - {"xnn_init_hardware_config"})
    return Absent(defines, tuple(name for name in configs if types and not is_needed(name, types)))


def is_needed(config: str, types: Collection[str]) -> bool:
    """Return whether tensors of these types can need a configuration, e.g. "xnn_init_qs8_to_f32_cvt_config"."""
    needs = [NEEDED_TYPES.get(part, ()) for part in config.split("_")]
    return all(any(name in types for name in need) for part in needs for need in part)


def reached_defines(sources: Sources, op_names: Mapping[int, str], ops: Collection[str]) -> set[str]:
    """Return the xnn_define_...() that the delegate can call for the ops, or for any model."""
    bodies = dict(_functions(sources.delegate))
    of_op = _visited(bodies["VisitNode"], sources.builtin_ops, op_names)
    has_custom = any(name not in op_names.values() for name in ops)
    wanted = {*ops, *(["CUSTOM"] if has_custom else [])}
    reached: set[str] = set()
    # Calls outside the visits, while the graph is made, happen for every model.
    waiting = [_without(sources.delegate, bodies.values()), *(of_op[op] for op in wanted if op in of_op)]
    seen = {"VisitNode"}
    while waiting:
        text = waiting.pop()
        reached.update(DEFINE.findall(text))
        called = {name for name in re.findall(r"\b(\w+)[<(]", text) if name in bodies} - seen
        seen |= called
        waiting += [bodies[name] for name in called]
    return reached


def _functions(text: str) -> Iterable[tuple[str, str]]:
    """Yield name and text of each static member function; the texts of overloads are joined."""
    starts = [(match.start(), match[1]) for match in FUNCTION.finditer(text)]
    together: dict[str, str] = {}
    for (start, name), following in zip(starts, [*starts[1:], (len(text), "")], strict=True):
        end = text.find("\n  }\n", start)
        body = text[start : end if 0 <= end < following[0] else following[0]]
        together[name] = together.get(name, "") + body
    return together.items()


def _visited(switch: str, builtin_ops: str, op_names: Mapping[int, str]) -> dict[str, str]:
    """Return the statements of each op's cases in the switch."""
    names = {match[1]: op_names.get(int(match[2]), "") for match in OP_NUMBER.finditer(builtin_ops)}
    parts = CASE.split(switch)[1:]  # label, statements, label, statements, ...
    found: dict[str, str] = {}
    waiting: list[str] = []
    for label, statements in zip(parts[::2], parts[1::2], strict=True):
        waiting.append(label)
        if statements.strip():
            found.update({names[each]: statements for each in waiting})
            waiting = []
    return found


def _without(text: str, parts: Iterable[str]) -> str:
    for part in parts:
        text = text.replace(part, "")
    return text
