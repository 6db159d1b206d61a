/** The terms of npm packages. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';

interface NpmPackage {
  readonly directory: string;
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

const { bundledPackages, noticesText } = (await import(new URL('../notices.mjs', import.meta.url).href)) as {
  bundledPackages(metafiles: readonly object[]): NpmPackage[];
  noticesText(packages: readonly NpmPackage[]): string;
};
const JS_DIR = fileURLToPath(new URL('../../..', import.meta.url));

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tflite-webnn-'));
});

afterEach(() => rmSync(directory, { recursive: true }));

function write(name: string, text: string): string {
  const file = join(directory, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return relative(JS_DIR, file);
}

it('files belong to the innermost package, unless nothing of them is left', () => {
  for (const [path, name] of Object.entries({ a: 'a', 'a/node_modules/@scope/b': 'b', c: 'c' })) {
    write(`node_modules/${path}/package.json`, `{ "name": "${name}" }`);
  }
  write('node_modules/a/dist/esm/package.json', '{ "type": "module" }');
  const inputs = {
    [write('node_modules/a/dist/esm/index.js', '')]: { bytesInOutput: 1 },
    [write('node_modules/a/node_modules/@scope/b/index.js', '')]: { bytesInOutput: 1 },
    [write('node_modules/c/index.js', '')]: { bytesInOutput: 0 },
    [write('src/own.ts', '')]: { bytesInOutput: 1 },
  };
  expect(bundledPackages([{ outputs: { 'a.mjs': { inputs } } }]).map(({ name }) => name)).toEqual(['a', 'b']);
});

it('a package without a license file is quoted by the name of this license', () => {
  const row = { directory, name: 'a', version: '1.0.0', license: 'Apache-2.0' };
  expect(noticesText([row])).toMatch(/^a 1\.0\.0 \(Apache-2\.0\)\n=+\n.*Version 2\.0, January 2004/ms);
  expect(() => noticesText([{ ...row, license: 'MIT' }])).toThrow(/a has no license file to quote/);
  write('LICENSE.md', 'own terms');
  expect(noticesText([{ ...row, license: 'MIT' }])).toContain('own terms');
});
