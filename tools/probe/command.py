"""The command: runs the probes and writes the faults."""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Playwright, sync_playwright
from rich.markup import escape
from rich.table import Table

from js import scripts
from support.console import console
from tools import limits
from tools.explain.explain import NoWebnnError
from tools.measuring.browser import choose_browser
from tools.probe import indexed, sweep, values, windows
from tools.probe.campaign import Finding, explore, try_in
from tools.probe.known_faults import FILE, unknown_faults
from tools.probe.probes import Probe, is_promised, numpy_probes, rows_of
from tools.probe.workaround_trials import summary, trials
from web_tests.browsers.installed import BrowserProgram
from web_tests.models.recipes import Array
from web_tests.server.server import PROBES_DIR, Server

# Number of probes that a fault names.
EXAMPLES = 6


def probes_for(op_support_limits: dict[str, Any], ops: Sequence[str] = ()) -> list[Probe]:
    """Return all probes of a browser's operators, or of some of them."""
    rows = rows_of(op_support_limits)
    makers = {**sweep.MAKERS, **indexed.MAKERS}
    found = [probe for op, row in rows.items() if op in makers for probe in makers[op](op, row)]
    found += [*values.probes(rows), *numpy_probes(), *windows.probes()]
    found = [probe for probe in found if probe.case.op in rows and (not ops or probe.case.op in ops)]
    return [probe for probe in found if is_promised(probe.case, rows[probe.case.op])]


def run(*, browser: Path | None, ops: Sequence[str] = (), out: Path | None = None) -> int:
    """Probe a browser, print a table, and write the faults to `out`. Return 1 if a graph kills the browser.

    Raises:
        NoWebnnError: there is no WebNN.
    """
    scripts.bundle_script(scripts.PROBES, PROBES_DIR)
    captured = limits.capture(browser)
    probes = probes_for(captured["opSupportLimits"], ops)
    console.print(f"{len(probes)} graphs in {captured['browser']['name']} {captured['browser']['version']}")
    with sync_playwright() as playwright, Server() as server:
        attempt = try_in(playwright, _program(playwright, browser), server)
        findings = compare_groups(_printed(explore(probes, attempt)))
    document = document_of(captured["browser"], findings)
    _show(document)
    for fault in unknown_faults(document):
        text = f"not in {FILE.name}: {fault['op']} {fault['outcome']} {fault['stage']}, e.g. {fault['examples'][0]}"
        console.print(f"[yellow]{escape(text)}[/yellow]", soft_wrap=True)
    if out is not None:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(to_text(document))
    return 1 if any(finding.outcome == "kills" for finding in findings) else 0


def show_workarounds(browser: Path | None) -> None:
    """Print what becomes of the model of each workaround in a browser without it.

    Raises:
        NoWebnnError: there is no WebNN.
    """
    with sync_playwright() as playwright, Server() as server:
        for line in summary(trials(playwright, _program(playwright, browser), server)):
            console.print(escape(line), soft_wrap=True)


def compare_groups(findings: Iterable[Finding]) -> list[Finding]:
    """Mark findings as wrong whose numbers differ from most of their group, beyond the kernels' rounding."""
    rows = list(findings)
    groups: dict[str, list[Array]] = defaultdict(list)
    for row in rows:
        if row.probe.group and row.outputs:
            groups[row.probe.group].append(row.outputs[0].reshape(-1))
    usual = {
        group: max(results, key=lambda one: sum(_alike(one, other) for other in results))
        for group, results in groups.items()
    }
    return [_beside(row, usual.get(row.probe.group)) for row in rows]


def _beside(row: Finding, usual: Array | None) -> Finding:
    if usual is None or row.outcome != "works":
        return row
    found = row.outputs[0].reshape(-1)
    if _alike(found, usual):
        return row
    return Finding(row.probe, "wrong", "", f"{found[:8].tolist()}, at other ranks {usual[:8].tolist()}", row.outputs)


def _alike(one: Array, other: Array) -> bool:
    tolerance = 16 * float(np.finfo(one.dtype).eps) if one.dtype.kind == "f" else 0
    return one.shape == other.shape and np.allclose(one, other, rtol=tolerance, atol=tolerance, equal_nan=True)


def document_of(browser: dict[str, Any], findings: Sequence[Finding]) -> dict[str, Any]:
    """Return the document: counts by operator, and the faults, grouped by kind."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    faults: dict[tuple[str, str, str, str], list[Finding]] = defaultdict(list)
    for row in findings:
        counts[row.probe.case.op][row.outcome] += 1
        if row.outcome != "works":
            faults[row.probe.case.op, row.outcome, row.stage, _kind(row)].append(row)
    return {
        "browser": browser,
        "operators": {op: dict(sorted(count.items())) for op, count in sorted(counts.items())},
        "faults": [
            {
                "op": op,
                "outcome": outcome,
                "stage": stage,
                "message": rows[0].message,
                "graphs": len(rows),
                "examples": [row.probe.name.removeprefix(f"{op} ").removeprefix(f"{op}_") for row in rows[:EXAMPLES]],
            }
            for (op, outcome, stage, _), rows in sorted(faults.items())
        ],
    }


def _kind(row: Finding) -> str:
    """Return the message without the parts that differ from graph to graph."""
    return "" if row.outcome in ("wrong", "kills") else re.sub(r"\[[^\]]*\]|\d+", "#", row.message)


def to_text(document: dict[str, Any]) -> str:
    """Return JSON with one operator and one fault per line."""
    operators = ",\n".join(f"  {json.dumps(op)}: {json.dumps(row)}" for op, row in document["operators"].items())
    faults = ",\n".join(f"  {json.dumps(row)}" for row in document["faults"])
    about = json.dumps(document["browser"])
    return f'{{\n"browser": {about},\n"operators": {{\n{operators}\n}},\n"faults": [\n{faults}\n]}}\n'


def _program(playwright: Playwright, browser: Path | None) -> BrowserProgram:
    program, probe = choose_browser(playwright, browser)
    if not probe.webnn:
        raise NoWebnnError(f"there is no WebNN in {program.title} {probe.version}: {probe.reason}")
    return program


def _printed(findings: Iterable[Finding]) -> Iterable[Finding]:
    for count, finding in enumerate(findings, 1):
        if finding.outcome in ("kills", "hangs"):
            console.print(f"[red]{finding.outcome}[/red] {escape(finding.probe.name)}", soft_wrap=True)
        if count % 1000 == 0:
            console.print(f"[dim]    {count} graphs[/dim]")
        yield finding


def _show(document: dict[str, Any]) -> None:
    table = Table("operator", "outcome", "graphs", "message", "example")
    for fault in document["faults"]:
        outcome = f"{fault['outcome']} ({fault['stage']})" if fault["stage"] else fault["outcome"]
        cells = (fault["op"], outcome, str(fault["graphs"]), fault["message"][:120], fault["examples"][0])
        table.add_row(*map(escape, cells))
    console.print(table)
