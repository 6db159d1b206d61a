/**
 * Writes src/requirements.ts from the list of data types and ranks that the web platform tests require of every
 * implementation, `webnn/resources/minimum_datatype_set.json`: the working group's proposal for the specification's tables,
 * which no package has.
 *
 *     node js/apps/probes/tools/requirements.mjs FILE REVISION
 */

import { readFile, writeFile } from 'node:fs/promises';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';

const TABLE = new URL('../src/requirements.ts', import.meta.url);

/** The text of src/requirements.ts: one operator a line. */
export function requirementsText(list, revision) {
  const operators = JSON.parse(list.replace(/^\s*\/\/.*$/gm, ''));
  const rows = Object.entries(operators).sort(([one], [other]) => (one < other ? -1 : 1));
  const lines = rows.map(([op, operands]) => `  ${op}: { ${Object.entries(operands).map(operandText).join(', ')} },`);
  return `${HEADER.replace('REVISION', revision)}${lines.join('\n')}\n};\n`;
}

function operandText([name, { dataTypes, rankRange }]) {
  const { min = 0, max = 0 } = dataTypes.length > 0 ? rankRange : {};
  return `${name}: needs('${dataTypes.join(' ')}', ${min}, ${max})`;
}

const HEADER = `/**
 * Data types and ranks that every WebNN must support, by operator and operand. Written by tools/requirements.mjs from a
 * list of the web platform tests; not to be edited.
 */

/** What an implementation must support for an operand; no types: the operand, with its operator, is optional. */
export interface Requirement {
  readonly dataTypes: readonly string[];
  readonly rankRange: { readonly min: number; readonly max: number };
}

function needs(dataTypes: string, min: number, max: number): Requirement {
  return { dataTypes: dataTypes.split(' ').filter(Boolean), rankRange: { min, max } };
}

/** The list's version. */
export const REQUIREMENTS_SOURCE = 'web-platform-tests webnn/resources/minimum_datatype_set.json, REVISION';

// biome-ignore format: one operator a line
export const REQUIREMENTS: Readonly<Record<string, Readonly<Record<string, Requirement>>>> = {
`;

if (argv[1] === fileURLToPath(import.meta.url)) {
  const [file, revision] = argv.slice(2);
  if (!file || !revision) throw new Error('usage: requirements.mjs FILE REVISION');
  await writeFile(TABLE, requirementsText(await readFile(file, 'utf8'), revision));
}
