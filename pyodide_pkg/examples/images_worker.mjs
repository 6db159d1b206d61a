// Runs images.py in Python, for images.mjs. A request is a message { id, call, parameters }, its response { id, value
// } or { id, error }.

let python;
let images;

const calls = {
  /** Starts Python: addresses of the directory with Pyodide, the wheel, the module next to it, and the script. */
  async start({ pyodide, wheel, module, script }) {
    const { loadPyodide } = await import(`${pyodide}pyodide.mjs`);
    python = await loadPyodide({ packageBaseUrl: pyodide });
    // So the package starts under a content security policy, too, which forbids evaluating text.
    python.registerJsModule('tflite_webnn_js', await import(module));
    await python.loadPackage(['numpy', 'pillow', wheel], { messageCallback() {} });
    await calls.write({ path: 'images.py', url: script });
    images = python.pyimport('images');
  },

  /** Writes a file into Python's file system: { path, url } or { path, content }. */
  async write({ path, url, content = null }) {
    python.FS.writeFile(path, new Uint8Array(content ?? (await download(url))));
  },

  show: ({ image }) => called(images.show, image),
  classify: ({ image, model, webnn }) => called(images.classify, image, model, webnn),
  segment: ({ image, model, webnn }) => called(images.segment, image, model, webnn),
};

async function called(method, ...parameters) {
  const result = await method(...parameters);
  try {
    return result.toJs({ dict_converter: Object.fromEntries, create_pyproxies: false });
  } finally {
    result.destroy();
  }
}

async function download(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} responded with ${response.status}`);
  return response.arrayBuffer();
}

globalThis.onmessage = async ({ data: { id, call, parameters } }) => {
  try {
    globalThis.postMessage({ id, value: await calls[call](parameters) });
  } catch (error) {
    // The last line of Python's traceback is the error.
    globalThis.postMessage({ id, error: error.message.trim().split('\n').at(-1) });
  }
};
