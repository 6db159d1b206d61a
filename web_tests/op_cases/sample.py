"""A part of the op cases, for executions whose lowering and kernels are those of one that runs all of them.

It has a case of each op, whatever keeps state between runs, and others that are sampled by a seed.
"""

import os
import random
from collections import defaultdict
from collections.abc import Sequence
from typing import TypeVar

from support.sample_seed import SEED_VARIABLE
from web_tests.op_cases import all_cases, case_id
from web_tests.op_cases.case import OpCase

Case = TypeVar("Case")


def one_of_each_op() -> list[OpCase]:
    """Return a case per op, rotating through its dtypes."""
    by_op: dict[str, dict[str, OpCase]] = defaultdict(dict)
    for case in all_cases():
        by_op[case.op].setdefault(case.dtype, case)
    return [list(by_dtype.values())[turn % len(by_dtype)] for turn, by_dtype in enumerate(by_op.values())]


def sample(size: int) -> list[OpCase]:
    """Return a case of each op, every one with state, and `size` others, in the order of `all_cases`."""
    chosen = {case_id(case) for case in one_of_each_op()}
    cases = all_cases()
    others = [case for case in cases if not case.has_state and case_id(case) not in chosen]
    chosen |= {case_id(case) for case in sampled(others, size)}
    return [case for case in cases if case.has_state or case_id(case) in chosen]


def sampled(cases: Sequence[Case], size: int) -> list[Case]:
    """Return `size` of the cases, sampled by the seed."""
    return random.Random(os.environ[SEED_VARIABLE]).sample(cases, size)
