/** Reads flatbuffers' schemas. */

/** The schema's enums and unions, as names with numbers, the names of its unions, and the fields of its tables. */
export function parse(text) {
  const blocks = [...text.replace(/\/\/.*$/gm, '').matchAll(/\b(enum|union|table) (\w+)[^{]*\{([^}]*)\}/g)];
  const schema = { enums: new Map(), unions: new Set(), tables: new Map() };
  for (const [, kind, name, body] of blocks) {
    if (kind !== 'table') schema.enums.set(name, numbered(body, kind === 'union' ? 1 : 0));
    if (kind === 'union') schema.unions.add(name);
  }
  for (const [, kind, name, body] of blocks) {
    if (kind === 'table') schema.tables.set(name, fieldsOf(body, schema.unions));
  }
  return schema;
}

function numbered(body, first) {
  let next = first;
  const numbers = new Map();
  for (const entry of entries(body, ',')) {
    const [name, value] = entry.split('=').map((part) => part.trim());
    next = value === undefined ? next : Number(value);
    numbers.set(name, next++);
  }
  return numbers;
}

/** A union has two fields: the type of its table, and the table. */
function fieldsOf(body, unions) {
  return entries(body, ';').flatMap((entry) => {
    const [, name, type] = /^(\w+)\s*:\s*([\w[\]]+)/.exec(entry) ?? [];
    if (name === undefined) throw new Error(`the schema has a field that is none: ${entry}`);
    return unions.has(type) ? [{ name: `${name}_type`, type: 'ubyte' }, { name, type }] : [{ name, type }];
  });
}

function entries(body, separator) {
  return body.split(separator).flatMap((entry) => entry.trim() || []);
}
