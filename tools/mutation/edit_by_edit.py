"""A plugin of pytest: runs collected tests without an edit, then with one edit after the other, in one process."""

import json
from collections.abc import Sequence
from itertools import chain
from os import environ
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tools.mutation import edits
from wasm.toolchain.description import DescriptionError, describe_models
from web_tests.op_cases.case import OpCase
from web_tests.references.golden import WEBNN, description_text

# The file of the plan; the numbers of the edits with which a test failed take its place.
FILE_VARIABLE = "TFLITE_WEBNN_SEEDED_EDITS"


def pytest_runtestloop(session: pytest.Session) -> bool:
    """Write the numbers. Where a test fails without an edit, pytest fails."""
    file = Path(environ[FILE_VARIABLE])
    plan = json.loads(file.read_text())
    modules = [Path(module) for module in plan["modules"]]
    collected = session.items

    def affected(number: int, part: str) -> list[pytest.Item]:
        items = [item for item in collected if part in item.name]
        if not plan["compares_graphs"] or not any(map(_case_of, items)):
            return items
        edits.choose(0, modules)
        before = _graphs(items)
        edits.choose(number, modules)
        return [item for item, one, other in zip(items, before, _graphs(items), strict=True) if one != other]

    def fails(number: int, items: Sequence[pytest.Item]) -> bool:
        edits.choose(number, modules)
        return _fails(session, items)

    tests = {int(number): affected(int(number), part) for number, part in plan["names"].items()}
    if not fails(0, list(dict.fromkeys(chain.from_iterable(tests.values())))):
        file.write_text(json.dumps([number for number, items in tests.items() if fails(number, items)]))
        session.testsfailed = 0
    edits.choose(0, modules)
    return True


def _case_of(item: pytest.Item) -> OpCase | None:
    case = item.callspec.params.get("case") if hasattr(item, "callspec") else None
    return case if isinstance(case, OpCase) else None


def _graphs(items: Sequence[pytest.Item]) -> list[str]:
    """Return what the module makes of each item's case: where the graph is equal, no test can notice an edit."""
    with TemporaryDirectory() as folder:
        paths = [Path(folder, f"{index}.tflite") for index in range(len(items))]
        for path, case in zip(paths, map(_case_of, items), strict=True):
            path.write_bytes(case.model() if case else b"")
        try:
            found = describe_models(paths, WEBNN)
        except DescriptionError as crash:
            return [str(crash)] * len(items)
    return [
        f"{one.code} {one.what}"
        if isinstance(one, DescriptionError)
        else description_text(one) + json.dumps([node["reason"] for node in one["nodes"]])
        for one in found
    ]


def _fails(session: pytest.Session, items: Sequence[pytest.Item]) -> bool:
    """Run tests up to the first failure, with new fixtures."""
    session.items, session.testsfailed = list(items), 0
    for item, following in zip(items, [*items[1:], None], strict=True):
        item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.testsfailed:
            break
    session._setupstate.teardown_exact(None)
    return session.testsfailed > 0
