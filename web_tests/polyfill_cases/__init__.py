"""Calls of every WebNN operator with numpy's results: for the polyfill's models and for browsers."""

from importlib import import_module

from web_tests.polyfill_cases.case import Case

# One family for each family of the polyfill's rules and lowerings.
FAMILIES: dict[str, list[Case]] = {
    name: import_module(f"{__name__}.{name}").CASES
    for name in (
        "activation",
        "convolution",
        "elementwise",
        "indexing",
        "logic",
        "matrix",
        "movement",
        "normalization",
        "pooling",
        "quantization",
        "recurrent",
        "reduction",
        "resampling",
    )
}
CASES: tuple[Case, ...] = tuple(case for cases in FAMILIES.values() for case in cases)
