"""gru, gruCell, lstm and lstmCell, as the specification composes them."""

import itertools
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from web_tests.models.recipes import Array
from web_tests.polyfill_cases.case import Case, Constant, Input, Tolerance, case, uniform

_TOLERANCE = Tolerance(100, 1)
_STEPS, _BATCH, _INPUT, _HIDDEN = 3, 2, 4, 3
_ACTIVATIONS: dict[str, Callable[[Array], Array]] = {
    "relu": lambda x: np.maximum(x, 0),
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "tanh": np.tanh,
}

State = tuple[Array, ...]
Parameters = Mapping[str, Array]


def _gru_step(x: Array, state: State, weights: Parameters, options: Mapping[str, Any]) -> State:
    (hidden,) = state
    order = options.get("layout", "zrn")
    activations = [_ACTIVATIONS[name] for name in options.get("activations", ("sigmoid", "tanh"))]
    inputs = dict(zip(order, np.split(x @ weights["weight"].T + weights.get("bias", 0), 3, -1), strict=True))
    matrices = dict(zip(order, np.split(weights["recurrentWeight"], 3), strict=True))
    biases = dict(zip(order, np.split(weights.get("recurrentBias", np.zeros(3 * _HIDDEN)), 3), strict=True))

    def recurrent(gate: str, by: Array) -> Array:
        return np.asarray(by @ matrices[gate].T + biases[gate])

    update = activations[0](inputs["z"] + recurrent("z", hidden))
    reset = activations[0](inputs["r"] + recurrent("r", hidden))
    after = options.get("resetAfter", True)
    candidate = reset * recurrent("n", hidden) if after else recurrent("n", reset * hidden)
    return (update * hidden + (1 - update) * activations[1](inputs["n"] + candidate),)


def _lstm_step(x: Array, state: State, weights: Parameters, options: Mapping[str, Any]) -> State:
    hidden, cell = state
    order = options.get("layout", "iofg")
    gate, fresh, out = (_ACTIVATIONS[name] for name in options.get("activations", ("sigmoid", "tanh", "tanh")))
    total = x @ weights["weight"].T + weights.get("bias", 0)
    total = total + hidden @ weights["recurrentWeight"].T + weights.get("recurrentBias", 0)
    sums = dict(zip(order, np.split(total, 4, -1), strict=True))
    peepholes = dict(zip("iof", np.split(weights.get("peepholeWeight", np.zeros(3 * _HIDDEN)), 3), strict=True))
    forget = gate(sums["f"] + peepholes["f"] * cell)
    following = forget * cell + gate(sums["i"] + peepholes["i"] * cell) * fresh(sums["g"])
    return gate(sums["o"] + peepholes["o"] * cell) * out(following), following


_STEP = {"gru": _gru_step, "lstm": _lstm_step}
_GATES = {"gru": 3, "lstm": 4}
_STATES = {"gru": ("initialHiddenState",), "lstm": ("initialHiddenState", "initialCellState")}


def _parameters(network: str, directions: int, names: tuple[str, ...]) -> dict[str, Array]:
    rows = _GATES[network] * _HIDDEN
    shapes = {
        "weight": (directions, rows, _INPUT),
        "recurrentWeight": (directions, rows, _HIDDEN),
        "bias": (directions, rows),
        "recurrentBias": (directions, rows),
        "peepholeWeight": (directions, 3 * _HIDDEN),
        **dict.fromkeys(_STATES[network], (directions, _BATCH, _HIDDEN)),
    }
    return {name: uniform(shapes[name], -1, 1, seed=seed) for seed, name in enumerate(names)}


_WEIGHTS = ("weight", "recurrentWeight")


def _network(network: str, name: str, provided: tuple[str, ...], operand: Any = Constant, **options: Any) -> Case:
    direction = options.get("direction", "forward")
    directions = 2 if direction == "both" else 1
    values = _parameters(network, directions, (*_WEIGHTS, *provided))
    x = uniform((_STEPS, _BATCH, _INPUT))
    finals, sequences = [], []
    for index in range(directions):
        own = {name: value[index].astype(np.float64) for name, value in values.items()}
        state = tuple(own.get(name, np.zeros((_BATCH, _HIDDEN))) for name in _STATES[network])
        steps = range(_STEPS)
        sequence: dict[int, Array] = {}
        for step in reversed(steps) if direction == "backward" or index == 1 else steps:
            state = _STEP[network](x[step], state, own, options)
            sequence[step] = state[0]
        finals.append(state)
        sequences.append(np.stack([sequence[step] for step in steps]))
    expected = [np.stack(states) for states in zip(*finals, strict=True)]
    if options.get("returnSequence"):
        expected.append(np.stack(sequences, 1))
    arguments = [Input(x), *(operand(values[name]) for name in _WEIGHTS), _STEPS, _HIDDEN]
    operands = {name: operand(values[name]) for name in provided}
    results = [result.astype(np.float32) for result in expected]
    return case(name, network, arguments, results, _TOLERANCE, **options, **operands)


def _cell(network: str, name: str, provided: tuple[str, ...], operand: Any = Constant, **options: Any) -> Case:
    values = {
        name: value[0] for name, value in _parameters(network, 1, (*_WEIGHTS, *_STATES[network], *provided)).items()
    }
    x = uniform((_BATCH, _INPUT))
    wide = {name: value.astype(np.float64) for name, value in values.items()}
    state = tuple(wide[name] for name in _STATES[network])
    result = _STEP[network](x, state, wide, options)
    weights = [operand(values[name]) for name in _WEIGHTS]
    arguments = [Input(x), *weights, *(Input(values[name]) for name in _STATES[network]), _HIDDEN]
    operands = {name: operand(values[name]) for name in provided}
    expected = [part.astype(np.float32) for part in result]
    outputs: Any = expected[0] if network == "gru" else expected
    return case(name, f"{network}Cell", arguments, outputs, _TOLERANCE, **options, **operands)


_BIASES = ("bias", "recurrentBias")


def _cases() -> list[Case]:
    cases = []
    layouts = {"gru": "rzn", "lstm": "ifgo"}
    others = {"gru": ["relu", "sigmoid"], "lstm": ["relu", "sigmoid", "relu"]}
    for network, build in itertools.product(("gru", "lstm"), (_network, _cell)):
        cases += [
            build(network, "plain", ()),
            build(network, "biases", _BIASES),
            build(network, "inputs", _BIASES, Input),
            build(network, "layout", _BIASES, layout=layouts[network], activations=others[network]),
        ]
        if network == "gru":
            cases.append(build(network, "reset_before", _BIASES, resetAfter=False))
            cases.append(build(network, "reset_before_inputs", _BIASES, Input, resetAfter=False, layout="rzn"))
        else:
            cases.append(build(network, "peephole", (*_BIASES, "peepholeWeight")))
    for network, direction in itertools.product(("gru", "lstm"), ("forward", "backward", "both")):
        provided = (*_BIASES, *_STATES[network])
        options = {"direction": direction, "returnSequence": True}
        cases.append(_network(network, direction, provided, **options))
        cases.append(_network(network, f"{direction}_from_zero", _BIASES, **options))
        if network == "lstm":
            cases.append(_network(network, f"{direction}_peephole", (*provided, "peepholeWeight"), **options))
    return cases


CASES = _cases()
