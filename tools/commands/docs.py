"""Generate the documents that come from the code.

Builds what is missing (the variant simd), then writes:
  docs/reference/ops.md               the delegate's table and the op cases, under the limits of Chromium 147
  docs/reference/delegate-options.md  the delegate's table of options, with its options for JavaScript and Python
  docs/reference/polyfill-ops.md      the polyfill's table of operators
  README.md                           its numbers and its table of browsers: the same two committed results
  docs/reference/browsers.md          the committed result of web_tests/tests/matrix
  docs/reference/benchmarks.md        the committed result of `build.py bench`
  docs/reference/browser-bugs.md      its table of workarounds: tools/probe/workarounds.toml
  docs/guides/hosting.md              its table of files: js/.size-limit.json
  docs/explanation/kernels.md         its table of slow kernels: the committed result of `python3 -m benchmarks.kernels`
  docs/contributing/benchmarking.md   its table of growth: the committed result of `python3 -m benchmarks.growth`
  docs/reference/models.md            its table: the committed result of `python3 -m benchmarks.backends`
  docs/guides/switch-from-mediapipe.md  its tables of speed: the committed result of `python3 -m benchmarks.vision`
  js/packages/core/src/generated      the options, and the versions of browsers in that file
  the site's API pages                from the comments of the package's exports
No browser is started.
"""

import argparse
from pathlib import Path

from tools import making, options

GROUPS = ("run",)


def add_options(_: argparse.ArgumentParser) -> None:
    pass


def run(_: argparse.Namespace) -> None:
    from site_generator import api_document

    from tools import citation

    for result in citation.RESULTS_DIR.glob("*.json*"):
        citation.check(result)
    making.package([options.DEFAULT_VARIANT])
    for file, text in (of_files() | of_module()).items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    api_document.build()


def of_files() -> dict[Path, str]:
    """Return the documents that come from committed results and tables."""
    from benchmarks.backends import document as backends_document
    from benchmarks.growth import document as growth_document
    from benchmarks.kernels import document as kernels_document
    from benchmarks.vision import document as vision_document
    from tools import readme
    from tools.bench import peers_document
    from tools.docs import package_sizes
    from tools.matrix import document as browsers_document
    from tools.probe import workarounds

    return {
        browsers_document.DOCUMENT: browsers_document.text(),
        peers_document.DOCUMENT: peers_document.text(),
        kernels_document.DOCUMENT: kernels_document.document(),
        growth_document.DOCUMENT: growth_document.document(),
        backends_document.DOCUMENT: backends_document.document(),
        vision_document.DOCUMENT: vision_document.document(),
        package_sizes.DOCUMENT: package_sizes.document(),
        workarounds.DOCUMENT: workarounds.document_text(),
        workarounds.RUNTIME_FILE: workarounds.runtime_text(workarounds.workarounds()),
        readme.DOCUMENT: readme.document(),
    }


def of_module() -> dict[Path, str]:
    """Return what the compiled module and the polyfill say of themselves."""
    from tools.docs import delegate_options, ops_table, polyfill_ops_table

    return {
        **delegate_options.texts(),
        ops_table.DOCUMENT: ops_table.text(),
        polyfill_ops_table.DOCUMENT: polyfill_ops_table.text(),
    }
