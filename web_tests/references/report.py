"""The report on a model as JSON, by the schema that the package publishes."""

import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import fastjsonschema

from support.npm import JS_DIR

SCHEMA_FILE = JS_DIR / "packages" / "core" / "report.schema.json"


def check_report(report: Mapping[str, Any]) -> None:
    """Check that a report has what the schema requires, and nothing else.

    Raises:
        JsonSchemaException: it names the member that is missing or wrong.
    """
    _validator()(report)


@cache
def _validator() -> Callable[[Mapping[str, Any]], object]:
    validator: Callable[[Mapping[str, Any]], object] = fastjsonschema.compile(json.loads(SCHEMA_FILE.read_text()))
    return validator
