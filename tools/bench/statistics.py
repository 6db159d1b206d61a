"""Statistics over rounds."""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Spread:
    """Median, quartiles and least value over the rounds."""

    median: float
    low: float
    high: float
    least: float

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


@dataclass(frozen=True)
class Line:
    """A line fitted to points.

    Attributes:
        slope_error: standard error of the slope: a slope within twice of it may be 0.
        r_squared: share of the points' variance that the line explains; meaningless for a flat line.
    """

    constant: float
    slope: float
    slope_error: float
    r_squared: float


def fit_line(xs: Sequence[float], ys: Sequence[float]) -> Line:
    """Fit y = constant + slope * x by least squares to at least three different x."""
    slope, constant = statistics.linear_regression(xs, ys)
    mean_x, mean_y = statistics.fmean(xs), statistics.fmean(ys)
    total = sum((y - mean_y) ** 2 for y in ys)
    rest = sum((y - constant - slope * x) ** 2 for x, y in zip(xs, ys, strict=True))
    error = math.sqrt(rest / (len(xs) - 2) / sum((x - mean_x) ** 2 for x in xs))
    return Line(constant, slope, error, 1 - rest / total if total else 1.0)
