// The page's half of web_tests/drivers/python_page.py: Python in the page, in a worker of it, or in Node.

import { serveCalls } from './called.mjs';

let pyodide;
let origin;

const calls = {
  /** Starts Pyodide: { module, options, packages } are its address, options of loadPyodide(), and those of load(). */
  async start({ module, options, packages }) {
    const { loadPyodide } = await import(module);
    origin = (await fetch('/probe.html')).url.replace(/\/probe\.html$/, '');
    pyodide = await loadPyodide({ packageBaseUrl: `${origin}/pyodide/`, ...options });
    await calls.load({ packages });
  },

  /** Loads packages: { packages }, names and addresses of wheels. */
  async load({ packages }) {
    const addresses = packages.map((name) => (name.startsWith('/') ? origin + name : name));
    await pyodide.loadPackage(addresses, { messageCallback() {}, errorCallback: console.warn });
  },

  /** Registers a module of JavaScript: { name, url }. */
  async register({ name, url }) {
    pyodide.registerJsModule(name, await import(url));
  },

  /** Writes a file into Python's file system: { path, url }. */
  async writeFile({ path, url }) {
    pyodide.FS.writeFile(path, new Uint8Array(await (await fetch(url)).arrayBuffer()));
    pyodide.runPython('import importlib; importlib.invalidate_caches()');
  },

  /**
   * Calls a function of a Python module: { module, name, inputs, args, awaited } -> its result as JSON, with arrays
   * are only described; their bytes are PUT to /exchange/KEY/INDEX. `awaited`: as runPythonAsync() does, where Python may
   * wait with JSPI, and awaiting what it returns; else as runPython() does, where Python cannot wait.
   */
  async call({ module, name, inputs, args, awaited }, key) {
    const arrays = {};
    for (const [input, { url, ...type }] of Object.entries(inputs)) {
      arrays[input] = { ...type, content: await (await fetch(url)).arrayBuffer() };
    }
    const locals = pyodide.toPy({ module, name, arrays, arguments_json: JSON.stringify(args) });
    const values = '(module, name, arrays, arguments_json)';
    const result = awaited
      ? await pyodide.runPythonAsync(`import python_calls; await python_calls.call_and_wait${values}`, { locals })
      : pyodide.runPython(`import python_calls; python_calls.call${values}`, { locals });
    const [json, ...contents] = result.toJs();
    await Promise.all(contents.map((body, index) => fetch(`/exchange/${key}/${index}`, { method: 'PUT', body })));
    result.destroy();
    locals.destroy();
    return JSON.parse(json);
  },
};

serveCalls(calls, import.meta.url);
