/**
 * Writes src/generated: from the WebNN IDL of @webref/idl, and from the delegate's fusion_limits.h. Run it after a change
 * of either: `node webnn-polyfill/tools/generate.mjs`. A test fails while the files differ from its output.
 */

import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { formatted } from './formatted.mjs';
import { fusionLimitsText } from './fusion_limits.mjs';
import { readWebnnIdl } from './webnn_idl.mjs';
import { callsText } from './write_calls.mjs';
import { tablesText } from './write_tables.mjs';
import { typesText } from './write_types.mjs';

const FOLDER = new URL('../src/generated/', import.meta.url);

/** The generated files, by name, formatted. */
export async function generatedFiles() {
  const idl = await readWebnnIdl();
  return {
    'webnn_types.ts': formatted(typesText(idl)),
    'webnn_idl.ts': formatted(tablesText(idl)),
    'operator_calls.ts': formatted(callsText(idl)),
    'fusion_limits.ts': await fusionLimitsText(),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await mkdir(FOLDER, { recursive: true });
  for (const [name, text] of Object.entries(await generatedFiles())) await writeFile(new URL(name, FOLDER), text);
}
