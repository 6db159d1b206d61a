"""Small files that say much: each is rejected before anything is built from it, with the number and the limit."""

import re
from pathlib import Path

import pytest

from wasm.toolchain.description import DescriptionError
from web_tests.malformed import repetition
from web_tests.references.described import described, rejection
from web_tests.references.golden import WEBNN

pytestmark = pytest.mark.needs("package")

# wasm/runtime/validate/budget.h.
CONTENT_PER_BYTE = 4
MAX_TABLES = 2_000_000
MAX_CALLED_PARTS = 500_000
MAX_RANK = 64
# The largest table, vector or string of these files comes on top of a limit.
LARGEST_PART_BYTES = 70_000

REPEATED: dict[str, bytes] = {
    "a node": repetition.repeated("operators", 25_000),
    "a tensor of a long name": repetition.repeated("tensors", 10_000, name_length=60_000),
    "a tensor of a long shape": repetition.repeated("tensors", 10_000, rank=10_000),
    "a subgraph of one tensor": repetition.repeated_subgraphs(600, 600),
    "an op code": repetition.repeated("operatorCodes", 100_000),
    "options of a node": repetition.repeated("operators", 10_000, boundaries=10_000),
    "a signature": repetition.repeated("signatureDefs", 10_000, name_length=60_000),
}
NAMED: dict[str, bytes] = {
    "a tensor's name, by nodes": repetition.named_by_nodes(1000, 60_000),
    "a buffer, by metadata": repetition.named_by_metadata(1000, 200_000),
}
CALLED: dict[str, bytes] = {
    "a large body, often": repetition.calls([1000, 1000]),
    "bodies in bodies": repetition.calls([10, 10, 10, 10, 10, 10]),
}


@pytest.mark.parametrize("name", REPEATED)
def test_repeated_content_is_counted_only_up_to_the_limit(name: str) -> None:
    content = REPEATED[name]
    text = rejection(content, {})
    found = re.search(r"its first \d+ tables have (\d+) bytes; a file of (\d+) bytes may have (\d+),", text)
    assert found, text
    counted, size, limit = map(int, found.groups())
    assert (size, limit) == (len(content), CONTENT_PER_BYTE * len(content))
    assert limit < counted <= limit + LARGEST_PART_BYTES


def test_tables_are_verified_only_up_to_the_limit() -> None:
    text = rejection(repetition.repeated("operatorCodes", MAX_TABLES + 1), {})
    assert f"names more than {MAX_TABLES} tables" in text


@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("options", [WEBNN, {}], ids=["webnn", "cpu"])
def test_content_that_indices_repeat_is_counted_only_up_to_the_limit(name: str, options: dict[str, str]) -> None:
    content = NAMED[name]
    text = rejection(content, options)
    found = re.search(r"name (\d+) bytes of names, shapes, .* a file of its size may name (\d+)", text)
    assert found, text
    counted, limit = map(int, found.groups())
    assert counted > limit == CONTENT_PER_BYTE * len(content)


@pytest.mark.parametrize("name", CALLED)
@pytest.mark.parametrize("options", [WEBNN, {}], ids=["webnn", "cpu"])
def test_calls_are_counted_only_up_to_the_limit(name: str, options: dict[str, str]) -> None:
    text = rejection(CALLED[name], options)
    found = re.search(r"calls so far prepare (\d+) nodes and tensors; at most (\d+) can be", text)
    assert found, text
    counted, limit = map(int, found.groups())
    assert limit == MAX_CALLED_PARTS < counted <= 2 * MAX_CALLED_PARTS


def test_the_branches_of_cases_are_not_multiplied() -> None:
    """The walk of the calls would have two hundred million steps, and a list of as many entries."""
    text = rejection(repetition.cases(20_000, 9_000), {})
    assert "has 1 branches; its kernel calls all 9000 subgraphs" in text


def test_a_subgraph_may_not_be_there_many_times() -> None:
    text = rejection(repetition.calls([0] * 10_001), {})
    assert "it has 10001 subgraphs; at most 10000 can be" in text


@pytest.mark.parametrize("count", [1000, 1001])
def test_more_than_1000_signatures_are_rejected(count: int) -> None:
    """Each is looked for among all: 24,000 of 2 MB took 20 s."""
    content = repetition.signatures(count)
    if count > 1000:
        assert "it has 1001 signatures; at most 1000 can be" in rejection(content, {})
    else:
        assert len(described(content, {})["signatures"]) == count


@pytest.mark.parametrize(("rank", "is_rejected"), [(MAX_RANK, False), (MAX_RANK + 1, True)])
def test_a_shape_of_too_many_dimensions_is_rejected(rank: int, is_rejected: bool) -> None:
    content = repetition.repeated("tensors", 0, rank=rank)
    if is_rejected:
        assert f"has {rank} dimensions; at most {MAX_RANK} can be" in rejection(content, {})
    else:
        described(content, {})


def test_an_input_may_not_get_a_shape_of_a_million_dimensions(tmp_path: Path) -> None:
    with pytest.raises(DescriptionError, match="a shape of 1000000 dimensions; at most 64 can be") as caught:
        described(repetition.chain(1), {"input_shapes": f"@{shape_file(tmp_path)}"})
    assert caught.value.code == "INVALID_OPTION"


def shape_file(directory: Path) -> Path:
    path = directory / "shape.txt"
    path.write_text(",".join(["1"] * 1_000_000))
    return path


def test_a_description_longer_than_a_javascript_string_is_an_error() -> None:
    """Each control character needs six bytes, and each name is there several times."""
    content = repetition.chain(1, name_length=8_000_000).replace(b"n" * 1000, b"\1" * 1000)
    text = rejection(content, {})
    assert "they take more than 134217728 bytes" in text


@pytest.mark.parametrize("options", [WEBNN, {}], ids=["webnn", "cpu"])
@pytest.mark.parametrize(
    "content",
    [repetition.chain(10_000), repetition.chain(500, name_length=2_000), repetition.calls([50, 20])],
    ids=["many nodes", "long names", "calls"],
)
def test_files_below_the_limits_are_accepted(content: bytes, options: dict[str, str]) -> None:
    assert described(content, options)["nodes"]
