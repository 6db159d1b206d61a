"""A plugin of pytest: runs collected tests without an edit, then with one edit after the other, in one process."""

import json
from collections.abc import Collection
from os import environ
from pathlib import Path

import pytest

from tools.mutation import edits

# The file of the plan; the numbers of the edits with which a test failed take its place.
FILE_VARIABLE = "TFLITE_WEBNN_SEEDED_EDITS"


def pytest_runtestloop(session: pytest.Session) -> bool:
    """Write the numbers. Where a test fails without an edit, pytest fails."""
    file = Path(environ[FILE_VARIABLE])
    plan = json.loads(file.read_text())
    modules = [Path(module) for module in plan["modules"]]
    names = {int(number): part for number, part in plan["names"].items()}
    collected = session.items

    def fails(number: int, parts: Collection[str]) -> bool:
        edits.choose(number, modules)
        session.items = [item for item in collected if any(part in item.name for part in parts)]
        return _fails(session)

    if not fails(0, set(names.values())):
        file.write_text(json.dumps([number for number, part in names.items() if fails(number, [part])]))
        session.testsfailed = 0
    edits.choose(0, modules)
    return True


def _fails(session: pytest.Session) -> bool:
    """Run the chosen tests up to the first failure, with fixtures of their own."""
    session.testsfailed = 0
    for item, following in zip(session.items, [*session.items[1:], None], strict=True):
        item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.testsfailed:
            break
    session._setupstate.teardown_exact(None)
    return session.testsfailed > 0
