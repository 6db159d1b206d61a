/**
 * Writes src/generated, from the WebNN IDL of @webref/idl and from the delegate's fusion_limits.h: `npm run generate`.
 * It does nothing while these and the generators are the same.
 */

import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { formatted } from './formatted.mjs';
import { fusionLimitsText, HEADER } from './fusion_limits.mjs';
import { readWebnnIdl } from './webnn_idl.mjs';
import { callsText } from './write_calls.mjs';
import { tablesText } from './write_tables.mjs';
import { typesText } from './write_types.mjs';

const TOOLS = new URL('.', import.meta.url);
const DIRECTORY = new URL('../src/generated/', import.meta.url);
const STAMP = new URL('.stamp', DIRECTORY);
/** It has the hash of the IDL's package. */
const LOCK_FILE = new URL('../../../package-lock.json', import.meta.url);

const generators = (await readdir(TOOLS)).sort().map((name) => new URL(name, TOOLS));
const hash = createHash('sha256');
for (const file of [LOCK_FILE, HEADER, ...generators]) hash.update(await readFile(file));
const expected = hash.digest('hex');
if (expected !== (await textOf(STAMP))) {
  await generate();
  await writeFile(STAMP, expected);
}

async function generate() {
  const idl = await readWebnnIdl();
  const files = {
    'webnn_types.ts': formatted(typesText(idl)),
    'webnn_idl.ts': formatted(tablesText(idl)),
    'operator_calls.ts': formatted(callsText(idl)),
    'fusion_limits.ts': await fusionLimitsText(),
  };
  await mkdir(DIRECTORY, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    const file = new URL(name, DIRECTORY);
    // Equal files stay: another process may be reading them.
    if (text !== (await textOf(file))) await writeFile(file, text);
  }
}

function textOf(file) {
  return readFile(file, 'utf8').catch(() => null);
}
