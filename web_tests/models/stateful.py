"""Small models with control flow, state, several signatures, or strings."""

import numpy as np

from web_tests.models.model_writer import ModelWriter

SHAPE = (4,)
VARIABLE = {"container": "", "sharedName": "sum"}
LESS_THAN = 20.0


def counter(ones_shape: tuple[int, ...] = SHAPE, dtype: str = "float32") -> bytes:
    """Return a model with a resource variable and two signatures.

    - `add`, the main subgraph: adds x to the variable, which CALL_ONCE sets to one, and returns the sine of the sum.
    - `peek`, another subgraph: returns the variable times `factor`.

    Another shape of the ones makes the model wrong.
    """
    main = ModelWriter()
    init = main.subgraph()
    ones = init.constant("ones", np.ones(ones_shape, dtype))
    init.node("ASSIGN_VARIABLE", [add_variable(init), ones], [])
    init.end([], [])

    peek = main.subgraph()
    factor, value, product = (peek.tensor(name, SHAPE, dtype) for name in ("factor", "value", "product"))
    peek.node("READ_VARIABLE", [add_variable(peek)], [value])
    peek.node("MUL", [value, factor], [product])
    peek.end([factor], [product], signature="peek")

    x, old, new, y = (main.tensor(name, SHAPE, dtype) for name in ("x", "old", "new", "y"))
    main.node("CALL_ONCE", [], [], {"initSubgraphIndex": 1})
    variable = add_variable(main)
    main.node("READ_VARIABLE", [variable], [old])
    main.node("ADD", [old, x], [new])
    main.node("ASSIGN_VARIABLE", [variable, new], [])
    main.node("SIN", [new], [y])
    return main.finish([x], [y], signature="add")


def late_initialization() -> bytes:
    """Return f(x) = sin(variable): x is assigned to it before CALL_ONCE, in the first run, sets it to one."""
    main = ModelWriter()
    init = main.subgraph()
    ones = init.constant("ones", np.ones(SHAPE, np.float32))
    init.node("ASSIGN_VARIABLE", [add_variable(init), ones], [])
    init.end([], [])
    x, value, y = (main.tensor(name, SHAPE) for name in ("x", "value", "y"))
    variable = add_variable(main)
    main.node("ASSIGN_VARIABLE", [variable, x], [])
    main.node("CALL_ONCE", [], [], {"initSubgraphIndex": 1})
    main.node("READ_VARIABLE", [variable], [value])
    main.node("SIN", [value], [y])
    return main.finish([x], [y])


def add_variable(writer: ModelWriter) -> int:
    """Add a handle of the variable."""
    handle = writer.tensor("handle", (1,), "resource")
    writer.node("VAR_HANDLE", [], [handle], VARIABLE)
    return handle


def doubling_loop() -> bytes:
    """Return f(x) = sin(x doubled until its sum reaches 20) + x: SIN and ADD next to a WHILE."""
    main = ModelWriter()
    condition = main.subgraph()
    value, total = condition.tensor("value", SHAPE), condition.tensor("total", ())
    axes = condition.constant("axes", np.array([0], np.int32))
    limit = condition.constant("limit", np.array(LESS_THAN, np.float32))
    is_less = condition.tensor("is_less", (), "bool")
    condition.node("SUM", [value, axes], [total], {"keepDims": False})
    condition.node("LESS", [total, limit], [is_less])
    condition.end([value], [is_less])

    body = main.subgraph()
    before, after = body.tensor("before", SHAPE), body.tensor("after", SHAPE)
    body.node("ADD", [before, before], [after])
    body.end([before], [after])

    x, doubled, sine, y = (main.tensor(name, SHAPE) for name in ("x", "doubled", "sine", "y"))
    loop = {"condSubgraphIndex": 1, "bodySubgraphIndex": 2}
    main.node("WHILE", [x], [doubled], loop)
    main.node("SIN", [doubled], [sine])
    main.node("ADD", [sine, x], [y])
    return main.finish([x], [y])


def branch() -> bytes:
    """Return f(c, x) = sin(c ? x + x : x * x)."""
    main = ModelWriter()
    for op in ("ADD", "MUL"):
        writer = main.subgraph()
        value, result = writer.tensor("value", SHAPE), writer.tensor("result", SHAPE)
        writer.node(op, [value, value], [result])
        writer.end([value], [result])
    chosen = main.tensor("c", (1,), "bool")
    x, taken, y = (main.tensor(name, SHAPE) for name in ("x", "taken", "y"))
    branches = {"thenSubgraphIndex": 1, "elseSubgraphIndex": 2}
    main.node("IF", [chosen, x], [taken], branches)
    main.node("SIN", [taken], [y])
    return main.finish([chosen, x], [y])


def string_picker() -> bytes:
    """Return a model that picks strings: (texts string[3], which int32[2]) -> string[2]."""
    writer = ModelWriter()
    texts, which = writer.tensor("texts", (3,), "string"), writer.tensor("which", (2,), "int32")
    picked = writer.tensor("picked", (2,), "string")
    writer.node("GATHER", [texts, which], [picked], {"axis": 0}, version=2)
    return writer.finish([texts, which], [picked])


def dynamic_batch() -> bytes:
    """Return sin(x) + x over f32[-1, 3]; the file declares one row."""
    writer = ModelWriter()
    x, sine, y = (writer.tensor(name, (1, 3)) for name in ("x", "sine", "y"))
    writer.node("SIN", [x], [sine])
    writer.node("ADD", [sine, x], [y])
    return writer.finish([x], [y])
