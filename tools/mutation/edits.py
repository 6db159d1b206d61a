"""The edits of seeded.toml: one fault each in a lowering, and the sources that contain all of them behind a switch.

A module with all edits is compiled once. Each edited expression becomes `IsSeeded(n) ? (new) : (old)`; three digits in
the module's data choose the one edit that has effect, 000 for none.
"""

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from tools.support.errors import BuildError
from tools.support.paths import PROJECT_DIR
from wasm.toolchain.variants import VARIANTS_FILE

VARIANT = "simd"
EDITS_FILE = Path(__file__).with_name("seeded.toml")
# The header of the switch, in the scratch checkout only.
HEADER = "wasm/delegate/seeded_edit.h"
HEADER_TEXT = """\
#ifndef TFLITE_WEBNN_DELEGATE_SEEDED_EDIT_H_
#define TFLITE_WEBNN_DELEGATE_SEEDED_EDIT_H_

namespace tflite::webnn {

// `build.py mutate` rewrites the digits in the compiled module.
inline const volatile char kSeededEdit[] = "seeded edit 000";

inline bool IsSeeded(int edit) {
  const volatile char* digits = kSeededEdit + sizeof("seeded edit ") - 1;
  return (digits[0] - '0') * 100 + (digits[1] - '0') * 10 + (digits[2] - '0') == edit;
}

}  // namespace tflite::webnn

#endif  // TFLITE_WEBNN_DELEGATE_SEEDED_EDIT_H_
"""
# Without Binaryen's optimizer, which takes longer than everything else.
LINK_FLAGS = 'link_flags = ["-O1"]'
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
                    mend="write the edit for the present code; `within` has more of the code around `old`",
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
    rows = tomllib.loads(file.read_text())["edit"]
    return [Edit(**{"op": "", "within": row["old"], **row}) for row in rows]


def switched(text: str, edits: Iterable[tuple[int, Edit]]) -> str:
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
    include = f'#include "{HEADER.removeprefix("wasm/")}"\n'
    return re.sub(r"^(?=#include)", include, text, count=1, flags=re.MULTILINE)


def apply(edits: Sequence[Edit], project: Path) -> None:
    """Put all edits into the sources in `project`, and have its variant linked quickly; the first edit has number 1.

    Raises:
        EditError: an edit does not fit its file, two overlap, or there are too many.
    """
    if len(edits) > MOST_EDITS:
        raise EditError(f"there are {len(edits)} edits, and room for {MOST_EDITS}", where=EDITS_FILE.name)
    (project / HEADER).write_text(HEADER_TEXT)
    table = project / VARIANTS_FILE.relative_to(PROJECT_DIR)
    table.write_text(table.read_text().replace(f"[variants.{VARIANT}]\n", f"[variants.{VARIANT}]\n{LINK_FLAGS}\n"))
    for file in sorted({edit.file for edit in edits}):
        numbered = [(number, edit) for number, edit in enumerate(edits, 1) if edit.file == file]
        (project / file).write_text(switched((project / file).read_text(), numbered))


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
