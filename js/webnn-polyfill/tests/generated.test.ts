/** The generated files are what the IDL says. */

import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

const GENERATOR = new URL('../tools/generate.mjs', import.meta.url).href;
const { generatedFiles } = (await import(GENERATOR)) as { generatedFiles(): Promise<Record<string, string>> };

test('the generated files are up to date', async () => {
  for (const [name, text] of Object.entries(await generatedFiles())) {
    const file = await readFile(new URL(`../src/generated/${name}`, import.meta.url), 'utf8');
    expect(file, `run: node webnn-polyfill/tools/generate.mjs (${name})`).toBe(text);
  }
});
