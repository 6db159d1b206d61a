"""Results in files: one row per line, read back unchanged; anything else is rejected."""

import json
from pathlib import Path
from typing import Any

import pytest

from tools import result_file
from tools.bench.result import Result
from tools.matrix.result import Matrix
from tools.result_file import ResultFileError
from tools.tests.test_bench import a_result
from tools.tests.test_matrix import matrix

RESULTS = pytest.mark.parametrize(
    "result", [a_result(), matrix(), matrix(cells=[])], ids=["bench", "matrix", "no cells"]
)


@RESULTS
def test_a_result_is_read_as_it_was_written(result: Result | Matrix, tmp_path: Path) -> None:
    file = tmp_path / "results" / "result.json"
    result_file.write(result, file)
    read = result_file.read(type(result), file)
    assert result_file.to_text(read) == file.read_text(encoding="utf-8")
    assert json.loads(file.read_text(encoding="utf-8")) == result_file.to_json(result)


@RESULTS
def test_each_row_is_a_line(result: Result | Matrix) -> None:
    members = result_file.to_json(result)
    tables = [value for value in members.values() if isinstance(value, list) and value and isinstance(value[0], dict)]
    lines = result_file.to_text(result).splitlines()
    assert len(lines) == 2 + len(members) + sum(len(table) + 1 for table in tables)
    for table in tables:
        assert {json.dumps(row, ensure_ascii=False) for row in table} <= {line.strip().rstrip(",") for line in lines}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": 2}, "format: Input should be 1"),
        ({"rounds": "2"}, "rounds: Input should be a valid integer"),
        ({"models": [{"name": "a"}]}, "models.0.size_bytes: Field required"),
        ({"colour": "red"}, "colour: Unexpected keyword argument"),
        ({"browser": {"colour": "red"}}, "browser"),
    ],
)
def test_a_wrong_member_of_a_result_is_an_error(change: dict[str, Any], message: str, tmp_path: Path) -> None:
    file = tmp_path / "bench.json"
    file.write_text(json.dumps({**result_file.to_json(a_result()), **change}))
    with pytest.raises(ResultFileError) as caught:
        result_file.read(Result, file)
    assert message in caught.value.what
    assert caught.value.where == str(file)


def test_rows_have_no_unknown_members(tmp_path: Path) -> None:
    found = result_file.to_json(a_result())
    found["speed"][0]["colour"] = "red"
    file = tmp_path / "bench.json"
    file.write_text(json.dumps(found))
    with pytest.raises(ResultFileError, match=r"speed\.0\.colour"):
        result_file.read(Result, file)


@pytest.mark.parametrize("content", [None, "no JSON"])
def test_a_file_that_holds_no_result_is_rejected(content: str | None, tmp_path: Path) -> None:
    file = tmp_path / "bench.json"
    if content is not None:
        file.write_text(content)
    with pytest.raises(ResultFileError):
        result_file.read(Result, file)
