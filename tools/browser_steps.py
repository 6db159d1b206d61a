"""The steps of the commands that measure in browsers or try them; standard library only at the top."""

from __future__ import annotations

import argparse

from tools import making
from tools.command_options import DEFAULT_ROUNDS


def bench(arguments: argparse.Namespace) -> int:
    """Measure all engines, or what an option asks for."""
    import web_tests.browsers.setup
    from tools.bench import command, document, overhead, polyfill, python_arrays, sweep, tool

    if arguments.document:
        return document.run(arguments.document)

    making.package(["all"])
    if arguments.pyodide:
        making.wheel()
    web_tests.browsers.setup.prepare(need_browser=arguments.browser is None)
    rounds = arguments.rounds or DEFAULT_ROUNDS
    of_models = (
        (arguments.overhead, overhead.run),
        (arguments.polyfill, polyfill.run),
        (arguments.pyodide, python_arrays.run),
    )
    for is_asked, measure in of_models:
        if is_asked:
            return measure(arguments.model, json_output=arguments.json, browser=arguments.browser, rounds=rounds)
    if arguments.tool:
        return tool.run(arguments.model, json_output=arguments.json, browser=arguments.browser, rounds=arguments.rounds)
    if arguments.sweep:
        return sweep.run(json_output=arguments.json, browser=arguments.browser, rounds=rounds, out=arguments.out)
    request = command.Request(
        models=arguments.model,
        patterns=arguments.engine,
        rounds=arguments.rounds,
        load_rounds=arguments.load_rounds,
        quick=arguments.quick,
        twins=arguments.twins,
        browser=arguments.browser,
        json_output=arguments.json,
        out=arguments.out,
    )
    return command.run(request)


def profile(arguments: argparse.Namespace) -> int:
    """Tell where the time of models goes."""
    import web_tests.browsers.setup
    from tools.profile import command

    making.package(["all"])
    web_tests.browsers.setup.prepare(need_browser=arguments.browser is None)
    request = command.Request(
        models=arguments.model,
        execution=arguments.execution,
        variant=arguments.variant,
        threads=arguments.threads,
        runs=arguments.runs,
        top=arguments.top,
        browser=arguments.browser,
        json_output=arguments.json,
        out=arguments.out,
    )
    return command.run(request)


def probe(arguments: argparse.Namespace) -> int:
    """Try every operator of a browser's WebNN. It needs nothing that is compiled."""
    import web_tests.browsers.setup
    from tools.probe import command

    web_tests.browsers.setup.prepare(need_browser=arguments.browser is None)
    return command.run(browser=arguments.browser, ops=arguments.op, out=arguments.out)


def matrix(arguments: argparse.Namespace) -> int:
    """Run every model in every engine."""
    import web_tests.browsers.setup
    from tools.matrix import command, grid

    request = command.Request(
        engines=arguments.engine,
        executions=arguments.execution,
        models=arguments.model,
        places=arguments.place,
        part=arguments.part,
        browser=arguments.browser,
        grid=arguments.grid,
        capabilities=[grid.parse(text) for text in arguments.capabilities],
        host=arguments.host,
        sessions=arguments.sessions,
        out=arguments.out or command.RESULT_FILE,
        add_to=arguments.add_to,
        json_output=arguments.json,
    )
    making.package(["all"])
    if not request.grid:
        web_tests.browsers.setup.prepare(need_browser=False)
        web_tests.browsers.setup.prepare_engines()
    return command.run_matrix(request)
