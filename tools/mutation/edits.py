"""The edits of seeded.toml: one fault each in a lowering, and the sources that contain all of them behind a switch.

A module with all edits is compiled once. Each edited expression becomes `IsSeeded(n) ? (new) : (old)`; three digits in
the module's data choose the one edit that has effect, 000 for none.
"""

import os
import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from support.errors import BuildError
from support.paths import PROJECT_DIR
from wasm.toolchain.variants import VARIANTS_FILE

EDITS_FILE = Path(__file__).with_name("seeded.toml")
# The header of the switch, in the scratch checkout only.
HEADER = "wasm/delegate/seeded_edit.h"
HEADER_TEXT = """\
#ifndef TFLITE_WEBNN_DELEGATE_SEEDED_EDIT_H_
#define TFLITE_WEBNN_DELEGATE_SEEDED_EDIT_H_

#ifdef __cplusplus
extern "C" {
#endif

// C and C++ files share one of the weak copies; `build.py mutate` rewrites its digits in the compiled module.
__attribute__((weak)) const volatile char tflite_webnn_seeded_edit[] = "seeded edit 000";

static inline int IsSeeded(int edit) {
  const volatile char* digits = tflite_webnn_seeded_edit + sizeof("seeded edit ") - 1;
  return (digits[0] - '0') * 100 + (digits[1] - '0') * 10 + (digits[2] - '0') == edit;
}

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // TFLITE_WEBNN_DELEGATE_SEEDED_EDIT_H_
"""
# Rows of variants.toml, and what they become: without Binaryen's optimizer, which takes longer than everything else.
# The variants with threads have the same flags.
LINK_FLAGS = {
    "[variants.simd]\n": '[variants.simd]\nlink_flags = ["-O1"]\n',
    'link_flags = ["-mrelaxed-simd"]': 'link_flags = ["-mrelaxed-simd", "-O1"]',
}
SWITCH = re.compile(rb"seeded edit \d{3}")
MOST_EDITS = 999


class EditError(BuildError):
    """An edit does not fit the code."""


@dataclass(frozen=True)
class Edit:
    """Replace the expression `old` with `new`; the tests of `op`, or else those of the file `tests`, should notice.

    `within`, the code around it, is exactly once in `file`, and `old` is exactly once in `within`.
    """

    file: str
    op: str
    old: str
    new: str
    within: str
    tests: str = ""

    def start(self, text: str) -> int:
        """Return where the expression begins in the file's text.

        Raises:
            EditError: the text is not there, or more than once.
        """
        for part, whole, what in ((self.within, text, self.file), (self.old, self.within, repr(self.within))):
            if whole.count(part) != 1:
                raise EditError(
                    f"{part!r} is {whole.count(part)} times in {what}, and should be once",
                    where=EDITS_FILE.name,
                    hint="write the edit for the present code; `within` has more of the code around `old`",
                )
        return text.index(self.within) + self.within.index(self.old)

    def line(self, project: Path = PROJECT_DIR) -> int:
        """Return the line of the expression, from 1.

        Raises:
            EditError: the text is not there, or more than once.
        """
        text = (project / self.file).read_text()
        return text[: self.start(text)].count("\n") + 1


def load(file: Path = EDITS_FILE) -> list[Edit]:
    files = tomllib.loads(file.read_text()).items()
    return [Edit(**{"file": name, "op": "", "within": row["old"], **row}) for name, rows in files for row in rows]


def switched(file: str, text: str, edits: Iterable[tuple[int, Edit]]) -> str:
    """Return a file's text with its edits, each behind its number.

    Raises:
        EditError: an edit does not fit the text, or two overlap.
    """
    places = sorted((edit.start(text), number, edit) for number, edit in edits)
    for (start, _, edit), (following, _, other) in pairwise(places):
        if start + len(edit.old) > following:
            raise EditError(f"two edits overlap: {edit.old!r} and {other.old!r}", where=EDITS_FILE.name)
    for start, number, edit in reversed(places):
        choice = f"(IsSeeded({number}) ? ({edit.new}) : ({edit.old}))"
        text = text[:start] + choice + text[start + len(edit.old) :]
    # Relative: not all libraries have wasm/ among their folders of headers.
    include = f'#include "{os.path.relpath(HEADER, Path(file).parent)}"\n'
    return re.sub(r"^(?=#include)", include, text, count=1, flags=re.MULTILINE)


def apply(edits: Sequence[Edit], project: Path) -> None:
    """Put all edits into the sources in `project`, and have its variants linked quickly; the first edit has number 1.

    Raises:
        EditError: an edit does not fit its file, two overlap, or there are too many.
    """
    if len(edits) > MOST_EDITS:
        raise EditError(f"there are {len(edits)} edits, and room for {MOST_EDITS}", where=EDITS_FILE.name)
    (project / HEADER).write_text(HEADER_TEXT)
    table = project / VARIANTS_FILE.relative_to(PROJECT_DIR)
    text = table.read_text()
    for row, quick in LINK_FLAGS.items():
        text = text.replace(row, quick)
    table.write_text(text)
    for file in sorted({edit.file for edit in edits}):
        numbered = [(number, edit) for number, edit in enumerate(edits, 1) if edit.file == file]
        (project / file).write_text(switched(file, (project / file).read_text(), numbered))


def choose(number: int, modules: Iterable[Path]) -> None:
    """Make one edit the one that has effect in compiled modules; 0 for none.

    Raises:
        EditError: a module has no switch.
    """
    for module in modules:
        content, count = SWITCH.subn(b"seeded edit %03d" % number, module.read_bytes())
        if count != 1:
            raise EditError(f"the module has {count} switches of edits, and should have one", where=str(module))
        module.write_bytes(content)
