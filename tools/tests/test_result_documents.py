"""Documents and their tables are generated from the committed results."""

import json
from collections import Counter
from pathlib import Path

import pytest

from tools import readme
from tools.bench import peers_document
from tools.commands import docs
from tools.docs import package_sizes
from tools.docs.package_sizes import MissingLimitError
from tools.matrix import document as browsers_document

DOCUMENTS = docs.of_files()


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda file: file.name)
def test_the_documents_are_up_to_date(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    assert text == DOCUMENTS[document], "run `python3 build.py docs` and read the difference"


def test_a_wrong_cell_is_counted(tmp_path: Path) -> None:
    found = json.loads(browsers_document.RESULT.read_text())
    cell = next(cell for cell in found["cells"] if (cell["engine"], cell["execution"]) == ("webkitgtk", "simd"))
    cell["status"] = "wrong"
    file = tmp_path / "matrix.json"
    file.write_text(json.dumps(found))
    before, after = browsers_document.text(), browsers_document.text(file)
    (row,) = [line for line in after.splitlines() if line not in before.splitlines()]
    assert row.startswith("| WebKitGTK ")
    assert "26 of 27" in row


def test_the_time_of_a_wrong_output_does_not_count(tmp_path: Path) -> None:
    found = json.loads(peers_document.RESULT.read_text())
    for row in found["speed"]:
        if row["runtime"] == "hand-written/webnn":
            row["verdict"]["grade"] = "WRONG"
    file = tmp_path / "bench.json"
    file.write_text(json.dumps(found))
    assert f"| `hand-written/webnn` | – | – | – | 0 | {len(found['models'])} | 0 |" in peers_document.text(file)


@pytest.mark.parametrize(("by_hand_ms", "cell"), [(0.39, "+40 µs"), (0.41, "1.25")])
def test_a_short_run_is_compared_with_the_graph_by_hand_in_microseconds(
    tmp_path: Path, by_hand_ms: float, cell: str
) -> None:
    found = json.loads(peers_document.RESULT.read_text())
    model = found["models"][0]["name"]
    for row in found["speed"]:
        if (row["model"], row["runtime"]) == (model, "tflite-webnn/webnn"):
            row["ms"]["median"] = 0.43
        if (row["model"], row["runtime"]) == (model, "hand-written/webnn"):
            row["ms"]["median"], row["ratio"]["median"] = by_hand_ms, 0.8
    file = tmp_path / "bench.json"
    file.write_text(json.dumps(found))
    assert f"| {model} | 0.430 | {by_hand_ms:.3f} | {cell} |" in peers_document.text(file)


def test_a_wrong_run_is_counted_in_the_readme(tmp_path: Path) -> None:
    found = json.loads(browsers_document.RESULT.read_text())
    cell = next(cell for cell in found["cells"] if (cell["engine"], cell["execution"]) == ("firefox", "simd-threads"))
    cell["status"] = "wrong"
    file = tmp_path / "matrix.json"
    file.write_text(json.dumps(found))
    assert "| Firefox ESR | no | yes | yes | yes |" in readme.browsers()
    assert "| Firefox ESR | no | yes | yes | 79 of 80 |" in readme.browsers(file)


def test_the_readme_s_numbers_are_those_of_the_benchmarks() -> None:
    page = peers_document.text()
    for runtime in (readme.PEER, readme.CPU_PEER):
        (row,) = [line for line in page.splitlines() if line.startswith(f"| `{runtime}` 2")]
        assert f"{float(row.split(' | ')[1]):.1f} times" in readme.numbers(), runtime


def test_no_measure_is_in_two_results() -> None:
    """So no two pages can cite different numbers for one. Another machine is another measure."""
    rows: Counter[tuple[str, ...]] = Counter()
    for file in peers_document.RESULT.parent.glob("*.json"):
        found = json.loads(file.read_text())
        for kind in ("speed", "loading"):
            machine = found.get("card", "no GPU")
            rows.update({(kind, machine, row["model"], row["runtime"]) for row in found.get(kind, ())})
    assert len(rows) > 100
    assert [row for row, count in rows.items() if count > 1] == []


def test_the_sizes_are_those_that_a_test_enforces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = json.loads(package_sizes.LIMITS.read_text())
    monkeypatch.setattr(package_sizes, "LIMITS", tmp_path / "limits.json")
    package_sizes.LIMITS.write_text(json.dumps([{**row, "limit": "57 kB"} for row in rows]))
    assert "| `index.mjs` | immediately | 57 kB |" in package_sizes.document()
    package_sizes.LIMITS.write_text(json.dumps(rows[:1]))
    with pytest.raises(MissingLimitError, match=r"no limit for .*simd/tflite_webnn\.wasm"):
        package_sizes.document()
    package_sizes.LIMITS.write_text(json.dumps([*rows, {"path": "../build/package/new.mjs", "limit": "1 kB"}]))
    with pytest.raises(MissingLimitError, match=r"the table has no row for new\.mjs"):
        package_sizes.document()
