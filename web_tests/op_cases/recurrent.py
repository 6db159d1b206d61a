"""LSTMs and simple RNNs: each run continues from the state of the previous one."""

from collections.abc import Iterator
from typing import Any

from web_tests.op_cases.case import Input, OpCase, Operand, State, Weights

RELU, RELU6, TANH = 1, 3, 4
BATCH, FEATURES, UNITS, PROJECTED = 2, 4, 5, 3


def cases() -> Iterator[OpCase]:
    yield from _sequence_lstm()
    yield from _lstm()
    yield from _rnn()


def _weights(*shape: int) -> Weights:
    return Weights(shape, -0.7, 0.7)


def _lstm_operands(
    data: Input,
    *,
    cifg: bool = False,
    peephole: bool = False,
    projection: bool = False,
    normalized: bool = False,
    half_state: bool = False,
) -> tuple[Operand, ...]:
    """Return the 24 inputs in TFLite's order; gates are input, forget, cell, output."""
    outputs = PROJECTED if projection else UNITS

    def gates(count: int, *shape: int) -> list[Operand]:
        return [_weights(*shape) for _ in range(count)]

    first: list[Operand] = [None] if cifg else gates(1, UNITS, FEATURES)
    first_recurrent: list[Operand] = [None] if cifg else gates(1, UNITS, outputs)
    first_bias: list[Operand] = [None] if cifg else gates(1, UNITS)
    peepholes: list[Operand] = [None if cifg else _weights(UNITS), *gates(2, UNITS)] if peephole else [None] * 3
    projected: list[Operand] = [_weights(PROJECTED, UNITS), _weights(PROJECTED)] if projection else [None] * 2
    norms: list[Operand] = gates(4, UNITS) if normalized else [None] * 4
    return (
        data,
        *first, *gates(3, UNITS, FEATURES),
        *first_recurrent, *gates(3, UNITS, outputs),
        *peepholes,
        *first_bias, *gates(3, UNITS),
        *projected,
        State((BATCH, outputs), half_state), State((BATCH, UNITS), half_state),
        *norms,
    )  # fmt: skip


def _sequence_lstm() -> Iterator[OpCase]:
    def case(name: str, shape: tuple[int, ...], options: dict[str, Any], *, reason: str = "", **parts: bool) -> OpCase:
        values = {"fusedActivationFunction": TANH, "timeMajor": True} | options
        operands = _lstm_operands(Input(shape), **parts)
        return OpCase(name, "UNIDIRECTIONAL_SEQUENCE_LSTM", operands, values, cpu_reason=reason)

    steps = (3, BATCH, FEATURES)
    yield case("time_major", steps, {})
    yield case("batch_major", (BATCH, 4, FEATURES), {"timeMajor": False})
    yield case("one_step", (1, BATCH, FEATURES), {})
    yield case("cifg", steps, {}, cifg=True)
    yield case("peephole", steps, {}, peephole=True)
    yield case("cifg_peephole", steps, {"cellClip": 0.3}, cifg=True, peephole=True)
    yield case("projection", steps, {"projClip": 0.2}, projection=True)
    yield case("relu", steps, {"fusedActivationFunction": RELU})
    yield case("normalized", steps, {}, reason="layer normalization", normalized=True)
    yield case("half_state", steps, {}, reason="must be the state", half_state=True)
    yield case("long", (65, BATCH, FEATURES), {}, reason="65 steps")


def _lstm() -> Iterator[OpCase]:
    for name, parts in {"plain": {}, "cifg": {"cifg": True}, "peephole": {"peephole": True}}.items():
        operands = _lstm_operands(Input((BATCH, FEATURES)), **parts)
        options = {"fusedActivationFunction": TANH, "cellClip": 0.5}
        yield OpCase(name, "LSTM", operands, options)
    operands = _lstm_operands(Input((BATCH, FEATURES)), projection=True)
    options = {"fusedActivationFunction": TANH, "projClip": 0.2}
    yield OpCase("projection", "LSTM", operands, options)


def _rnn() -> Iterator[OpCase]:
    def operands(shape: tuple[int, ...]) -> tuple[Operand, ...]:
        return Input(shape), _weights(UNITS, FEATURES), _weights(UNITS, UNITS), _weights(UNITS), State((BATCH, UNITS))

    for name, activation in {"none": 0, "relu": RELU, "relu6": RELU6, "tanh": TANH}.items():
        options = {"fusedActivationFunction": activation}
        yield OpCase(name, "RNN", operands((BATCH, FEATURES)), options)
        for time_major, shape in {True: (3, BATCH, FEATURES), False: (BATCH, 3, FEATURES)}.items():
            yield OpCase(
                f"{name}_{'time' if time_major else 'batch'}_major",
                "UNIDIRECTIONAL_SEQUENCE_RNN",
                operands(shape),
                options | {"timeMajor": time_major},
            )
