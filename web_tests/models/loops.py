"""Loops and scatters: nodes that run subgraphs."""

import numpy as np

from web_tests.models.converted import WIDTH, dense
from web_tests.models.model_writer import ModelWriter
from web_tests.models.recipes import SEED


def recurrent(iterations: int = 5, bound: int | None = None) -> bytes:
    """Return f32[iterations,16] -> 2 f32: a WHILE that writes each iteration's state to a row of a list, as Keras does.

    state' = tanh(dense(state) + x[i]). The outputs are the list plus x, and the last state [1,16]. The list is put
    together of the rows before, the new one, and the rows after. `bound` is the condition's, if not `iterations`.
    """
    main = ModelWriter()
    _condition(main.subgraph(), iterations, iterations if bound is None else bound)
    _body(main.subgraph(), iterations)
    provided, first = main.tensor("provided", (iterations, WIDTH)), main.tensor("first", (iterations, WIDTH))
    main.node("ABS", [provided], [first])
    starts = [
        main.constant("zero", np.array(0, np.int32)),
        main.constant("no_states", np.zeros((iterations, WIDTH), np.float32)),
        main.constant("no_state", np.zeros((1, WIDTH), np.float32)),
        first,
    ]
    results = _loop_tensors(main, iterations, "_out")
    loop = {"condSubgraphIndex": 1, "bodySubgraphIndex": 2}
    main.node("WHILE", starts, results, loop)
    same = main.tensor("same", (iterations, WIDTH))
    main.node("ADD", [results[1], results[3]], [same])
    return main.finish([provided], [same, results[2]])


def _loop_tensors(writer: ModelWriter, iterations: int, suffix: str = "") -> list[int]:
    """Add what an iteration passes to the next: its number, the list of states, the state, x."""
    return [
        writer.tensor(f"i{suffix}", (), "int32"),
        writer.tensor(f"states{suffix}", (iterations, WIDTH)),
        writer.tensor(f"state{suffix}", (1, WIDTH)),
        writer.tensor(f"x{suffix}", (iterations, WIDTH)),
    ]


def _condition(writer: ModelWriter, iterations: int, bound: int) -> None:
    tensors = _loop_tensors(writer, iterations)
    goes_on = writer.tensor("goes_on", (), "bool")
    limit = writer.constant("limit", np.array(bound, np.int32))
    writer.node("LESS", [tensors[0], limit], [goes_on])
    writer.end(tensors, [goes_on])


def _body(body: ModelWriter, iterations: int) -> None:
    i, states, state, x = tensors = _loop_tensors(body, iterations)
    one = body.constant("one", np.array(1, np.int32))
    after, row = body.tensor("next_i", (), "int32"), body.tensor("row", (WIDTH,))
    body.node("ADD", [i, one], [after])
    body.node("GATHER", [x, i], [row])
    summed, next_state = body.tensor("summed", (1, WIDTH)), body.tensor("next_state", (1, WIDTH))
    body.node("ADD", [dense(body, state, 1, "product"), row], [summed])
    body.node("TANH", [summed], [next_state])
    parts = [_part(body, states, "before", None, i), next_state, _part(body, states, "after", after, None)]
    written = body.tensor("written", (iterations, WIDTH))
    body.node("CONCATENATION", parts, [written])
    body.end(tensors, [after, written, next_state, x])


def _part(body: ModelWriter, states: int, name: str, begin: int | None, size: int | None) -> int:
    """Add the rows of the states from `begin` on, or the first `size` ones."""
    starts, sizes = _vector(body, f"{name}_begin", begin, 0), _vector(body, f"{name}_size", size, -1)
    part = body.tensor(name, (1, WIDTH))
    body.open_dimensions(part, [0, 1])
    body.node("SLICE", [states, starts, sizes], [part])
    return part


def _vector(body: ModelWriter, name: str, value: int | None, remainder: int) -> int:
    """Return int32[2]: a scalar tensor's value and a constant; twice the constant without one."""
    if value is None:
        return body.constant(name, np.array([remainder] * 2, np.int32))
    row, vector = body.tensor(f"{name}_row", (1,), "int32"), body.tensor(name, (2,), "int32")
    shape = body.constant(f"{name}_shape", np.array([1], np.int32))
    body.node("RESHAPE", [value, shape], [row])
    constant = body.constant(f"{name}_remainder", np.array([remainder], np.int32))
    body.node("CONCATENATION", [row, constant], [vector])
    return vector


def scatter(computation: str = "") -> bytes:
    """Return i32[6,2], f32[6,3] -> f32[4,5,3]: rows scattered over constants, by the op that combines two of them.

    Without one, the last row that names a position overwrites the others.
    """
    main = ModelWriter()
    body = main.subgraph()
    old, new = body.tensor("old", ()), body.tensor("new", ())
    result = new
    if computation:
        result = body.tensor("result", ())
        body.node(computation, [old, new], [result])
    body.end([old, new], [result])
    random = np.random.default_rng(SEED)
    operand = main.constant("operand", random.normal(size=(4, 5, 3)).astype(np.float32))
    indices, updates = main.tensor("indices", (6, 2), "int32"), main.tensor("updates", (6, 3))
    y = main.tensor("y", (4, 5, 3))
    values = {
        "updateWindowDims": [1],
        "insertedWindowDims": [0, 1],
        "scatterDimsToOperandDims": [0, 1],
        "indexVectorDim": 1,
        "updateComputationSubgraphIndex": 1,
    }
    options = values
    main.node("STABLEHLO_SCATTER", [operand, indices, updates], [y], options)
    return main.finish([indices, updates], [y])


def random_walk() -> bytes:
    """Return f(x) = x and three draws of one RANDOM_UNIFORM, which a loop adds."""
    main = ModelWriter()
    condition, body = main.subgraph(), main.subgraph()
    i, value, limit = condition.tensor("i", (), "int32"), condition.tensor("value", (2,)), np.array(3, np.int32)
    goes_on = condition.tensor("goes_on", (), "bool")
    condition.node("LESS", [i, condition.constant("limit", limit)], [goes_on])
    condition.end([i, value], [goes_on])
    i, value, following = body.tensor("i", (), "int32"), body.tensor("value", (2,)), body.tensor("next", (), "int32")
    draw, total = body.tensor("draw", (2,)), body.tensor("total", (2,))
    one, shape = body.constant("one", np.array(1, np.int32)), body.constant("shape", np.array([2], np.int32))
    body.node("ADD", [i, one], [following])
    body.node("RANDOM_UNIFORM", [shape], [draw], {"seed": 7, "seed2": 9})
    body.node("ADD", [value, draw], [total])
    body.end([i, value], [following, total])
    x, start = main.tensor("x", (2,)), main.constant("start", np.array(0, np.int32))
    count, y = main.tensor("count", (), "int32"), main.tensor("y", (2,))
    loop = {"condSubgraphIndex": 1, "bodySubgraphIndex": 2}
    main.node("WHILE", [start, x], [count, y], loop)
    return main.finish([x], [y])
