"""The sample of op cases that tests of several engines run."""

import pytest

from support.sample_seed import SEED_VARIABLE
from web_tests.op_cases import all_cases, case_id, sample


def names_of(seed: str, size: int, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setenv(SEED_VARIABLE, seed)
    return [case_id(case) for case in sample.sample(size)]


def test_the_sample_has_every_op_all_state_and_what_a_seed_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    smallest, first = names_of("1", 0, monkeypatch), names_of("1", 100, monkeypatch)
    cases = {case_id(case): case for case in all_cases()}
    assert {cases[name].op for name in smallest} == {case.op for case in cases.values()}
    assert {name for name, case in cases.items() if case.has_state} <= set(smallest)
    assert len(set(first)) == len(first) == len(smallest) + 100
    assert set(smallest) < set(first)
    assert first == names_of("1", 100, monkeypatch) != names_of("2", 100, monkeypatch)


def test_one_case_of_each_op_is_enough_for_all_data_types() -> None:
    assert {case.dtype for case in sample.one_of_each_op()} == {case.dtype for case in all_cases()}
