"""Runs probes in browsers; when crashes have cost a browser its WebNN, continues in a fresh one."""

import base64
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Playwright

from tools.probe.probes import Probe, graph_of
from web_tests.browsers import installed
from web_tests.browsers.installed import BrowserProgram
from web_tests.models.recipes import Array
from web_tests.polyfill_cases.case import error_of
from web_tests.server.server import Server

Outcome = Literal["works", "rejected", "wrong", "hangs", "kills"]

# Graphs per message to the page.
AT_ONCE = 200
PAGE_SCRIPT = """async (graphs) => {
    const { probeAll, webnnIn } = await import('/probes/index.mjs');
    return probeAll(webnnIn(), graphs);
}"""

# Tries graphs in a fresh browser; one answer each, fewer if it ended early, none if the page died.
Try = Callable[[Sequence[dict[str, Any]]], list[dict[str, Any]]]


@dataclass(frozen=True)
class Finding:
    """The result of a probe.

    Attributes:
        stage: where it failed: operator (the call itself), build, run; empty if it did not.
        message: the browser's words, or how its numbers differ.
        outputs: the computed values.
    """

    probe: Probe
    outcome: Outcome
    stage: str = ""
    message: str = ""
    outputs: list[Array] = field(default_factory=list)


def try_in(playwright: Playwright, program: BrowserProgram, server: Server) -> Try:
    """Return a function that tries graphs in a fresh browser."""

    def attempt(graphs: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        with installed.launched(playwright, program) as browser:
            page = browser.new_page()
            page.goto(f"{server.origin}/probe.html")
            try:
                return list(page.evaluate(PAGE_SCRIPT, list(graphs)))
            except PlaywrightError:
                return []  # the page died with its answers

    return attempt


def explore(probes: Sequence[Probe], attempt: Try, *, at_once: int = AT_ONCE) -> Iterator[Finding]:
    """Yield the result of each probe. The first of an operator that crashes a browser is tried again, alone."""
    explorer = _Explorer(attempt)
    for first in range(0, len(probes), at_once):
        yield from explorer.explore(probes[first : first + at_once])


class _Explorer:
    def __init__(self, attempt: Try) -> None:
        self._attempt = attempt
        self._killers: set[str] = set()

    def explore(self, probes: Sequence[Probe]) -> Iterator[Finding]:
        rest = list(probes)
        while rest:
            answers = self._attempt([graph_of(probe.case) for probe in rest])
            if answers:
                for probe, answer in zip(rest, answers, strict=False):
                    yield self._confirmed(_finding(probe, answer))
                rest = rest[len(answers) :]
            elif len(rest) == 1:
                yield Finding(rest.pop(), "kills", "?", "the page is gone, too")
            else:  # which graph crashed the page is unknown: bisect
                middle = len(rest) // 2
                yield from self.explore(rest[:middle])
                rest = rest[middle:]

    def _confirmed(self, finding: Finding) -> Finding:
        op = finding.probe.case.op
        if finding.outcome != "kills" or op in self._killers:
            return finding
        (answer,) = self._attempt([graph_of(finding.probe.case)]) or [{"stage": "?", "lost": "the page is gone, too"}]
        alone = _finding(finding.probe, answer)
        if alone.outcome == "kills":
            self._killers.add(op)
            return alone
        return replace(alone, message=f"{alone.message} (the GPU process died here once, but not alone)")


def _finding(probe: Probe, answer: dict[str, Any]) -> Finding:
    stage = answer.get("stage", "")
    if "lost" in answer:
        return Finding(probe, "kills", stage, str(answer["lost"]))
    if "hangs" in answer:
        return Finding(probe, "hangs", stage, "no answer")
    if "message" in answer:
        return Finding(probe, "rejected", stage, answer["message"])
    outputs = [
        np.frombuffer(base64.b64decode(output["data"]), output["dataType"]).reshape(output["shape"])
        for output in answer["outputs"]
    ]
    expected = probe.case.expected
    errors = [
        error_of(found, wanted, probe.case.tolerance) for found, wanted in zip(outputs, expected, strict=bool(expected))
    ]
    error = next(filter(None, errors), "")
    return Finding(probe, "wrong" if error else "works", "", error, outputs)
