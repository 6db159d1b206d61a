/** Formats generated files with biome. */

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const WORKSPACE = fileURLToPath(new URL('../../..', import.meta.url));
const BIOME = fileURLToPath(new URL('../../../node_modules/.bin/biome', import.meta.url));

export function formatted(text) {
  const options = ['check', '--write', '--stdin-file-path=generated.ts'];
  const { status, stdout, stderr } = spawnSync(BIOME, options, { cwd: WORKSPACE, input: text });
  if (status !== 0) throw new Error(`biome cannot format what was generated: ${stderr}`);
  return stdout.toString();
}
