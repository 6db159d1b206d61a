"""The result of kernel tests, by file."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tools.kernel_tests.cases import CaseResult
from tools.kernel_tests.registry import XNNPACK_PREFIX


@dataclass(frozen=True)
class FileResult:
    """The cases of one test file.

    Attributes:
        file: e.g. "add_test".
        cases: results of the cases that ran.
        fail_anyway: names of cases that also fail without the delegate.
        known: reasons by name of the registry's known failures.
    """

    file: str
    cases: tuple[CaseResult, ...]
    fail_anyway: frozenset[str]
    known: dict[str, str]

    @property
    def is_of_xnnpack(self) -> bool:
        """Whether it is a test of XNNPACK's delegate, which WebNN's replaces."""
        return self.file.startswith(XNNPACK_PREFIX)

    @property
    def delegated(self) -> list[CaseResult]:
        """The cases of which WebNN computed a part, without those that also fail on the CPU."""
        return [case for case in self.cases if case.delegated and case.name not in self.fail_anyway]

    @property
    def passed(self) -> int:
        """Number of delegated cases that pass."""
        return sum(case.outcome == "passed" for case in self.delegated)

    @property
    def failed(self) -> list[CaseResult]:
        return [case for case in self.delegated if case.outcome == "failed"]

    @property
    def unexplained(self) -> list[CaseResult]:
        """The failed cases without a known reason."""
        return [case for case in self.failed if case.name not in self.known]

    @property
    def rejections(self) -> Counter[str]:
        """Number of cases that are not delegated, by known reason."""
        return Counter(case.rejection for case in self.cases if case.rejection and not case.delegated)


@dataclass(frozen=True)
class Totals:
    """Sums over files."""

    files: int
    run: int
    delegated: int
    passed: int
    unexplained: int

    @property
    def pass_rate(self) -> float:
        """Passing delegated cases of all delegated ones."""
        return self.passed / self.delegated if self.delegated else 1.0


def totals(results: Iterable[FileResult]) -> Totals:
    rows: Sequence[FileResult] = list(results)
    return Totals(
        files=sum(bool(row.delegated) for row in rows),
        run=sum(len(row.cases) for row in rows),
        delegated=sum(len(row.delegated) for row in rows),
        passed=sum(row.passed for row in rows),
        unexplained=sum(len(row.unexplained) for row in rows),
    )
