/** esbuild's options for each script. */

import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterEach, beforeEach, expect, it } from 'vitest';

interface Script {
  readonly name: string;
  readonly entry: string;
  readonly embedded?: boolean;
  readonly globalName?: string;
}

interface Options {
  readonly define: Record<string, string>;
  readonly external: readonly string[];
  readonly footer?: object;
  readonly format: string;
}

const { PACKAGE_SCRIPTS } = (await import(new URL('../scripts.mjs', import.meta.url).href)) as {
  PACKAGE_SCRIPTS: readonly Script[];
};
const { scriptOptions } = (await import(new URL('../options.mjs', import.meta.url).href)) as {
  scriptOptions(script: Script, target: { variants: string[]; directory: string; wasmDir: string }): Options;
};

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tflite-webnn-'));
  mkdirSync(join(directory, 'simd'));
  writeFileSync(join(directory, 'simd', 'tflite_webnn.wasm'), 'wasm');
  const glue = `var _a=Module["_a"]=()=>(_a=Module["_a"]=wasmExports["D"])();wasmExports["ba"]=wrap(wasmExports["ba"]);`;
  const start = 'export default () => new URL("tflite_webnn.wasm",import.meta.url).href;';
  writeFileSync(join(directory, 'simd', 'tflite_webnn.mjs'), glue + start);
});

afterEach(() => rmSync(directory, { recursive: true }));

const optionsOf = (script: Script) => scriptOptions(script, { variants: ['simd'], directory, wasmDir: directory });

it.each(PACKAGE_SCRIPTS)('$name knows the packaged variants', (script) => {
  const { define, external, format } = optionsOf(script);
  const integrity = `sha256-${createHash('sha256').update('wasm').digest('base64')}`;
  // A script that embeds a variant looks for none next to it.
  expect(define['__PACKAGED__.simd']).toBe(script.embedded ? 'false' : `"${integrity}"`);
  expect(define['__PACKAGED__.relaxedSimd']).toBe('false');
  expect(external).toContain('./gpu_bugs.mjs');
  expect(external).toContain('./custom_ops.mjs');
  const { globalName } = script;
  expect(optionsOf(script).footer).toEqual(globalName && { js: `globalThis.${globalName}=${globalName};` });
  expect(format).toBe(script.name.endsWith('.js') ? 'iife' : 'esm');
});

it.each([
  ['worker.mjs', 'index.mjs', 'CallerIO'],
  ['read_files.mjs', 'index.mjs', 'ArchiveError'],
  ['metadata_download.mjs', 'metadata.mjs', 'ArchiveError'],
])('%s imports from %s only what that exports', async (importing, exporting, example) => {
  const [script, exporter] = await Promise.all(
    [importing, exporting].map(async (name) => {
      const script = PACKAGE_SCRIPTS.find((one) => one.name === name) as Script;
      const options = optionsOf(script) as object;
      const { outputFiles, metafile } = await build({ ...options, write: false, metafile: true, sourcemap: false });
      const text = outputFiles.map((file) => file.text).join('');
      const outputs = Object.values(metafile.outputs);
      return { text, exports: outputs.find(({ entryPoint }) => entryPoint?.endsWith(script.entry))?.exports ?? [] };
    }),
  );
  const imports = script?.text.matchAll(/import\{([^}]*)\}from"\.\/(\w+\.mjs)"/g) ?? [];
  const names = Array.from(imports).flatMap(([, list = '', from]) => {
    expect(from).toBe(exporting);
    return list.split(',').map((row) => row.split(' as ')[0]);
  });
  expect(names).toContain(example);
  expect(names.filter((name) => !exporter?.exports.includes(name as string))).toEqual([]);
});

it('index.mjs leaves the readers of metadata to read_files.mjs, and the classic script contains them', async () => {
  const [index, classic] = await Promise.all(
    ['index.mjs', 'tflite_webnn.js'].map(async (name) => {
      const options = optionsOf(PACKAGE_SCRIPTS.find((one) => one.name === name) as Script) as object;
      const { outputFiles } = await build({ ...options, write: false, sourcemap: false });
      return outputFiles.map(({ text }) => text).join('');
    }),
  );
  expect(index).toContain('import("./read_files.mjs")');
  expect(index).not.toContain('inputTensorMetadata');
  expect(classic).toContain('inputTensorMetadata');
  expect(classic).not.toContain('read_files.mjs');
});

it('scripts that embed a module know its exports', () => {
  const script = PACKAGE_SCRIPTS.find(({ name }) => name === 'tflite_cpu.js') as Script;
  expect(optionsOf(script).define.__WASM_EXPORTS__).toBe('["D"]');
});

it('cpu.mjs names no module: bundlers would look for it', async () => {
  const options = optionsOf(PACKAGE_SCRIPTS.find(({ name }) => name === 'cpu.mjs') as Script) as object;
  const { outputFiles } = await build({ ...options, write: false, sourcemap: false });
  const [script] = outputFiles.map(({ text }) => text);
  expect(script).toContain('wasmExports');
  expect(script).not.toContain('"tflite_webnn.wasm"');
});
