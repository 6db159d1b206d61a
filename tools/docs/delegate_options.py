"""What `build.py docs` makes of the delegate's options: those of JavaScript and Python, and docs/delegate-options.md.

wasm/delegate/delegate_options.h has the rows; TFLite's tools read them there.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from js.node import JS_DIR
from tools.docs.ops_table import row_text, table_head
from tools.support.paths import PROJECT_DIR
from wasm.toolchain.description import DelegateOption, describe_options

NOTE = "Made by `python3 build.py docs` of wasm/delegate/delegate_options.h."
LINE_WIDTH = 120
QUOTE, DOUBLE_QUOTE = "'", '"'
NAME_IN_TEXT = re.compile(r"`([a-z]+(?:_[a-z]+)*)`")

TYPESCRIPT_TYPES = {"count": "number", "flag": "boolean", "ops": "readonly string[]"}
PYTHON_TYPES = {"count": "int | str", "flag": "bool | str", "ops": "Sequence[str] | str"}
DOCUMENT_TYPES = {"count": "a whole number, 0 or more", "flag": "true or false", "ops": "TFLite ops"}
DOCUMENT = """\
# Options of the delegate

<!-- {note} -->

JavaScript takes them as `webnnDelegateOptions` of `loadTFLiteModel()`, Python as the options of
`load_delegate("webnn", {{...}})`, TFLite's tools (`build.py tool`) as flags beside `--use_webnn=true`, where ops have
commas in between. How JavaScript and Python find or make a WebNN context has further options, which are theirs
([API](api.md)).

{table}
"""


def write() -> None:
    """Write all files."""
    for path, text in texts().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def texts() -> dict[Path, str]:
    """Return what each file must say."""
    options = [option for option in describe_options() if option.scope != "runtime"]
    return {
        JS_DIR / "runtime" / "src" / "generated" / "delegate_options.ts": typescript(options),
        PROJECT_DIR / "pyodide_pkg" / "src" / "tflite_webnn" / "delegate_options.py": python(options),
        PROJECT_DIR / "docs" / "delegate-options.md": document(options),
    }


def typescript(options: Sequence[DelegateOption]) -> str:
    """Return the types of the options and their table."""
    lines = [f"/** Options of the WebNN delegate. {NOTE} */", ""]
    for option in options:
        if option.choices:
            lines += _comment(_text(option, options, camel_case), "")
            lines += [f"export type {_choice_type(option)} = {_quoted(option.choices, QUOTE, ' | ')};", ""]
    lines += ["/** What the delegate takes, and whoever opens its context. */", "export interface DelegateOptions {"]
    for option in options:
        kind = _choice_type(option) if option.choices else TYPESCRIPT_TYPES[option.type]
        lines += _comment(_text(option, options, camel_case) + _default(option), "  ")
        lines.append(f"  {camel_case(option.name)}?: {kind};")
    lines += ["}", "", "/** What wasm calls each, what it takes, and who reads it. */"]
    lines.append("export const DELEGATE_OPTIONS = {")
    for option in options:
        members = [f"key: '{option.name}'", f"type: '{option.type}'", f"scope: '{option.scope}'"]
        members += [f"choices: [{_quoted(option.choices, QUOTE, ', ')}]"] if option.choices else []
        line = f"  {camel_case(option.name)}: {{ {', '.join(members)} }},"
        lines += [line] if len(line) <= LINE_WIDTH else _broken(camel_case(option.name), members)
    return "\n".join([*lines, "} as const;"]) + "\n"


def python(options: Sequence[DelegateOption]) -> str:
    """Return the module with the options' types."""
    lines = [
        f'"""Options of the WebNN delegate. {NOTE}"""',
        "",
        "from __future__ import annotations",
        "",
        "from collections.abc import Sequence",
        "from typing import Literal, TypedDict",
        "",
        "",
        "class DelegateOptions(TypedDict, total=False):",
        '    """What the delegate takes, and whoever opens its context."""',
    ]
    for option in options:
        choices = f"Literal[{_quoted(option.choices, DOUBLE_QUOTE, ', ')}]"
        text = f'"""{_text(option, options, str)}{_default(option)}"""'
        lines += ["", f"    {option.name}: {choices if option.choices else PYTHON_TYPES[option.type]}"]
        lines += textwrap.wrap(text, LINE_WIDTH, initial_indent="    ", subsequent_indent="    ")
    return "\n".join(lines) + "\n"


def document(options: Sequence[DelegateOption]) -> str:
    """Return the page with the table of options."""
    rows = [
        row_text(
            (
                f"`{camel_case(option.name)}`",
                f"`{option.name}`",
                f"`--webnn_{option.name}`",
                ", ".join(option.choices) or DOCUMENT_TYPES[option.type],
                option.default or "none",
                _text(option, options, str),
            )
        )
        for option in options
    ]
    titles = ("JavaScript", "Python", "TFLite's tools", "value", "default", "meaning")
    return DOCUMENT.format(note=NOTE, table="\n".join([*table_head(titles), *rows]))


def camel_case(name: str) -> str:
    """Return JavaScript's name of an option."""
    return re.sub("_([a-z])", lambda match: match[1].upper(), name)


def _broken(name: str, members: Sequence[str]) -> list[str]:
    return [f"  {name}: {{", *(f"    {member}," for member in members), "  },"]


def _quoted(words: Sequence[str], quote: str, separator: str) -> str:
    return separator.join(f"{quote}{word}{quote}" for word in words)


def _choice_type(option: DelegateOption) -> str:
    name = camel_case(option.name)
    return name[0].upper() + name[1:]


def _text(option: DelegateOption, options: Sequence[DelegateOption], spelling: Callable[[str], str]) -> str:
    names: Mapping[str, str] = {other.name: spelling(other.name) for other in options}
    return NAME_IN_TEXT.sub(lambda match: f"`{names.get(match[1], match[1])}`", option.text)


def _default(option: DelegateOption) -> str:
    return f" Default: `{option.default}`." if option.default else ""


def _comment(text: str, indent: str) -> list[str]:
    """Return the lines of a TSDoc comment."""
    line = f"{indent}/** {text} */"
    if len(line) <= LINE_WIDTH:
        return [line]
    body = textwrap.wrap(text, LINE_WIDTH, initial_indent=f"{indent} * ", subsequent_indent=f"{indent} * ")
    return [f"{indent}/**", *body, f"{indent} */"]
