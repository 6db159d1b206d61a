"""Consistency of models.toml, tolerances.toml and the op cases."""

import re

import pytest

from web_tests.models import package_assets
from web_tests.models.catalogue import all_models, demo_models, generated_models
from web_tests.models.recipes import ImageInput
from web_tests.op_cases import all_cases, case_id
from web_tests.references import comparison


def test_every_row_names_a_pinned_package_and_a_hash() -> None:
    table = package_assets.table()
    for row in [*table["models"].values(), *table["images"].values()]:
        assert row["package"] in table["packages"]
        assert re.fullmatch(r"[0-9a-f]{64}", row["sha256"])
    for package in table["packages"].values():
        assert package["registry"] in package_assets.FETCHERS


def test_every_image_is_one_of_the_table() -> None:
    models = [*all_models().values(), *generated_models().values()]
    used = {model.input.image for model in models if isinstance(model.input, ImageInput)}
    assert used <= set(package_assets.table()["images"])


def test_the_demo_shows_six_models() -> None:
    assert [model.name for model in demo_models()] == [
        "deeplabv3_257",
        "selfie_segmentation",
        "face_detection_short_range",
        "face_landmark_f32",
        "hand_landmark_lite",
        "pose_landmark_lite",
    ]


def test_op_cases_have_different_names() -> None:
    names = [case_id(case) for case in all_cases()]
    assert len(names) == len(set(names)) > 300


@pytest.mark.parametrize("table", ["webnn", "cpu", "quantized", "ops", "quantized_ops"])
def test_every_table_of_tolerances_has_a_default_with_a_reason(table: comparison.Table) -> None:
    row = comparison.tolerance(table, "no such row")
    assert row.why
    assert row.relative_to_range > 0 or row.steps > 0


def test_tolerances_are_for_models_and_ops_that_exist() -> None:
    known = {"default", *all_models(), *generated_models(), *(case.op for case in all_cases())}
    for name, table in comparison.all_rows().items():
        if name != "properties":
            assert set(table) <= known


def test_tolerances_of_random_nodes_are_for_kinds_ops_and_executions_that_exist() -> None:
    """[OP_]KIND[_on_EXECUTION], see the head of the table."""
    ops = {case.op for case in all_cases()}
    for row in comparison.all_rows()["properties"]:
        what, _, execution = row.partition("_on_")
        op, kind = next(((op, what.removeprefix(f"{op}_")) for op in ops if what.startswith(f"{op}_")), ("", what))
        assert kind in {"default", "quantized", "int16", "hybrid", "compared", *ops}, (row, op)
        assert execution in {"", "cpu", "webnn", "polyfill"}, row
