"""Unary and binary elementwise ops, and all activation functions."""

from collections.abc import Iterator

from web_tests.op_cases.case import Again, Input, OpCase, Weights

SHAPE = (1, 5, 6, 3)
# The schema also has TANH and SIGN_BIT, which TFLite's kernels silently ignore.
FUSED_ACTIVATIONS = {"relu": 1, "relu_n1_to_1": 2, "relu6": 3}

# Op, and the inputs' range: inside the domain, without ties of rounding.
UNARY = (
    ("ABS", -3.0, 3.0),
    ("CEIL", -3.0, 3.0),
    ("COS", -6.0, 6.0),
    ("ELU", -3.0, 3.0),
    ("EXP", -4.0, 4.0),
    ("FLOOR", -3.0, 3.0),
    ("HARD_SWISH", -5.0, 5.0),
    ("LOG", 0.05, 9.0),
    ("LOGISTIC", -6.0, 6.0),
    ("NEG", -3.0, 3.0),
    ("RELU", -3.0, 3.0),
    ("RELU6", -3.0, 9.0),
    ("RELU_0_TO_1", -2.0, 2.0),
    ("RELU_N1_TO_1", -3.0, 3.0),
    ("ROUND", -3.0, 3.0),
    ("RSQRT", 0.05, 9.0),
    ("SIGN", -3.0, 3.0),
    ("SIN", -6.0, 6.0),
    ("SQRT", 0.0, 9.0),
    ("SQUARE", -3.0, 3.0),
    ("TANH", -4.0, 4.0),
)

ARITHMETIC = ("ADD", "SUB", "MUL", "DIV")  # with fused activations


def cases() -> Iterator[OpCase]:
    yield from _unary()
    for op in (*ARITHMETIC, "MAXIMUM", "MINIMUM"):
        yield from _binary(op)
    for op in ARITHMETIC:
        yield from _fused(op)
    yield from _parametrised()
    yield from _softmax()


def _unary() -> Iterator[OpCase]:
    for op, low, high in UNARY:
        yield OpCase("rank4", op, (Input(SHAPE, low, high),))
        yield OpCase("rank1", op, (Input((17,), low, high),))
        yield OpCase("rank3", op, (Input((2, 1, 7), low, high),))
    yield OpCase("rank0", "SIN", (Input(()),))
    yield OpCase("rank5", "ABS", (Input((2, 3, 1, 2, 4)),))
    for name, approximate in {"erf": False, "tanh": True}.items():
        for shape in (SHAPE, (17,), ()):
            options = {"approximate": approximate}
            yield OpCase(f"{name}_rank{len(shape)}", "GELU", (Input(shape, -4, 4),), options)


def _binary(op: str) -> Iterator[OpCase]:
    # A divisor near zero would lead to huge quotients.
    low = 0.5 if op == "DIV" else -2.0

    def case(name: str, a: Input | Weights, b: Input | Weights | Again) -> OpCase:
        return OpCase(name, op, (a, b))

    yield case("same_shape", Input(SHAPE), Input(SHAPE, low))
    yield case("constant", Input(SHAPE), Weights(SHAPE, low, 2))
    yield case("half_constant", Input(SHAPE), Weights(SHAPE, low, 2, half=True))
    yield case("constant_first", Weights(SHAPE, low, 2), Input(SHAPE, low))
    yield case("constant_scalar", Input(SHAPE), Weights((), low, 2))
    yield case("constant_one_element", Input(SHAPE), Weights((1,), low, 2))
    yield case("constant_per_channel", Input(SHAPE), Weights((3,), low, 2))
    yield case("broadcast_both_ways", Input((2, 1, 6, 3)), Input((5, 1, 3), low))
    yield case("rank1", Input((7,)), Input((7,), low))
    yield case("with_itself", Input(SHAPE, low), Again(0))


def _fused(op: str) -> Iterator[OpCase]:
    for name, code in FUSED_ACTIVATIONS.items():
        operands = (Input(SHAPE, -9, 9), Weights((3,), 0.5, 2))
        yield OpCase(f"fused_{name}", op, operands, {"fusedActivationFunction": code})


def _parametrised() -> Iterator[OpCase]:
    for alpha in (0.1, 0.0, 1.5):
        yield OpCase(f"alpha_{alpha}", "LEAKY_RELU", (Input(SHAPE),), {"alpha": alpha})
    for name, shape in {"per_channel": (1, 1, 3), "one_slope": (1,), "full": SHAPE[1:], "rank1": (3,)}.items():
        yield OpCase(name, "PRELU", (Input(SHAPE), Weights(shape, -0.5, 0.5)))
    yield OpCase("half", "PRELU", (Input(SHAPE), Weights((1, 1, 3), -0.5, 0.5, half=True)))


def _softmax() -> Iterator[OpCase]:
    for shape in ((1, 10), (2, 7), (11,), (1, 3, 4, 5), (2, 3, 5)):
        name = "x".join(map(str, shape))
        yield OpCase(name, "SOFTMAX", (Input(shape, -5, 5),), {"beta": 1.0})
    yield OpCase("beta_0.5", "SOFTMAX", (Input((1, 10), -5, 5),), {"beta": 0.5})
