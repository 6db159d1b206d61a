"""The tables of docs/guides/switch-from-*.md: features, and committed results of `build.py bench`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from support.markdown_table import table
from support.marked_text import replaced
from support.paths import PROJECT_DIR
from tools import citation, result_file
from tools.bench.result import LoadRow, Result, SpeedRow
from tools.bench.switch_features import Features, features
from tools.measuring.printing import ABSENT

GUIDES_DIR, RESULTS_DIR = PROJECT_DIR / "docs" / "guides", PROJECT_DIR / "site" / "results"
BEGIN, END = "<!-- Tables: made by `python3 build.py docs` -->", "<!-- End of the tables -->"
BEGIN_FEATURES, END_FEATURES = "<!-- Features: made by `python3 build.py docs` -->", "<!-- End of the features -->"
KB = 1000
TEXT = """
A run, in milliseconds; in parentheses divided by the time of {measure} in the same rounds.

{speed}

From an empty page to the first answer in a fresh browser, in milliseconds: library, model and first run.

{loading}

{sizes}

{machine}, {cores} cores; {browser}; {rounds} rounds, {load_rounds} fresh browsers; load average {before:.1f} before,
{after:.1f} after; {citation}

"""


@dataclass(frozen=True)
class SwitchDocument:
    """A document for those who switch from a peer.

    Attributes:
        file: the document, with the lines BEGIN and END, BEGIN_FEATURES and END_FEATURES.
        features: of the peer and of this project's package.
        result: the measured result; None if docs/reference/benchmarks.md has it.
        measure: what ratios refer to, in words.
    """

    file: Path
    features: Features
    result: Path | None = None
    measure: str = ""

    def text(self) -> str:
        """Return the document with its tables.

        Raises:
            NoPlaceError: the document lacks the marks.
            ResultFileError: there is no result of the benchmark.
        """
        text = self.file.read_text(encoding="utf-8")
        features = f"\n\n{self.features.table()}\n\n"
        text = replaced(text, BEGIN_FEATURES, END_FEATURES, features, where=self.file)
        if self.result is None:
            return text
        measured = tables(result_file.read(Result, self.result), self.measure)
        return replaced(text, BEGIN, END, measured, where=self.file)

    def write(self) -> None:
        """Write the tables into the document.

        Raises:
            NotCitableError: a new result was made under load, or of other code.
        """
        if self.result is not None:
            citation.check(self.file, [result_file.read(Result, self.result)])
        self.file.write_text(self.text(), encoding="utf-8")


MEDIAPIPE = SwitchDocument(
    GUIDES_DIR / "switch-from-mediapipe.md", features("vision"), RESULTS_DIR / "vision.json", "`tasks-vision/cpu`"
)
LITERT = SwitchDocument(GUIDES_DIR / "switch-from-litert.md", features("litert"))
DOCUMENTS = (MEDIAPIPE, LITERT)


def tables(found: Result, measure: str) -> str:
    """Return a result's tables of runs, first results and downloads, and how they were measured."""
    before, after = found.load_average
    return TEXT.format(
        measure=measure,
        speed=_times(found, "a run", {(row.model, row.runtime): row for row in found.speed}),
        loading=_times(found, "first result", {(row.model, row.runtime): row for row in found.loading}),
        sizes=_sizes(found),
        machine=found.machine.processor,
        cores=found.machine.cores,
        browser=f"{found.browser.title} {found.browser.version}",
        rounds=found.rounds,
        load_rounds=found.load_rounds,
        before=before,
        after=after,
        citation=citation.line(found),
    )


def _times(found: Result, title: str, rows: Mapping[tuple[str, str], SpeedRow | LoadRow]) -> str:
    """A column for each runtime, with its measure before it, and the medians of the ratios as the last row."""
    names = _in_order(found)
    lines = [(model.name, *(_cell(rows.get((model.name, name))) for name in names)) for model in found.models]
    medians = [_median_ratio([row for (_, runtime), row in rows.items() if runtime == name]) for name in names]
    return table((title, *(f"`{name}`" for name in names)), [*lines, ("median of the ratios", *medians)])


def _in_order(found: Result) -> list[str]:
    """Names of the runtimes that ran: each measure first, and then those that are compared with it."""
    rows: list[SpeedRow | LoadRow] = [*found.speed, *found.loading]
    measure_of = {row.runtime: row.measure for row in rows if row.ratio}
    names = [runtime.name for runtime in found.runtimes if runtime.name in measure_of]
    return sorted(names, key=lambda name: (names.index(measure_of[name]), name != measure_of[name]))


def _cell(row: SpeedRow | LoadRow | None) -> str:
    spread = None if row is None else row.ms if isinstance(row, SpeedRow) else row.total_ms
    if row is None or spread is None:
        return ABSENT
    digits = 0 if isinstance(row, LoadRow) else 1 if spread.median >= 1 else 2
    ms = f"{spread.median:.{digits}f}"
    return ms if row.ratio is None or row.measure == row.runtime else f"{ms} ({row.ratio.median:.2f})"


def _median_ratio(rows: Sequence[SpeedRow | LoadRow]) -> str:
    ratios = [row.ratio.median for row in rows if row.ratio and row.measure != row.runtime]
    return f"{median(ratios):.2f}" if ratios else ""


def _sizes(found: Result) -> str:
    """What the library downloads for the first model that all have, plain and compressed."""
    rows = {(row.model, row.runtime): row for row in found.loading if row.gzip_bytes}
    names = _in_order(found)
    model = next((one.name for one in found.models if all((one.name, name) in rows for name in names)), None)
    lines = []
    for name in names if model else ():
        row = rows[model or "", name]
        of_measure = rows[model or "", row.measure].gzip_bytes if row.measure else None
        ratio = f"{row.gzip_bytes / of_measure:.2f}" if row.gzip_bytes and of_measure else ABSENT
        lines.append(
            (f"`{name}`", f"{(row.downloaded_bytes or 0) / KB:.0f}", f"{(row.gzip_bytes or 0) / KB:.0f}", ratio)
        )
    return table(("library", "kB", "gzip -9, kB", "of the measure's"), lines)
