"""The runner rejects exactly the boundary models that native LiteRT rejects or crashes on."""

import pytest

from web_tests.drivers.harness import CPU, ModelError, PageHarness
from web_tests.malformed.boundary import Boundary
from web_tests.malformed.boundary_nodes import all_boundaries
from web_tests.references import native_trials
from web_tests.references.native_trials import Outcome, Trial

pytestmark = pytest.mark.needs("package")

BOUNDARIES = {boundary.name: boundary for boundary in all_boundaries()}


@pytest.fixture(scope="module")
def native() -> dict[str, Outcome]:
    """Native LiteRT's outcome for each model."""
    found = native_trials.outcomes(
        [Trial(boundary.case.model(), boundary.case.inputs()) for boundary in BOUNDARIES.values()]
    )
    return dict(zip(BOUNDARIES, found, strict=True))


def test_no_two_boundaries_have_one_name() -> None:
    assert len(BOUNDARIES) == len(all_boundaries())


@pytest.mark.parametrize("boundary", BOUNDARIES.values(), ids=BOUNDARIES)
def test_native_litert_draws_the_boundary_there(boundary: Boundary, native: dict[str, Outcome]) -> None:
    runs = native[boundary.name].outputs is not None
    assert runs == (not boundary.rejected or bool(boundary.undefined)), native[boundary.name].problem


@pytest.mark.parametrize("boundary", BOUNDARIES.values(), ids=BOUNDARIES)
def test_the_module_rejects_or_matches_native(
    boundary: Boundary, native: dict[str, Outcome], harness: PageHarness
) -> None:
    content, inputs = boundary.case.model(), boundary.case.inputs()
    if boundary.rejected:
        with pytest.raises(ModelError) as caught:
            harness.load(content, CPU).run(inputs)
        assert caught.value.code != "WASM_TRAP", caught.value
        return
    found = harness.load(content, CPU).run(inputs)
    if boundary.undefined:
        return
    for one, other in zip(found, native[boundary.name].outputs or [], strict=True):
        assert one.tobytes() == other.tobytes(), (one, other)
