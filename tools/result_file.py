"""Results as JSON files: pydantic checks them against their dataclasses; each row is one line.

The dataclasses are the only definition of a result; `TypeAdapter(Result).json_schema()` is their JSON schema.
"""

import json
import math
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import ConfigDict, PlainSerializer, TypeAdapter, ValidationError

from support.errors import BuildError

# For the outermost dataclass; nested ones follow it. Unknown members and numbers as text are errors.
STRICT = ConfigDict(extra="forbid", strict=True)
# Further digits are noise.
SIGNIFICANT_DIGITS = 4

T = TypeVar("T")


class ResultFileError(BuildError):
    """A result file is unreadable, or is not a result."""


def _rounded(value: float | None) -> float | None:
    if value is None or not math.isfinite(value):
        return None
    return float(f"{value:.{SIGNIFICANT_DIGITS}g}")


Rounded = Annotated[float | None, PlainSerializer(_rounded, return_type=float | None)]


def to_json(result: Any) -> dict[str, Any]:
    """Return a result, a dataclass, as JSON's types; infinite numbers and NaN become null."""
    found: dict[str, Any] = json.loads(TypeAdapter(type(result)).dump_json(result))
    return found


def to_text(result: Any) -> str:
    """Return a result as JSON text with one line per row of a table, for `git diff`."""
    members = (f" {json.dumps(name)}: {_lines(value)}" for name, value in to_json(result).items())
    return "{\n" + ",\n".join(members) + "\n}\n"


def to_line(result: Any) -> str:
    """Return a result as one line of JSON."""
    return _line(to_json(result))


def _lines(value: Any) -> str:
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "[\n" + ",\n".join(f"  {_line(row)}" for row in value) + "\n ]"
    return _line(value)


def _line(value: Any) -> str:
    return json.dumps(value, allow_nan=False, ensure_ascii=False)


def write(result: Any, file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(to_text(result), encoding="utf-8")


def read(result_class: type[T], file: Path) -> T:
    """Return the result in a file.

    Raises:
        ResultFileError: the file does not exist or is not a result; the message names the first wrong member.
    """
    try:
        content = file.read_bytes()
    except OSError as error:
        raise ResultFileError(f"cannot read the result: {error}", where=str(file)) from error
    return parse(result_class, content, where=str(file))


def parse(result_class: type[T], content: bytes | str, *, where: str) -> T:
    """Return the result in JSON text; `where` is for the error.

    Raises:
        ResultFileError: it is not a result; the message names the first wrong member.
    """
    try:
        return TypeAdapter(result_class).validate_json(content)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        member = ".".join(map(str, first["loc"]))
        raise ResultFileError(
            f"not a result of this version: {member or 'all of it'}: {first['msg']}",
            where=where,
            hint="measure again with this version of the project",
        ) from error
