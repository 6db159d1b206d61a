"""Make the files of a release, and prove that they work.

Builds everything and writes build/release: the npm package, the wheel for Pyodide, an archive of each wasm module, of
the drop-in for tfjs-tflite, of the polyfill and of the site, SHA256SUMS, the integrity hashes for script tags, a bill
of materials, and the release notes. Two runs produce the same bytes.
Then it proves the release: each file is installed or served as a user would, in an empty directory, and runs a model.
It publishes nothing; .github/workflows/release.yml does, on a tag.
"""

import argparse

GROUPS = ("run", "site", "test")
PROOFS = "web_tests/tests/release"


def add_options(parser: argparse.ArgumentParser) -> None:
    text = "fail unless the checkout has this version, and CHANGELOG.md a section for it"
    parser.add_argument("--version", metavar="X.Y.Z", help=text)


def run(arguments: argparse.Namespace) -> int:
    from tools.suite import running
    from web_tests.browsers import setup

    make_files(arguments.version)
    setup.prepare(need_browser=True)
    return running.run([PROOFS])


def make_files(version: str | None = None) -> None:
    """Build everything, and the files of a release from it; `version` as for tools.release.release.make()."""
    from site_generator.paths import OUTPUT_DIR

    from tools.commands.serve import make_site
    from tools.release import release

    make_site(OUTPUT_DIR)
    release.make(version)
