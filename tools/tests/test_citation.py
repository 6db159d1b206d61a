"""Results of a busy machine, or of other code, do not get into documents."""

import json
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from support.command import run
from tools.citation import NotCitableError, check

IDLE, BUSY = [0.9, 2.5], [1.1, 1.0]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository with one commit, in which wasm/ and results can change."""
    run(["git", "init", "--quiet"], cwd=tmp_path)
    (tmp_path / "wasm").mkdir()
    (tmp_path / "results").mkdir()
    (tmp_path / "wasm" / "delegate.cc").write_text("1\n")
    commit(tmp_path)
    return tmp_path


def commit(checkout: Path) -> None:
    run(["git", "add", "."], cwd=checkout)
    identity = ["-c", "user.name=A Tester", "-c", "user.email=tester@example.org"]
    run(["git", *identity, "commit", "--quiet", "--message=one"], cwd=checkout)


def result(checkout: Path, **members: Any) -> str:
    revision = run(["git", "rev-parse", "HEAD"], cwd=checkout, capture=True).strip()[:12]
    return json.dumps({"revision": revision, "load_average": IDLE, **members})


def written(checkout: Path, text: str, name: str = "bench.json") -> Path:
    file = checkout / "results" / name
    file.write_text(text)
    return file


def test_a_result_of_an_idle_machine_and_of_this_code_is_cited(checkout: Path) -> None:
    check(written(checkout, result(checkout)))


@pytest.mark.parametrize(
    ("members", "reason"),
    [
        ({"load_average": BUSY}, r"load average of 1\.1; at most 1 is allowed"),
        ({"load_average": 1.1}, r"load average of 1\.1"),
        ({"revision": "89ab"}, "git does not know the revision"),
        ({"revision": "89ab+"}, "changes that were not committed"),
    ],
    ids=["load", "load before a run", "unknown revision", "between commits"],
)
def test_a_result_is_not_cited(checkout: Path, members: dict[str, Any], reason: str) -> None:
    with pytest.raises(NotCitableError, match=reason) as caught:
        check(written(checkout, result(checkout, **members)))
    assert "idle machine" in str(caught.value)


@pytest.mark.parametrize("is_committed", [False, True])
def test_a_result_of_older_code_is_cited_only_if_the_last_commit_has_it(checkout: Path, is_committed: bool) -> None:
    file = written(checkout, result(checkout))
    if is_committed:
        commit(checkout)
    (checkout / "wasm" / "delegate.cc").write_text("2\n")
    with nullcontext() if is_committed else pytest.raises(NotCitableError, match=r"wasm/ or js/ has changed since"):
        check(file)


@pytest.mark.parametrize("load", [BUSY, 1.1], ids=["of this rule", "older"])
def test_a_committed_result_under_load_is_not_cited_unless_it_is_older_than_the_rule(checkout: Path, load: Any) -> None:
    file = written(checkout, result(checkout, load_average=load))
    commit(checkout)
    with pytest.raises(NotCitableError, match="load average") if load is BUSY else nullcontext():
        check(file)


def test_new_lines_of_a_result_are_checked_and_committed_ones_remain(checkout: Path) -> None:
    old = result(checkout, model="a", load_average=1.5)
    file = written(checkout, f"{old}\n", "backends.jsonl")
    commit(checkout)
    check(written(checkout, f"{old}\n{result(checkout, model='b', load_average=0.5)}\n", file.name))
    with pytest.raises(NotCitableError, match=r"load average of 1\.2"):
        check(written(checkout, f"{old}\n{result(checkout, model='b', load_average=1.2)}\n", file.name))
