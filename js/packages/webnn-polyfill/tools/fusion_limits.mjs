/** The limits that the fusion rules share with the delegate, from its C++ header. */

import { readFile } from 'node:fs/promises';

export const HEADER = new URL('../../../../wasm/delegate/quantization/fusion_limits.h', import.meta.url);
const CONSTANT = /^inline constexpr (?:float|double) k(\w+) = (-?[\d.]+(?:e-?\d+)?)f?((?: \/ \d+)?);$/;

/** The text of src/generated/fusion_limits.ts. */
export async function fusionLimitsText() {
  return limitsText(await readFile(HEADER, 'utf8'));
}

/** The constants of the header as TypeScript, with its comments. */
export function limitsText(header) {
  const namespace = header.slice(header.indexOf('namespace'), header.indexOf('}  // namespace'));
  const lines = namespace.split('\n').slice(1).filter(Boolean).map((line) => {
    if (line.startsWith('// ')) return `/** ${line.slice(3)} */`;
    const [, name, value, divisor] = CONSTANT.exec(line) ?? [];
    if (name === undefined) throw new Error(`fusion_limits.h: "${line}" is not one number, or a quotient of two`);
    return `export const ${name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()} = ${value}${divisor};`;
  });
  const title = "/** Numbers of the fusion rules. Generated from the delegate's fusion_limits.h by tools/generate.mjs; not to be edited. */";
  return `${[title, '', ...lines].join('\n')}\n`;
}
