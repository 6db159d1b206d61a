/**
 * Prints the source files and functions of the runtime that V8 enters while a model loads, and in one run() in direct mode:
 *
 *   node scripts/tools/entered_files.mjs [--json]
 *
 * Each source file is compiled by itself, so that a file is a script of V8. The wasm module is the real one of build/wasm,
 * WebNN is the tests' fake one, and the model comes from a server.
 */

import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const JS_DIR = fileURLToPath(new URL('../..', import.meta.url));
const WASM_DIR = new URL('../../../build/wasm/', import.meta.url).href;
const SOURCES = 'packages/core/src';
const FAKES = 'packages/core/tests/fakes';
const CONSTANTS = Object.fromEntries(
  ['simd', 'relaxedSimd', 'simdThreads', 'relaxedSimdThreads'].map((name) => [`__PACKAGED__.${name}`, 'false']),
);

/** The files that loading and running enter, with their functions, by what was done. */
async function enteredFiles(directory) {
  const { loadTFLiteModel } = await importOf(directory, `${SOURCES}/index.js`);
  const { FakeContext, FakeGraphBuilder } = await importOf(directory, `${FAKES}/fake_webnn.js`);
  const { SIN_MODEL, writeModel } = await importOf(directory, `${FAKES}/tiny_model.js`);
  globalThis.MLGraphBuilder = FakeGraphBuilder;
  Object.defineProperty(globalThis, 'navigator', { value: { ml: { createContext: async () => new FakeContext() } } });
  const server = createServer((_, response) => response.end(writeModel(SIN_MODEL))).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.on('listening', resolve));
  const coverage = await Coverage.start(pathToFileURL(join(directory, SOURCES)).href);
  const options = { wasmPath: WASM_DIR, variant: 'simd', device: 'webnn' };
  const model = await loadTFLiteModel(`http://127.0.0.1:${server.address().port}/model.tflite`, options);
  const load = await coverage.counts();
  if (model.executionMode !== 'direct') throw new Error(`the model runs in the mode ${model.executionMode}`);
  await model.run(new Float32Array(4));
  await coverage.counts(); // the first run also looks up names
  await model.run(new Float32Array(4));
  const run = await coverage.counts();
  model.dispose();
  server.close();
  return { load, run };
}

/** V8's counters of calls, for the scripts below an address. */
class Coverage {
  static async start(root) {
    const session = new Session();
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    const coverage = new Coverage(session, root);
    await coverage.counts(); // what ran until now
    return coverage;
  }

  constructor(session, root) {
    this.session = session;
    this.root = root;
  }

  /** The functions that were called since the last time, by file. */
  async counts() {
    const { result } = await this.session.post('Profiler.takePreciseCoverage');
    const rows = result
      .filter(({ url }) => url.startsWith(this.root))
      .map(({ url, functions }) => [url.slice(this.root.length + 1).replace(/\.js$/, '.ts'), functions.filter(isCalled)])
      .filter(([, functions]) => functions.length > 0)
      .map(([file, functions]) => [file, functions.map(({ functionName }) => functionName || 'anonymous')]);
    return Object.fromEntries(rows.sort());
  }
}

function isCalled({ ranges }) {
  return ranges[0].count > 0;
}

function importOf(directory, file) {
  return import(pathToFileURL(join(directory, file)).href);
}

async function compile(directory) {
  await build({
    absWorkingDir: JS_DIR,
    entryPoints: [`${SOURCES}/**/*.ts`, ...['fake_webnn', 'fake_tensor', 'tiny_model'].map((name) => `${FAKES}/${name}.ts`)],
    outbase: '.',
    outdir: directory,
    define: CONSTANTS,
    target: 'node20',
    logLevel: 'warning',
  });
  writeFileSync(join(directory, 'package.json'), '{"type": "module"}');
  symlinkSync(join(JS_DIR, 'node_modules'), join(directory, 'node_modules'));
}

function print(title, files) {
  const functions = Object.values(files).flat();
  console.log(`${title}: ${Object.keys(files).length} files, ${functions.length} functions`);
  for (const [file, names] of Object.entries(files)) console.log(`  ${file}: ${names.join(', ')}`);
}

const directory = mkdtempSync(join(tmpdir(), 'entered_files-'));
try {
  await compile(directory);
  const { load, run } = await enteredFiles(directory);
  if (process.argv.includes('--json')) console.log(JSON.stringify({ load, run }));
  else {
    print('loading', load);
    print('run()', run);
  }
} finally {
  rmSync(directory, { recursive: true });
}
