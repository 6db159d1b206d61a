"""Install and download everything, compile nothing.

Installs and downloads what the other commands need, so that they then run without a network:
  1. Emscripten of the pinned version in a private Debian directory; TFLITE_WEBNN_TOOLCHAIN=native uses your own emcc
  2. the third-party sources of wasm/third_party/sources.toml: upstream git, else a Debian source archive
  3. the JavaScript packages of js/package-lock.json; Pyodide's and JupyterLite's tools, for `pyodide`
  4. browsers: a headless shell with native WebNN, and Debian's Chromium without it
  5. for `test` only: Debian's Firefox ESR and WebKitGTK; without root or sudo it prints the command to run
"""

import argparse

from tools import options

GROUPS = ("run", "site", "test", "lint")
add_options = options.add_sources


def run(arguments: argparse.Namespace) -> None:
    from pyodide_pkg import tools as pyodide_tools
    from support import npm
    from wasm.toolchain import setup
    from web_tests.browsers import setup as browsers

    setup.prepare(dict(arguments.source))
    npm.install()
    pyodide_tools.prepare()
    browsers.prepare(need_browser=True)
    browsers.prepare_engines()
