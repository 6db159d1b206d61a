"""LSTMs, simple RNNs and SVDF: a second run continues from the state of the first."""

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from web_tests.properties.families.common import SEEDS, Strategy
from web_tests.properties.spec import Fill, NodeSpec, Operand

RELU, RELU6, TANH = 1, 3, 4
# Bounds of weights and data; states of a bounded activation are within 1.
WEIGHT, DATA, STATE = 0.7, 2.0, 1.0


def _weights(draw: DrawFn, *shape: int) -> Operand:
    return Operand(shape, Fill("uniform", -WEIGHT, WEIGHT, draw(SEEDS)), role="constant")


def _state(*shape: int) -> Operand:
    return Operand(shape, Fill("integer", 0, 1, 0), role="state")


def _data(draw: DrawFn, *shape: int) -> Operand:
    return Operand(shape, Fill("uniform", -DATA, DATA, draw(SEEDS)))


def _magnitude(features: int, states: int, steps: int = 1) -> float:
    """Return the magnitude of the terms in the sums of weighted features, states and a bias, over the steps."""
    return steps * WEIGHT * (features * DATA + states * STATE + 1)


@st.composite
def lstm(draw: DrawFn, op: str) -> NodeSpec:
    """Draw an LSTM's step, or a sequence of them, with any of its parts."""
    batch, features, units = (draw(st.integers(1, 4)) for _ in range(3))
    is_coupled, has_peepholes, has_projection = (draw(st.booleans()) for _ in range(3))
    has_norms = draw(st.integers(0, 3)) == 3
    outputs = draw(st.integers(1, 4)) if has_projection else units
    skipped = 1 if is_coupled else 0

    def gates(*shape: int) -> list[Operand | None]:
        return [None] * skipped + [_weights(draw, *shape) for _ in range(4 - skipped)]

    peepholes: list[Operand | None] = [None] * 3
    if has_peepholes:
        peepholes[skipped:] = [_weights(draw, units) for _ in range(3 - skipped)]
    projection: list[Operand | None] = [None, None]
    if has_projection:
        projection = [_weights(draw, outputs, units), _weights(draw, outputs) if draw(st.booleans()) else None]
    time_major, steps = draw(st.booleans()), draw(st.integers(1, 4))
    shape: tuple[int, ...] = (batch, features)
    if op != "LSTM":
        shape = (steps, batch, features) if time_major else (batch, steps, features)
    parts = (
        _data(draw, *shape),
        *gates(units, features),
        *gates(units, outputs),
        *peepholes,
        *gates(units),
        *projection,
        _state(batch, outputs),
        _state(batch, units),
        *(gates(units) if has_norms else [None] * 4),
    )
    options = (
        ("fusedActivationFunction", draw(st.sampled_from((TANH, TANH, RELU, RELU6, 0)))),
        ("cellClip", draw(st.sampled_from((0.0, 0.0, 0.3, 1.0)))),
        ("projClip", draw(st.sampled_from((0.0, 0.2))) if has_projection else 0.0),
    )
    # States: of the last outputs, by peepholes of the cell, and by the projection of the cells.
    states = outputs + has_peepholes + has_projection * units
    if op == "LSTM":
        magnitude = _magnitude(features, states)
        return NodeSpec(op, parts, options=options, magnitude=magnitude)
    magnitude = _magnitude(features, states, steps)
    timed = (*options, ("timeMajor", time_major))
    return NodeSpec(op, parts, options=timed, magnitude=magnitude)


@st.composite
def rnn(draw: DrawFn, op: str) -> NodeSpec:
    """Draw an RNN's step, or a sequence of them."""
    batch, features, units = (draw(st.integers(1, 4)) for _ in range(3))
    time_major, steps = draw(st.booleans()), draw(st.integers(1, 4))
    shape: tuple[int, ...] = (batch, features)
    if op != "RNN":
        shape = (steps, batch, features) if time_major else (batch, steps, features)
    parts = (
        _data(draw, *shape),
        _weights(draw, units, features),
        _weights(draw, units, units),
        _weights(draw, units),
        _state(batch, units),
    )
    activation = ("fusedActivationFunction", draw(st.sampled_from((0, RELU, RELU6, TANH))))
    if op == "RNN":
        magnitude = _magnitude(features, units)
        return NodeSpec(op, parts, options=(activation,), magnitude=magnitude)
    timed, magnitude = (activation, ("timeMajor", time_major)), _magnitude(features, units, steps)
    return NodeSpec(op, parts, options=timed, magnitude=magnitude)


@st.composite
def svdf(draw: DrawFn) -> NodeSpec:
    """Draw an SVDF of float32."""
    batch, features, units, rank, memory = (draw(st.integers(1, 4)) for _ in range(5))
    filters = units * rank
    parts = (
        _data(draw, batch, features),
        _weights(draw, filters, features),
        _weights(draw, filters, memory),
        _weights(draw, units) if draw(st.booleans()) else None,
        _state(batch, memory * filters),
    )
    options = (("rank", rank), ("fusedActivationFunction", draw(st.sampled_from((0, RELU)))))
    magnitude = WEIGHT * rank * memory * _magnitude(features, 0)
    return NodeSpec("SVDF", parts, options=options, magnitude=magnitude)


STRATEGIES: dict[str, Strategy] = {
    "LSTM": lstm("LSTM"),
    "UNIDIRECTIONAL_SEQUENCE_LSTM": lstm("UNIDIRECTIONAL_SEQUENCE_LSTM"),
    "RNN": rnn("RNN"),
    "UNIDIRECTIONAL_SEQUENCE_RNN": rnn("UNIDIRECTIONAL_SEQUENCE_RNN"),
    "SVDF": svdf(),
}
