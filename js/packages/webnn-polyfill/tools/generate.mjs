/**
 * Writes src/generated: from the WebNN IDL of @webref/idl, and from the delegate's fusion_limits.h. `npm run generate`
 * runs it, and so does js/node.py whenever one of them, or a generator, has changed.
 */

import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { formatted } from './formatted.mjs';
import { fusionLimitsText } from './fusion_limits.mjs';
import { readWebnnIdl } from './webnn_idl.mjs';
import { callsText } from './write_calls.mjs';
import { tablesText } from './write_tables.mjs';
import { typesText } from './write_types.mjs';

const FOLDER = new URL('../src/generated/', import.meta.url);

const idl = await readWebnnIdl();
const files = {
  'webnn_types.ts': formatted(typesText(idl)),
  'webnn_idl.ts': formatted(tablesText(idl)),
  'operator_calls.ts': formatted(callsText(idl)),
  'fusion_limits.ts': await fusionLimitsText(),
};
await mkdir(FOLDER, { recursive: true });
await rm(new URL('.stamp', FOLDER), { force: true }); // js/node.py writes it, and has not seen these files
for (const [name, text] of Object.entries(files)) {
  const file = new URL(name, FOLDER);
  // Equal files stay: another process may be reading them.
  if (text !== (await readFile(file, 'utf8').catch(() => null))) await writeFile(file, text);
}
