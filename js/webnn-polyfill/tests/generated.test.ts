/** The generated files match the IDL and the delegate's header. */

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

test('a line of the header that is no number is an error', async () => {
  const file = new URL('../tools/fusion_limits.mjs', import.meta.url).href;
  const { limitsText } = (await import(file)) as { limitsText(header: string): string };
  const header = (value: string) => `namespace a {\ninline constexpr float kMaxRatio = ${value};\n}  // namespace a`;
  expect(limitsText(header('1.0f / 256'))).toContain('export const MAX_RATIO = 1.0 / 256;');
  expect(() => limitsText(header('kOther * 2'))).toThrow(/fusion_limits\.h: ".*" is not one number, or a quotient/);
});
