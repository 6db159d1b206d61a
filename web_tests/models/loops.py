"""Loops and scatters: nodes that run subgraphs."""

import numpy as np

from web_tests.models.converted import WIDTH, dense
from web_tests.models.model_writer import ModelWriter, options_object
from web_tests.models.recipes import SEED


def recurrent(rounds: int = 5, bound: int | None = None) -> bytes:
    """Return f32[rounds,16] -> 2 f32: a WHILE that writes each round's state to a row of the first output, as Keras does.

    state' = tanh(dense(state) + x[i]); the second output is the last state [1,16]. The list of states is put together
    of the rows before, the new one, and the rows after. `bound` is the condition's, if not `rounds`.
    """
    main = ModelWriter()
    shapes = {"i": (), "states": (rounds, WIDTH), "state": (1, WIDTH), "x": (rounds, WIDTH)}
    dtypes = {"i": "int32"}
    condition = main.subgraph()
    ports = [condition.tensor(name, shape, dtypes.get(name, "float32")) for name, shape in shapes.items()]
    goes_on = condition.tensor("goes_on", (), "bool")
    limit = condition.constant("limit", np.array(rounds if bound is None else bound, np.int32))
    condition.node("LESS", [ports[0], limit], [goes_on], options_object("LessOptions", {}))
    condition.end(ports, [goes_on])

    body = main.subgraph()
    i, states, state, x = (body.tensor(name, shape, dtypes.get(name, "float32")) for name, shape in shapes.items())
    one = body.constant("one", np.array(1, np.int32))
    after, row = body.tensor("next_i", (), "int32"), body.tensor("row", (WIDTH,))
    body.node("ADD", [i, one], [after], options_object("AddOptions", {}))
    body.node("GATHER", [x, i], [row], options_object("GatherOptions", {}))
    summed, next_state = body.tensor("summed", (1, WIDTH)), body.tensor("next_state", (1, WIDTH))
    body.node("ADD", [dense(body, state, 1, "product"), row], [summed], options_object("AddOptions", {}))
    body.node("TANH", [summed], [next_state])
    before_rows = _part(body, states, "before", None, i)
    after_rows = _part(body, states, "after", after, None)
    written = body.tensor("written", (rounds, WIDTH))
    parts = [before_rows, next_state, after_rows]
    body.node("CONCATENATION", parts, [written], options_object("ConcatenationOptions", {}))
    body.end([i, states, state, x], [after, written, next_state, x])

    given = main.tensor("given", (rounds, WIDTH))
    first = main.tensor("first", (rounds, WIDTH))
    main.node("ABS", [given], [first], options_object("AbsOptions", {}))
    starts = [
        main.constant("zero", np.array(0, np.int32)),
        main.constant("no_states", np.zeros((rounds, WIDTH), np.float32)),
        main.constant("no_state", np.zeros((1, WIDTH), np.float32)),
        first,
    ]
    results = [main.tensor(f"{name}_out", shape, dtypes.get(name, "float32")) for name, shape in shapes.items()]
    loop = options_object("WhileOptions", {"condSubgraphIndex": 1, "bodySubgraphIndex": 2})
    main.node("WHILE", starts, results, loop)
    same = main.tensor("same", (rounds, WIDTH))
    main.node("ADD", [results[1], results[3]], [same], options_object("AddOptions", {}))
    return main.finish([given], [same, results[2]])


def _part(body: ModelWriter, states: int, name: str, begin: int | None, size: int | None) -> int:
    """Add the rows of the states from `begin` on, or the first `size` ones."""
    starts, sizes = _vector(body, f"{name}_begin", begin, 0), _vector(body, f"{name}_size", size, -1)
    part = body.tensor(name, (1, WIDTH))
    body.open_dimensions(part, [0, 1])
    body.node("SLICE", [states, starts, sizes], [part], options_object("SliceOptions", {}))
    return part


def _vector(body: ModelWriter, name: str, value: int | None, rest: int) -> int:
    """Return int32[2]: a scalar tensor's value and a constant; twice the constant without one."""
    if value is None:
        return body.constant(name, np.array([rest] * 2, np.int32))
    row, vector = body.tensor(f"{name}_row", (1,), "int32"), body.tensor(name, (2,), "int32")
    shape = body.constant(f"{name}_shape", np.array([1], np.int32))
    body.node("RESHAPE", [value, shape], [row], options_object("ReshapeOptions", {}))
    constant = body.constant(f"{name}_rest", np.array([rest], np.int32))
    body.node("CONCATENATION", [row, constant], [vector], options_object("ConcatenationOptions", {}))
    return vector


def scatter(computation: str = "") -> bytes:
    """Return i32[6,2], f32[6,3] -> f32[4,5,3]: rows scattered over constants, by the op that combines two of them.

    Without one, the last row that names a place overwrites the others.
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
    options = options_object("StablehloScatterOptions", values)
    main.node("STABLEHLO_SCATTER", [operand, indices, updates], [y], options)
    return main.finish([indices, updates], [y])
