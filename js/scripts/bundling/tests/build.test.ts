/** `npm run build`: its errors, and its output for a module. */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';

const COMMAND = fileURLToPath(new URL('../../build.mjs', import.meta.url));
const MODULE = {
  'tflite_webnn.mjs': 'export default 1',
  'tflite_webnn.wasm': 'wasm',
  'manifest.json': '{"key": "0123abcd"}',
  'THIRD_PARTY_NOTICES.txt': 'terms of the module\n',
};

let root: string;
let moduleDirectory: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tflite-webnn-'));
  moduleDirectory = join(root, 'wasm', 'relaxed-simd');
  mkdirSync(moduleDirectory, { recursive: true });
  for (const [name, content] of Object.entries(MODULE)) writeFileSync(join(moduleDirectory, name), content);
});

afterEach(() => rmSync(root, { recursive: true }));

function run(...args: string[]) {
  return spawnSync(process.execPath, [COMMAND, ...args], { encoding: 'utf8' });
}

it.each([
  [['nothing'], 'the command must be one of package, script, site, test-script, modules'],
  [['script', 'nothing', '.'], 'no script is named nothing; there are: programs, probes, pyodide'],
])('%j is rejected with the names that there are', (args, message) => {
  const { status, stderr } = run(...args);
  expect([status, stderr.trim()]).toEqual([1, `npm run build ${args[0]}: ${message}`]);
});

it('the package has what is built, and is built once', () => {
  const { status, stdout, stderr } = run('package', root);
  expect(status, stderr).toBe(0);
  expect(stdout).toContain('has the modules relaxed-simd.');
  expect(stderr).toContain(`There is no wasm module in ${join(root, 'wasm', 'simd')}, so the package lacks`);
  expect(stderr).toContain('run python3 build.py build, or set TFLITE_WEBNN_PREBUILT');
  const written = (name: string) => existsSync(join(root, 'package', name));
  expect(['index.mjs', 'node/index.mjs', 'index.d.mts', 'cpu.mjs'].filter(written)).toHaveLength(3);
  const text = (name: string) => readFileSync(join(root, 'package', name), 'utf8');
  const { variants, packages } = JSON.parse(text('manifest.json'));
  expect(variants).toEqual({ 'relaxed-simd': { key: '0123abcd' } });
  expect(packages['wasm-feature-detect']).toMatchObject({ license: 'Apache-2.0' });
  expect(text('THIRD_PARTY_NOTICES.txt')).toMatch(
    /^terms of the module\n.*^wasm-feature-detect [\d.]+ \(Apache-2\.0\)/ms,
  );
  expect(JSON.parse(text('report.schema.json')).title).toBe('ModelReport');
  expect(run('package', root)).toMatchObject({ status: 0, stdout: '', stderr: '' });
}, 120_000);
