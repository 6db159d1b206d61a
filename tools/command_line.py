"""The commands of build.py: what they take, and the steps that each runs, in order. The folders own the steps.

At the top only the standard library and this folder's texts: `--help` is shown before anything is installed.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

from tools import browser_steps, command_options, making, manual
from tools.command_options import DEFAULT_ROUNDS, DEFAULT_VARIANT

Step = Callable[[argparse.Namespace], int | None]


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """Return the command and its arguments; what `test` does not know is pytest's. Exits for --help and mistakes."""
    parser = _parser()
    arguments, rest = parser.parse_known_args(argv)
    if rest and arguments.command != "test":
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    arguments.pytest = rest
    return arguments


def run(arguments: argparse.Namespace) -> int:
    """Run the command, in the virtual environment, and return the exit status."""
    from rich.markup import escape

    from tools.support.console import console
    from tools.support.errors import BuildError

    step: Step = arguments.step
    try:
        return step(arguments) or 0
    except BuildError as error:
        title = f"build.py {arguments.command}: {type(error).__name__}"
        console.print(f"\n[red]{title}[/red]\n{escape(str(error))}", soft_wrap=True)
        return error.exit_code
    except KeyboardInterrupt:
        console.print("\nstopped")
        return 130


def _parser() -> argparse.ArgumentParser:
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(
        prog="build.py", description=manual.DESCRIPTION, epilog=manual.EPILOG, formatter_class=form
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def add(name: str, step: Step) -> argparse.ArgumentParser:
        command = commands.add_parser(
            name, help=manual.SUMMARIES[name], description=manual.COMMANDS[name], formatter_class=form
        )
        command.set_defaults(step=step)
        return command

    command_options.add_source_options(add("setup", _setup))
    command_options.add_build_options(add("build", _build))
    pyodide = add("pyodide", _pyodide)
    pyodide.add_argument("--url", default="", metavar="FOLDER", help=manual.WHEEL_URL)
    pyodide.add_argument("--jupyterlite", action="store_true", help=manual.JUPYTERLITE)
    command_options.add_measurement_options(add("demo", _demo))
    command_options.add_bench_options(add("bench", browser_steps.bench))
    command_options.add_profile_options(add("profile", browser_steps.profile))
    command_options.add_matrix_options(add("matrix", browser_steps.matrix))
    command_options.add_explain_options(add("explain", _explain))
    add("site", _site).add_argument("--output", type=Path, metavar="FOLDER", help=manual.SITE_OUTPUT)
    command_options.add_serve_options(add("serve", _serve))
    limits = add("limits", _limits)
    limits.add_argument("--out", type=Path, required=True, metavar="FILE", help="the JSON file to write")
    limits.add_argument("--browser", type=Path, metavar="PATH", help=manual.BROWSER)
    command_options.add_probe_options(add("probe", browser_steps.probe))
    test = add("test", _test)
    test.add_argument("--allow-no-webnn", action="store_true", help="do not fail where no browser has WebNN")
    command_options.add_fuzz_options(add("fuzz", _fuzz))
    command_options.add_properties_options(add("properties", _properties))
    lint = add("lint", _lint)
    lint.add_argument("--fix", action="store_true", help="let the formatters write")
    command_options.add_tool_options(add("tool", _tool))
    command_options.add_kernel_tests_options(add("kernel-tests", _kernel_tests))
    add("docs", _docs)
    add("goldens", _goldens)
    add("doctor", _doctor)
    clean = add("clean", _clean)
    clean.add_argument("--all", action="store_true", help="delete the user cache too, for all checkouts")
    return parser


def _setup(arguments: argparse.Namespace) -> None:
    import js.node
    import pyodide_pkg.tools
    import web_tests.browsers.setup
    from wasm.toolchain import setup

    setup.prepare(dict(arguments.source), keep_archive=arguments.keep_archive)
    js.node.install()
    pyodide_pkg.tools.prepare()
    web_tests.browsers.setup.prepare(need_browser=True)
    web_tests.browsers.setup.prepare_engines()


def _build(arguments: argparse.Namespace) -> None:
    from tools.support.console import console
    from tools.support.paths import BUILD_DIR, PACKAGE_DIR, SELECTED_DIR
    from wasm.toolchain import build, reproducible, variants
    from wasm.toolchain.selection.selection import EVERYTHING, SelectionError, select

    selection = select(arguments.model, arguments.ops, with_webnn=arguments.webnn, with_xnnpack=arguments.xnnpack)
    if arguments.check_reproducible and selection != EVERYTHING:
        raise SelectionError("--check-reproducible compares the package's modules, with all ops")
    root = BUILD_DIR if selection == EVERYTHING else SELECTED_DIR
    names = arguments.variant or [DEFAULT_VARIANT]
    overrides, keep_archive, jobs = dict(arguments.source), arguments.keep_archive, arguments.jobs
    build.build(names, source_overrides=overrides, keep_archive=keep_archive, jobs=jobs, selection=selection)
    if arguments.check_reproducible:
        reproducible.check(names, source_overrides=overrides, keep_archive=keep_archive, jobs=jobs)
    if any(variant.packaged for variant in variants.load().select(names)):
        making.bundle(root)
        console.print(f"    the package is in {root / PACKAGE_DIR.name}")


def _pyodide(arguments: argparse.Namespace) -> None:
    from tools.support.console import console

    wheel = making.wheel(arguments.url)
    console.print(f"    the wheel is {wheel}")
    if arguments.jupyterlite:
        import tools.jupyterlite_site

        console.print(f"    the JupyterLite site is {tools.jupyterlite_site.build(wheel)}")


def _demo(arguments: argparse.Namespace) -> int:
    import tools.demo.demo

    making.for_browser(DEFAULT_VARIANT, arguments.browser)
    return tools.demo.demo.run(
        arguments.model,
        json_output=arguments.json,
        browser=arguments.browser,
        rounds=arguments.rounds or DEFAULT_ROUNDS,
    )


def _explain(arguments: argparse.Namespace) -> int:
    import tools.explain.explain
    from js.explain import Request

    request = Request(arguments.variant, arguments.delegate_options, export=arguments.export)
    if arguments.memory or arguments.limits:
        making.package([arguments.variant])
    else:
        making.for_browser(arguments.variant, arguments.browser)
    if arguments.memory:
        return tools.explain.explain.print_memory_plan(
            arguments.model, request, limits=arguments.limits, json_output=arguments.json
        )
    return tools.explain.explain.run(
        arguments.model,
        request,
        limits=arguments.limits,
        json_output=arguments.json,
        browser=arguments.browser,
    )


def _limits(arguments: argparse.Namespace) -> int:
    import tools.explain.limits

    making.for_browser(DEFAULT_VARIANT, arguments.browser)
    return tools.explain.limits.run(arguments.out, browser=arguments.browser)


def _site(arguments: argparse.Namespace) -> None:
    from site_generator import generator, paths

    making.wheel()
    making.bundle()
    generator.generate(arguments.output or paths.OUTPUT_DIR)


def _serve(arguments: argparse.Namespace) -> None:
    from site_generator import paths

    from tools.support.console import console
    from web_tests.server.server import ISOLATION_HEADERS, Server, site_routes

    _site(argparse.Namespace(output=None))
    headers = {} if arguments.plain else ISOLATION_HEADERS
    with Server(site_routes(paths.OUTPUT_DIR), headers=headers, port=arguments.port) as server:
        console.print(f"    the site is at {server.origin}/ (Ctrl+C ends it)")
        server.wait()


def _test(arguments: argparse.Namespace) -> int:
    import tools.suite
    import web_tests.browsers.setup

    making.for_tests()
    web_tests.browsers.setup.prepare(need_browser=not arguments.allow_no_webnn)
    web_tests.browsers.setup.prepare_engines()
    return tools.suite.run(arguments.pytest, allow_no_webnn=arguments.allow_no_webnn)


def _fuzz(arguments: argparse.Namespace) -> int:
    from tools.fuzz import fuzz
    from tools.fuzz.campaign import Plan
    from wasm.toolchain import build

    build.build([arguments.variant], jobs=arguments.jobs)
    if arguments.replay:
        return fuzz.replay(arguments.replay, arguments.variant)
    plan = Plan(arguments.seed, arguments.count, arguments.first, arguments.variant)
    return fuzz.run(plan, arguments.model, jobs=arguments.jobs)


def _properties(arguments: argparse.Namespace) -> int:
    from tools.properties import command

    making.for_browser(DEFAULT_VARIANT, None)
    request = command.Request(arguments.family, arguments.op, arguments.on, arguments.examples, arguments.seed)
    return command.run(request)


def _tool(arguments: argparse.Namespace) -> int:
    from tools.programs import tool

    making.for_browser(DEFAULT_VARIANT, arguments.browser)
    return tool.run(arguments.tool, arguments.arguments, on=arguments.on, browser=arguments.browser)


def _kernel_tests(arguments: argparse.Namespace) -> int:
    from tools.kernel_tests import command

    making.for_browser(DEFAULT_VARIANT, arguments.browser)
    return command.run(arguments.filter, on=arguments.on, browser=arguments.browser, write_docs=arguments.write_docs)


def _lint(arguments: argparse.Namespace) -> None:
    from tools import lint

    lint.lint(fix=arguments.fix)


def _docs(_: argparse.Namespace) -> int:
    import js.api_document
    import tools.docs.delegate_options
    import tools.docs.ops_table
    import tools.docs.polyfill_ops_table

    making.package([DEFAULT_VARIANT])
    tools.docs.delegate_options.write()
    js.api_document.build()
    tools.docs.polyfill_ops_table.write()
    return tools.docs.ops_table.run()


def _goldens(_: argparse.Namespace) -> int:
    import js.bundle
    import tools.suite

    making.package([DEFAULT_VARIANT])
    js.bundle.update_snapshots()
    return tools.suite.update_goldens()


def _doctor(_: argparse.Namespace) -> int:
    from tools import doctor

    return doctor.report()


def _clean(arguments: argparse.Namespace) -> None:
    from tools import clean

    clean.clean(everything=arguments.all)
