"""Signature runners, compared with native LiteRT."""

import asyncio

import numpy as np
import pytest
from tflite_webnn import SignatureRunner

from pyodide_pkg.tests import small_models
from pyodide_pkg.tests.comparisons import assert_same, assert_same_error
from pyodide_pkg.tests.conftest import Pair
from web_tests.models import stateful

pytestmark = pytest.mark.usefixtures("backend")

X = np.array([1, 2, 3, 4], np.float32)


@pytest.mark.parametrize("key", ["add", "peek"])
def test_details_of_a_signature_are_those_of_native_litert(key: str) -> None:
    pair = Pair(stateful.counter())
    actual, native = pair.call("get_signature_runner", key)
    assert_same(actual.get_input_details(), native.get_input_details())
    assert_same(actual.get_output_details(), native.get_output_details())


def test_signatures_share_their_variables() -> None:
    pair = Pair(stateful.counter())
    add = pair.call("get_signature_runner", "add")
    peek = pair.call("get_signature_runner", "peek")
    for factor in (1, 2):
        assert_same(*(runner(x=X) for runner in add))
        assert_same(*(runner(factor=np.full(4, factor, np.float32)) for runner in peek))


def test_a_signature_runs_on_another_batch() -> None:
    pair = Pair(small_models.open_batch())
    runners = pair.call("get_signature_runner")
    for batch in (1, 3, 3, 2):
        value = np.arange(3 * batch, dtype=np.float32).reshape(batch, 3)
        assert_same(*(runner(x=value) for runner in runners))
        assert_same(*(runner.get_output_details() for runner in runners))


def test_the_interpreter_sees_what_a_signature_has_run() -> None:
    pair = Pair(stateful.counter())
    pair.allocate()
    for runner in pair.call("get_signature_runner", "add"):
        runner(x=X)
    assert_same(*pair.outputs())


def test_an_awaited_signature_runs_as_a_call() -> None:
    pair = Pair(stateful.counter())
    actual, native = pair.call("get_signature_runner", "add")
    assert_same(asyncio.run(actual.invoke_async(x=X)), native(x=X))
    actual, native = pair.call("get_signature_runner", "peek")
    assert_same(asyncio.run(actual.invoke_async(factor=X)), native(factor=X))


def test_a_runner_needs_an_interpreter_and_a_key() -> None:
    pair = Pair(stateful.counter())
    native = type(pair.native.get_signature_runner("add"))
    assert_same_error(SignatureRunner, native)
    assert_same_error(lambda: SignatureRunner(pair.interpreter), lambda: native(pair.native))
    assert_same_error(lambda: SignatureRunner(pair.interpreter, "no"), lambda: native(pair.native, "no"))
