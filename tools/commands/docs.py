"""Generate the documents that come from the code.

Builds what is missing (the variant simd), then writes:
  docs/reference/ops.md               the delegate's table and the op cases, under the limits of Chromium 147
  docs/reference/delegate-options.md  the delegate's table of options, with its options for JavaScript and Python
  docs/reference/polyfill-ops.md      the polyfill's table of operators
  README.md                           its numbers, its table of browsers and its badges: the same two committed results
  docs/reference/browsers.md          the committed result of web_tests/tests/matrix
  docs/reference/benchmarks.md        the committed result of `build.py bench`
  docs/reference/browser-bugs.md      its table of workarounds: tools/probe/workarounds.toml
  docs/guides/hosting.md              its table of files: js/.size-limit.json
  docs/explanation/kernels.md         its table of slow kernels: the committed result of `python3 -m benchmarks.kernels`
  docs/reference/models.md            its table: the committed result of `python3 -m benchmarks.backends`
  docs/guides/switch-from-*.md        their tables: tools/bench/switch_features.toml, and the committed result of
                                      `python3 -m benchmarks.vision`
  js/packages/core/src/generated      the options, and the versions of browsers in that file
  the site's API pages                from the comments of the package's exports
No browser is started.
"""

import argparse

from tools import making, options

GROUPS = ("run",)


def add_options(_: argparse.ArgumentParser) -> None:
    pass


def run(_: argparse.Namespace) -> int:
    from site_generator import api_document

    from tools import readme
    from tools.bench import backends_document, kernels_document, peers_document, switch_documents
    from tools.docs import delegate_options, ops_table, package_sizes, polyfill_ops_table
    from tools.matrix import document as browsers_document
    from tools.probe import workarounds

    making.package([options.DEFAULT_VARIANT])
    delegate_options.write()
    workarounds.write()
    browsers_document.write()
    peers_document.write()
    kernels_document.write()
    backends_document.write()
    package_sizes.write()
    readme.write()
    for document in switch_documents.DOCUMENTS:
        document.write()
    api_document.build()
    polyfill_ops_table.write()
    return ops_table.run()
