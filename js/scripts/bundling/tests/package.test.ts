/** Steps after esbuild. */

import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const { completeDropIn, inputsHash, runTsc, withDirectoryAbove } = (await import(
  new URL('../package.mjs', import.meta.url).href
)) as {
  completeDropIn(directory: string): void;
  inputsHash(sources: readonly string[], modules: readonly string[]): string;
  runTsc(...args: string[]): Promise<void>;
  withDirectoryAbove(script: string): string;
};

it.each([
  ['import("./simd/tflite_webnn.mjs")', 'import("../simd/tflite_webnn.mjs")'],
  [
    'new URL("./relaxed-simd-threads/tflite_webnn.wasm", import.meta.url)',
    'new URL("../relaxed-simd-threads/tflite_webnn.wasm", import.meta.url)',
  ],
  ['import("./polyfill_gpu.mjs")', 'import("../polyfill_gpu.mjs")'],
  ['import("./polyfill.mjs")', 'import("./polyfill.mjs")'],
])('scripts for Node load modules from the directory above: %s', (line, expected) => {
  expect(withDirectoryAbove(line)).toBe(expected);
});

it('the drop-in has every script name that the client requests', () => {
  const directory = mkdtempSync(join(tmpdir(), 'tflite-webnn-'));
  const dropIn = join(directory, 'tfjs-tflite');
  for (const name of ['simd', 'tfjs-tflite']) mkdirSync(join(directory, name));
  writeFileSync(join(directory, 'simd', 'tflite_webnn.wasm'), 'wasm');
  writeFileSync(join(dropIn, 'tflite_web_api_cc_simd.js'), 'script');
  for (const name of ['webnn_helper.mjs', 'gpu_bugs.mjs']) writeFileSync(join(directory, name), name);
  completeDropIn(directory);
  const files = readdirSync(dropIn).map((name) => [name, readFileSync(join(dropIn, name), 'utf8')]);
  expect(Object.fromEntries(files)).toEqual({
    'gpu_bugs.mjs': 'gpu_bugs.mjs',
    'tflite_web_api_cc.js': 'script',
    'tflite_web_api_cc_simd.js': 'script',
    'tflite_web_api_cc_simd.wasm': 'wasm',
    'tflite_web_api_cc_simd_threaded.js': 'script',
    'tflite_web_api_cc_threaded.js': 'script',
    'webnn_helper.mjs': 'webnn_helper.mjs',
  });
  rmSync(directory, { recursive: true });
});

it('types that do not compile are an error with what TypeScript prints', async () => {
  await expect(runTsc('-p', 'nowhere.json')).rejects.toThrow(
    /the types do not compile \(tsc -p nowhere\.json.*TS5058/s,
  );
});

it('a change of a source or of a module is a reason to build, and one of a test is not', () => {
  const directory = mkdtempSync(join(tmpdir(), 'tflite-webnn-'));
  const names = [
    'src/index.ts',
    'tests/index.test.ts',
    'simd/tflite_webnn.mjs',
    'simd/tflite_webnn.wasm',
    'simd/manifest.json',
  ];
  const write = (name: string, text: string) => writeFileSync(join(directory, name), text);
  for (const name of ['src', 'tests', 'simd']) mkdirSync(join(directory, name));
  for (const name of names) write(name, '');
  const hash = () => inputsHash([join(directory, 'src'), join(directory, 'tests')], [join(directory, 'simd')]);
  const hashes = names.map((name) => {
    const before = hash();
    write(name, 'changed');
    return before !== hash();
  });
  expect(hashes).toEqual([true, false, true, true, true]);
  rmSync(directory, { recursive: true });
});

it('a build removes files of earlier names', async () => {
  const root = mkdtempSync(join(tmpdir(), 'tflite-webnn-'));
  const directory = join(root, 'package');
  const outdated = ['earlier.mjs', 'metadata-chunk-0.mjs', 'node/earlier.mjs', 'earlier/tflite_webnn.wasm'];
  for (const name of ['node', 'earlier']) mkdirSync(join(directory, name), { recursive: true });
  for (const name of outdated) writeFileSync(join(directory, name), '');
  await promisify(execFile)(process.execPath, [
    fileURLToPath(new URL('../../build.mjs', import.meta.url)),
    'package',
    root,
  ]);
  const files = readdirSync(directory, { recursive: true });
  expect(files).toContain('index.mjs');
  expect(files.filter((name) => outdated.includes(String(name)))).toEqual([]);
  rmSync(root, { recursive: true });
}, 120_000);
