"""Ids that are inputs, on WebNN: one that a table lacks is an error, also where the table is computed."""

import numpy as np
import pytest

from web_tests.drivers.harness import LoadOptions, ModelError, PageHarness
from web_tests.models.model_writer import ModelWriter, options_object

WEBNN = LoadOptions(webnn_options={"polyfill": "tflite", "ignorePartitionCost": True})
X = np.arange(12, dtype=np.float32).reshape(4, 3)


def lookup() -> bytes:
    """Return f(x, ids) = gather(-x, ids)."""
    writer = ModelWriter()
    x, ids = writer.tensor("x", X.shape, "float32"), writer.tensor("ids", (2,), "int32")
    table, rows = writer.tensor("table", X.shape, "float32"), writer.tensor("rows", (2, 3), "float32")
    writer.node("NEG", [x], [table], options_object("NegOptions", {}))
    writer.node("GATHER", [table, ids], [rows], options_object("GatherOptions", {}))
    return writer.finish([x, ids], [rows])


def test_ids_of_a_computed_table_are_checked(harness: PageHarness) -> None:
    model = harness.load(lookup(), WEBNN)
    (rows,) = model.run([X, np.array([3, 0], np.int32)])
    np.testing.assert_array_equal(rows, -X[[3, 0]])
    with pytest.raises(
        ModelError, match="Input ids has the id 4 at position 1: the model's table has those from 0 to 3"
    ):
        model.run([X, np.array([0, 4], np.int32)])
