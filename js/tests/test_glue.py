"""Threads of the module, whose script the toolchain has changed, in Node."""

import json
import subprocess

import pytest

from js.node import pinned_node
from wasm.toolchain import glue


@pytest.mark.parametrize(
    ("url", "started"),
    [
        ("https://page.example/a.mjs", "https://page.example/a.mjs"),
        ("https://cdn.example/a.mjs", 'import "https://cdn.example/a.mjs"'),
        ("file:///a.mjs", "file:///a.mjs"),
    ],
)
def test_a_thread_starts_from_any_origin(url: str, started: str) -> None:
    script = f"""globalThis.origin = 'https://page.example';
const options = {{ name: 'em-pthread' }}, url = new URL({json.dumps(url)});
globalThis.Worker = class {{
  constructor(given, {{ name }}) {{
    Object.assign(this, {{ name, text: fetch(given).then((answer) => answer.text(), () => String(given)) }});
  }}
}};
globalThis.fetch = ((load) => async (given) => (/^blob:/.test(given) ? load(given) : Promise.reject()))(fetch);
const worker = {glue.for_bundlers("new Worker(url,options)")};
console.log(JSON.stringify([worker.name, await worker.text]));"""
    ran = subprocess.run(
        [pinned_node(), "--input-type=module", "-e", script], capture_output=True, text=True, check=True
    )
    assert json.loads(ran.stdout) == ["em-pthread", started]
