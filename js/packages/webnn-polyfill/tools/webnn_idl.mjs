/** The WebNN IDL of @webref/idl, merged: one entry per name, with its partials and inheritance. */

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { parse } from 'webidl2';

/** Values of browsers and the W3C's tests that the IDL lacks. */
const OTHER_VALUES = { MLOperandDataType: ['int4', 'uint4'] };

/** Reads and merges the IDL: `{ enums, dictionaries, interfaces, typedefs }`, each a Map by name in the IDL's order. */
export async function readWebnnIdl() {
  const file = createRequire(import.meta.url).resolve('@webref/idl/webnn.idl');
  const idl = { enums: new Map(), dictionaries: new Map(), interfaces: new Map(), typedefs: new Map() };
  for (const definition of parse(await readFile(file, 'utf8'))) add(idl, definition);
  return idl;
}

function add({ enums, dictionaries, interfaces, typedefs }, definition) {
  const { type, name } = definition;
  if (type === 'enum') enums.set(name, allValues(definition));
  else if (type === 'typedef') typedefs.set(name, definition.idlType);
  else if (type === 'dictionary') merge(dictionaries, definition);
  else if (type === 'interface') merge(interfaces, definition);
}

function allValues({ name, values }) {
  return [...values.map(({ value }) => value), ...(OTHER_VALUES[name] ?? [])];
}

function merge(definitions, { name, inheritance, members }) {
  const known = definitions.get(name) ?? { name, inheritance: null, members: [] };
  known.inheritance ??= inheritance;
  known.members.push(...members);
  definitions.set(name, known);
}
