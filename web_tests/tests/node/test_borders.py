"""The runner refuses exactly the border models that native LiteRT refuses or crashes on."""

import pytest

from web_tests.drivers.harness import LoadOptions, ModelError, PageHarness
from web_tests.models.border import Border
from web_tests.models.border_models import all_borders
from web_tests.references import native_trials
from web_tests.references.native_trials import Outcome, Trial

pytestmark = pytest.mark.needs("package")

BORDERS = {border.name: border for border in all_borders()}
CPU = LoadOptions(webnn=False)


@pytest.fixture(scope="module")
def native() -> dict[str, Outcome]:
    """Native LiteRT's outcome for each model."""
    found = native_trials.outcomes([Trial(border.model(), border.model_inputs()) for border in BORDERS.values()])
    return dict(zip(BORDERS, found, strict=True))


def test_names_are_unique() -> None:
    assert len(BORDERS) == len(all_borders())


@pytest.mark.parametrize("border", BORDERS.values(), ids=BORDERS)
def test_native_litert_draws_the_border_there(border: Border, native: dict[str, Outcome]) -> None:
    runs = native[border.name].outputs is not None
    assert runs == (not border.refused or bool(border.undefined)), native[border.name].problem


@pytest.mark.parametrize("border", BORDERS.values(), ids=BORDERS)
def test_the_module_refuses_or_answers_as_native(
    border: Border, native: dict[str, Outcome], harness: PageHarness
) -> None:
    content, inputs = border.model(), border.model_inputs()
    if border.refused:
        with pytest.raises(ModelError) as caught:
            harness.load(content, CPU).run(inputs)
        assert caught.value.code != "WASM_TRAP", caught.value
        return
    found = harness.load(content, CPU).run(inputs)
    if border.undefined:
        return
    for one, other in zip(found, native[border.name].outputs or [], strict=True):
        assert one.tobytes() == other.tobytes(), (one, other)
