"""Emscripten's JavaScript without dynamic imports, and its threads in Node."""

import json

import pytest

from support.command import run
from support.npm import pinned_node
from wasm.toolchain import glue
from wasm.toolchain.glue import GlueError


def test_nodes_modules_are_not_imported() -> None:
    text = """if(NODE){const{createRequire}=await import("module");let dirname=import.meta.url}
if (isNode) isPthread = (await import('worker_threads')).workerData === 'em-pthread';"""
    assert (
        glue.for_bundlers(text)
        == """if(NODE){const{createRequire}=process.getBuiltinModule("module");let dirname=import.meta.url}
if (isNode) isPthread = process.getBuiltinModule("worker_threads").workerData === 'em-pthread';"""
    )


@pytest.mark.parametrize("space", ["", " "])
def test_bundlers_do_not_see_the_worker(space: str) -> None:
    changed = glue.for_bundlers(f"push(new Worker(url,{space}options))")
    assert "new Worker(" not in changed
    assert changed.startswith("push(new globalThis.Worker(")


def test_another_import_is_an_error() -> None:
    with pytest.raises(GlueError, match=r'a dynamic import: import\("./other.mjs"\)'):
        glue.for_bundlers('await import("./other.mjs")')


def test_comments_may_name_imports() -> None:
    """As in the scripts of variants that are linked with -O1."""
    text = 'if (node) {\n  // TODO: Swap all `require()`s with `import()`s?\n  x = await import("module");\n}'
    assert glue.for_bundlers(text) == text.replace('await import("module")', 'process.getBuiltinModule("module")')
    with pytest.raises(GlueError, match="import: import"):
        glue.for_bundlers("// import()\n  y = import(name);")


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
  constructor(provided, {{ name }}) {{
    Object.assign(this, {{ name, text: fetch(provided).then((response) => response.text(), () => String(provided)) }});
  }}
}};
globalThis.fetch = ((load) => async (provided) => (/^blob:/.test(provided) ? load(provided) : Promise.reject()))(fetch);
const worker = {glue.for_bundlers("new Worker(url,options)")};
console.log(JSON.stringify([worker.name, await worker.text]));"""
    printed = run([pinned_node(), "--input-type=module", "-e", script], capture=True, quiet=True)
    assert json.loads(printed) == ["em-pthread", started]
