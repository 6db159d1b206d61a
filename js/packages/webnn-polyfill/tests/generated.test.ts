/** The generator of the fusion rules' numbers. */

import { expect, test } from 'vitest';

test('a line of the header that is no number is an error', async () => {
  const file = new URL('../tools/fusion_limits.mjs', import.meta.url).href;
  const { limitsText } = (await import(file)) as { limitsText(header: string): string };
  const header = (value: string) => `namespace a {\ninline constexpr float kMaxRatio = ${value};\n}  // namespace a`;
  expect(limitsText(header('1.0f / 256'))).toContain('export const MAX_RATIO = 1.0 / 256;');
  expect(() => limitsText(header('kOther * 2'))).toThrow(/fusion_limits\.h: ".*" is not one number, or a quotient/);
});
