"""Plots of a result, drawn from its JSON."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

mpl.use("Agg")  # draws into files, without a screen

INCH_A_ROW, INCH_WIDE = 0.26, 9.0
PHASES = {"library_ms": "library", "compile_ms": "model", "first_run_ms": "first run"}
MB = 1e6
SWEEP_INCH_HIGH = 3.2
SWEEP_TIMES = {
    "run": {"direct": "model.run()", "stepped": "model.run()"},
    "compared": {"direct": "the graph by hand", "stepped": "the model on the CPU"},
    "overhead": {"direct": "difference", "stepped": "difference"},
}


def draw(result: Mapping[str, Any], folder: Path) -> list[Path]:
    """Draw the existing numbers into PNG files, and return the files."""
    groups = dict.fromkeys(runtime["group"] for runtime in result["runtimes"])
    files = [_draw_group(result, group, folder) for group in groups]
    files += [_draw_loading(result["loading"], model, folder) for model in _models(result["loading"])[:1]]
    return [file for file in files if file]


def _models(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    return list(dict.fromkeys(row["model"] for row in rows))


def _draw_group(result: Mapping[str, Any], group: str, folder: Path) -> Path | None:
    """Draw each runtime's time over ours, per model of a group."""
    names = [runtime["name"] for runtime in result["runtimes"] if runtime["group"] == group]
    rows = [row for row in result["speed"] if row["runtime"] in names and row["ratio"]]
    models = _models(rows)
    if not models:
        return None
    figure = Figure(figsize=(INCH_WIDE, 1.6 + INCH_A_ROW * len(models) * max(2, len(names) / 2)), layout="constrained")
    axes = figure.subplots()
    for position, name in enumerate(names):
        own = [row for row in rows if row["runtime"] == name]
        shift = 0.8 * (position / max(1, len(names) - 1) - 0.5)
        ys = [models.index(row["model"]) + shift for row in own]
        medians = [row["ratio"]["median"] for row in own]
        whiskers = [
            [row["ratio"]["median"] - row["ratio"]["low"] for row in own],
            [row["ratio"]["high"] - row["ratio"]["median"] for row in own],
        ]
        right = [row["verdict"]["grade"] != "WRONG" for row in own]
        axes.errorbar(medians, ys, xerr=whiskers, fmt="o", markersize=4, label=name)
        wrong = [(x, y) for x, y, is_right in zip(medians, ys, right, strict=True) if not is_right]
        if wrong:
            axes.plot(*zip(*wrong, strict=True), "x", color="red", markersize=9, zorder=3)
    axes.axvline(1, color="grey", linewidth=0.8)
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.set_yticks(range(len(models)), models)
    axes.invert_yaxis()
    axes.set_xlabel("time of a run over that of ours (median and quartiles of the rounds); red cross: wrong answer")
    _finish(axes, f"{group}: {result['machine']['processor']}")
    return _save(figure, folder / f"speed_{_file_name(group)}.png")


def draw_sweep(sweep: Mapping[str, Any], file: Path) -> Path:
    """Draw, per series, the least times, those of the comparison, the difference, and the lines through them."""
    every = sweep["series"]
    figure = Figure(figsize=(INCH_WIDE, SWEEP_INCH_HIGH * len(every)), layout="constrained")
    for axes, series in zip(figure.subplots(len(every), 1, squeeze=False)[:, 0], every, strict=True):
        xs = [point["x"] for point in series["points"]]
        for key, title in SWEEP_TIMES.items():
            times = [point[f"{key}_ms"] for point in series["points"]]
            least = [time if isinstance(time, float) else time["least"] for time in times]
            (drawn,) = axes.plot(xs, least, "o", markersize=4, label=title[series["mode"]])
            ends = (xs[0], xs[-1])
            on_line = [series[key]["constant"] + series[key]["slope"] * x for x in ends]
            axes.plot(ends, on_line, linewidth=1, color=drawn.get_color())
        axes.set_xlabel(series["unit"])
        axes.set_ylabel("ms")
        _finish(axes, series["name"])
    return _save(figure, file)


def _draw_loading(rows: Sequence[Mapping[str, Any]], model: str, folder: Path) -> Path:
    """Draw the phases up to the first result, and the downloaded bytes."""
    own = [row for row in rows if row["model"] == model and row["total_ms"]]
    names = [row["runtime"] for row in own]
    figure = Figure(figsize=(INCH_WIDE, 1.6 + INCH_A_ROW * len(names)), layout="constrained")
    times, sizes = figure.subplots(1, 2, sharey=True)
    left = [0.0] * len(own)
    for key, title in PHASES.items():
        widths = [row[key]["median"] for row in own]
        times.barh(names, widths, left=left, label=title)
        left = [start + width for start, width in zip(left, widths, strict=True)]
    times.invert_yaxis()
    times.set_xlabel("ms")
    _finish(times, f"First result, {model}")
    sizes.barh(names, [row["gzip_bytes"] / MB for row in own], color="grey")
    sizes.set_xlabel("MB, gzip -9")
    sizes.set_title("Library")
    return _save(figure, folder / "loading.png")


def _finish(axes: Axes, title: str) -> None:
    axes.set_title(title)
    axes.grid(axis="x", linewidth=0.3)
    axes.legend(fontsize="small")


def _file_name(group: str) -> str:
    return group.lower().replace(",", "").replace(" ", "_")


def _save(figure: Figure, file: Path) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(file, dpi=120)
    return file
