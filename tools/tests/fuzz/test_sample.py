"""A few hundred mutated models in the package's module: without a sanitizer, only traps and hangs show.

`python3 -m tools.fuzz` runs thousands with sanitizers.
"""

import pytest

from tools.fuzz import corpus, loop
from tools.fuzz.loop import Plan

SAMPLE_COUNT = 400
# The default of `python3 -m tools.fuzz`.
SEED = 1


@pytest.mark.needs("package")
def test_nothing_crashes_while_loading() -> None:
    plan = Plan(SEED, SAMPLE_COUNT, variant="simd", invoke=False)
    result = loop.run_batch(plan, range(SAMPLE_COUNT), corpus.collect(real_models=False))
    assert [(index, crash.signature, crash.report) for index, crash in result.crashes] == []
    assert result.counts.total() == SAMPLE_COUNT
    # The mutations are neither too mild nor too violent: each outcome occurs.
    loaded = sum(count for label, count in result.counts.items() if label.startswith("loaded"))
    assert SAMPLE_COUNT // 5 < loaded < SAMPLE_COUNT * 4 // 5
