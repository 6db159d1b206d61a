"""The published JSON schema of a model's report, and reports checked against it."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator

from js.bundle import REPORT_SCHEMA


def check_report(report: dict[str, Any]) -> None:
    """Assert that a report is as the schema says; the message names the first place that is not.

    Raises:
        AssertionError: it is not.
    """
    error = next(iter(_validator().iter_errors(report)), None)
    assert error is None, f"{error.json_path}: {error.message[:400]}"


@cache
def _validator() -> Draft202012Validator:
    schema = json.loads(REPORT_SCHEMA.read_text())
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)
