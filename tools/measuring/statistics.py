"""Statistics over rounds."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Spread:
    """Median, quartiles and minimum over the rounds."""

    median: float
    low: float
    high: float
    min: float

    def __str__(self) -> str:
        """Return for example 12.30 [12.10, 12.80], or 1.023 [0.998, 1.031]."""
        digits = 3 if abs(self.median) < 10 else 2
        return f"{self.median:.{digits}f} [{self.low:.{digits}f}, {self.high:.{digits}f}]"


def spread(values: Sequence[float]) -> Spread:
    """Return median and quartiles; of a single value, that."""
    low, median, high = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else [values[0]] * 3
    return Spread(median, low, high, min(values))


def ratios(others: Sequence[float], measure: Sequence[float]) -> Spread:
    """Return other / measure round by round: a brief slowdown of the machine affects both."""
    return spread([other / own for other, own in zip(others, measure, strict=True)])
