"""Ids that are inputs, on WebNN: one that a table lacks is an error, also where the table is computed."""

from pathlib import Path

import numpy as np
import pytest

from support.npm import find_node
from web_tests.drivers.harness import CPU, POLYFILL, LoadOptions, ModelError, PageHarness
from web_tests.models.model_writer import ModelWriter
from web_tests.models.one_node import one_node
from web_tests.tests.node.programs import call_in_node

pytestmark = pytest.mark.needs("package")

X = np.arange(12, dtype=np.float32).reshape(4, 3)


def lookup() -> bytes:
    """Return f(x, ids) = gather(-x, ids)."""
    writer = ModelWriter()
    x, ids = writer.tensor("x", X.shape, "float32"), writer.tensor("ids", (2,), "int32")
    table, rows = writer.tensor("table", X.shape, "float32"), writer.tensor("rows", (2, 3), "float32")
    writer.node("NEG", [x], [table])
    writer.node("GATHER", [table, ids], [rows])
    return writer.finish([x, ids], [rows])


def test_ids_of_a_computed_table_are_checked(harness: PageHarness) -> None:
    model = harness.load(lookup(), POLYFILL)
    (rows,) = model.run([X, np.array([3, 0], np.int32)])
    np.testing.assert_array_equal(rows, -X[[3, 0]])
    with pytest.raises(
        ModelError, match="Input ids has the id 4 at position 1: the model's table has those from 0 to 3"
    ):
        model.run([X, np.array([0, 4], np.int32)])


def test_ids_of_streams_and_dispatches_are_checked(tmp_path: Path) -> None:
    file = tmp_path / "lookup.tflite"
    file.write_bytes(lookup())
    assert call_in_node(str(find_node()), "lookups", "errorCodes", file) == ["INPUT_VALUE"] * 3


@pytest.mark.parametrize("options", [CPU, POLYFILL], ids=["cpu", "webnn"])
@pytest.mark.parametrize("resized", [False, True])
def test_ids_of_a_table_without_rows_are_an_error(harness: PageHarness, options: LoadOptions, *, resized: bool) -> None:
    """Native LiteRT leaves the result unwritten."""
    inputs = ((2,), "int32"), ((4 if resized else 0, 3),)
    model = harness.load(one_node("EMBEDDING_LOOKUP", inputs, ((2, 3),)), options)
    if resized:
        model.resize([[2], [0, 3]])
    empty = np.zeros((0, 3), np.float32)
    with pytest.raises(ModelError, match="An id is outside of a table without rows"):
        model.run([np.array([0, 1], np.int32), empty])
    model.resize([[0], [0, 3]])
    (found,) = model.run([np.zeros(0, np.int32), empty])
    assert found.shape == (0, 3)
