"""Fills the matrix engine by engine, place by place; a failure costs a cell, or the engine."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

from playwright.sync_api import Playwright

from support.errors import BuildError
from tools.bench.result import machine_facts, now, revision
from tools.matrix import cells
from tools.matrix.axes import Execution, Place
from tools.matrix.engines import MatrixEngine
from tools.matrix.place_page import PlacePage, Servers
from tools.matrix.questions import Question
from tools.matrix.result import Cell, EngineRow, Impossible, PlaceFacts
from web_tests.browsers.page import EngineBrowser
from web_tests.browsers.webdriver_pages import WebDriverBrowser

# Receives each cell and each impossible combination, for a progress bar and a log.
Listener = Callable[[Cell | Impossible], None]


@dataclass(frozen=True)
class Plan:
    """The cells to fill: every engine x place x execution x question, if the engine has the place.

    Attributes:
        sessions: number of concurrent engines; those of this machine always take turns.
    """

    engines: Sequence[MatrixEngine]
    places: Sequence[Place]
    executions: Sequence[Execution]
    questions: Sequence[Question]
    sessions: int = 1

    def cells_of(self, engine: MatrixEngine) -> int:
        """Return the maximum number of an engine's cells."""
        places = [place for place in self.places if place.name not in engine.no_place]
        return 0 if engine.missing else len(places) * len(self.executions) * len(self.questions)


@dataclass
class Found:
    """The results of an engine."""

    row: EngineRow
    facts: list[PlaceFacts] = field(default_factory=list)
    impossible: list[Impossible] = field(default_factory=list)
    cells: list[Cell] = field(default_factory=list)


def fill(plan: Plan, servers: Servers, playwright: Playwright, listener: Listener) -> list[Found]:
    """Return the results of each engine, in the plan's order."""

    def fill_one(engine: MatrixEngine) -> Found:
        return _Filling(engine, plan, servers, listener).fill(playwright)

    if all(engine.is_remote for engine in plan.engines) and plan.sessions > 1:
        with ThreadPoolExecutor(plan.sessions) as pool:
            return list(pool.map(fill_one, plan.engines))
    return [fill_one(engine) for engine in plan.engines]


class _Filling:
    def __init__(self, engine: MatrixEngine, plan: Plan, servers: Servers, listener: Listener) -> None:
        self._engine, self._plan, self._servers, self._tell = engine, plan, servers, listener
        row = EngineRow(engine.name, engine.title, engine.driver, engine.missing, revision=revision())
        self._found = Found(row)

    def fill(self, playwright: Playwright) -> Found:
        if self._engine.missing:
            return self._found
        try:
            with self._engine.start(playwright) as browser:
                self._describe(browser)
                for place in self._plan.places:
                    self._fill_place(browser, place)
        except BuildError as error:
            self._change_row(failure=cells.in_a_line(str(error)))
        if not self._engine.is_remote:
            self._change_row(load_average=os.getloadavg()[0])
        return self._found

    def _describe(self, browser: EngineBrowser) -> None:
        self._change_row(version=browser.version, measured=now())
        if isinstance(browser, WebDriverBrowser):
            self._change_row(platform=browser.platform)
        if not self._engine.is_remote:
            self._change_row(machine=machine_facts())

    def _change_row(self, **changes: object) -> None:
        self._found.row = replace(self._found.row, **changes)  # type: ignore[arg-type]

    def _fill_place(self, browser: EngineBrowser, place: Place) -> None:
        none = self._engine.no_place.get(place.name)
        if none:
            for execution in self._plan.executions:
                self._exclude(Impossible(self._engine.name, place.name, execution.name, none))
            return
        page = PlacePage(browser, self._servers, place)
        try:
            lacks = self._ask(page)
            for execution in self._plan.executions:
                self._fill_way(page, execution, cells.why_not(execution, lacks.lacks))
        finally:
            page.close()

    def _ask(self, page: PlacePage) -> PlaceFacts:
        found = page.facts()
        self._change_row(user_agent=found["userAgent"], cores=found["cores"])
        facts = PlaceFacts(self._engine.name, page.place.name, found["isolated"], found["lacks"], found["gpu"])
        self._found.facts.append(facts)
        return facts

    def _fill_way(self, page: PlacePage, execution: Execution, reason: str) -> None:
        if reason:
            tried = cells.try_impossible(self._engine.name, page, execution, self._plan.questions[0], reason)
            if isinstance(tried, Impossible):
                self._exclude(tried)
            else:
                self._add(tried)
            return
        for question in self._plan.questions:
            self._add(cells.fill(self._engine.name, page, execution, question))

    def _add(self, cell: Cell) -> None:
        self._found.cells.append(cell)
        self._tell(cell)

    def _exclude(self, way: Impossible) -> None:
        self._found.impossible.append(way)
        self._tell(way)
