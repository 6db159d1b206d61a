"""A few hundred mutated models in the package's module: without a sanitizer, only traps and hangs show.

`python3 -m tools.fuzz` runs thousands with sanitizers.
"""

import pytest

from tools.fuzz import corpus
from tools.fuzz.worker import Worker, node_command

SAMPLE_COUNT = 400
# The default of `python3 -m tools.fuzz`.
SEED = 1


@pytest.mark.needs("package")
def test_nothing_crashes_while_loading() -> None:
    models = corpus.collect(real_models=False)
    with Worker(node_command("simd", invoke=False)) as worker:
        outcomes = [worker.run(corpus.mutated(models, SEED, index).content) for index in range(SAMPLE_COUNT)]
    crashes = [(index, outcome.crash) for index, outcome in enumerate(outcomes) if outcome.crash]
    assert [(index, crash.signature, crash.report) for index, crash in crashes] == []
    # The mutations are neither too mild nor too violent: each outcome occurs.
    loaded = sum(outcome.kind == "loaded" for outcome in outcomes)
    assert SAMPLE_COUNT // 5 < loaded < SAMPLE_COUNT * 4 // 5
