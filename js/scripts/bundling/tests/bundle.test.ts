/** The command line's errors. */

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const COMMAND = fileURLToPath(new URL('../bundle.mjs', import.meta.url));

it.each([
  [['nothing'], 'the command must be one of modules, package, script, test-script'],
  [['script', 'nothing', '.'], 'no script is named nothing; there are: programs, probes, pyodide'],
])('%j is rejected with the names that there are', (args, message) => {
  const { status, stderr } = spawnSync(process.execPath, [COMMAND, ...args], { encoding: 'utf8' });
  expect([status, stderr.trim()]).toEqual([1, `js/scripts/bundling/bundle.mjs ${args[0]}: ${message}`]);
});
