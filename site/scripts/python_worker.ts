/** The worker of the Python page: runs Pyodide with tflite_webnn without blocking the page. */

import { download } from './common/download.js';
import { describeError } from './common/status_line.js';
import { isProxy, type Pyodide, type PyodideModule, type PyProxy } from './python/pyodide_types.js';
import type { FromWorker, ToWorker } from './python/python_protocol.js';

type Start = Extract<ToWorker, { kind: 'start' }>;

const QUIETLY = { messageCallback() {}, errorCallback: console.warn };

let python: Promise<Pyodide> | undefined;

self.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === 'start') {
    python = start(data);
    python.then(({ version }) => post({ kind: 'ready', version }), fail);
  } else if (data.kind === 'file') {
    const { name, content } = data;
    python?.then(({ FS }) => FS.writeFile(name, content)).catch(() => {}); // the start has failed and says so
  } else {
    run(data.code).then((value) => post({ kind: 'done', value }), fail);
  }
});

async function start({ siteUrl, pyodide, wheel, module, siteFiles }: Start): Promise<Pyodide> {
  reportDownloads();
  const { loadPyodide } = (await import(pyodide.url)) as PyodideModule;
  const directory = new URL('.', pyodide.url).href;
  const started = await loadPyodide({ indexURL: directory, packageBaseUrl: directory });
  started.setStdout({ batched: (text) => post({ kind: 'output', stream: 'out', text }) });
  started.setStderr({ batched: (text) => post({ kind: 'output', stream: 'err', text }) });
  // Registering the module avoids evaluating text, which a content security policy may forbid.
  started.registerJsModule('tflite_webnn_js', await import(module.url));
  await started.loadPackage(['numpy', wheel.url], QUIETLY);
  started.registerJsModule('_site_page', pageModule(started, siteUrl));
  started.FS.writeFile('site_files.py', await download(siteFiles));
  started.runPython('import importlib; importlib.invalidate_caches()');
  return started;
}

async function run(code: string): Promise<string | null> {
  if (!python) throw new Error('Python is not started');
  const started = await python;
  await started.loadPackagesFromImports(code, QUIETLY);
  const value = await started.runPythonAsync(code);
  if (value === undefined || value === null) return null;
  const text = isProxy(value) ? String(value) : JSON.stringify(value);
  if (isProxy(value)) value.destroy();
  return text;
}

/** The JavaScript module behind site_files.py. */
function pageModule({ FS }: Pyodide, siteUrl: string): object {
  return {
    async fetch(path: string): Promise<string> {
      const name = path.replace(/^.*\//, '');
      const url = new URL(path, siteUrl).href;
      if (!FS.analyzePath(name).exists) FS.writeFile(name, await download({ url, sizeBytes: 0 }));
      return name;
    },
    show(width: number, height: number, pixels: PyProxy): void {
      const buffer = pixels.getBuffer('u8');
      const rgba = buffer.data.slice().buffer as ArrayBuffer;
      buffer.release();
      post({ kind: 'image', width, height, rgba }, [rgba]);
    },
  };
}

/** Reports every downloaded byte to the page: Pyodide's own downloads report no progress. */
function reportDownloads(): void {
  const originalFetch = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const response = await originalFetch(input, init);
    const counting = new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        post({ kind: 'fetched', bytes: piece.length });
        controller.enqueue(piece);
      },
    });
    return response.body ? new Response(response.body.pipeThrough(counting), response) : response;
  };
}

function fail(error: unknown): void {
  post({ kind: 'failed', message: describeError(error) });
}

function post(message: FromWorker, transfer: Transferable[] = []): void {
  (self as unknown as Worker).postMessage(message, transfer);
}
