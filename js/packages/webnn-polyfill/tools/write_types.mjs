/** TypeScript declarations of the WebNN IDL. */

const SPEC = 'https://www.w3.org/TR/webnn/';

/** TypeScript's names for types from outside the IDL; other names are the IDL's own. */
const TYPES = {
  DOMString: 'string',
  USVString: 'string',
  boolean: 'boolean',
  undefined: 'void',
  bigint: 'bigint',
  float: 'number',
  double: 'number',
  'unrestricted double': 'number',
  long: 'number',
  'unsigned long': 'number',
  'unsigned long long': 'number',
  AllowSharedBufferSource: 'ArrayBufferLike | ArrayBufferView',
  GPUDevice: "InstanceOf<'GPUDevice'>",
  GPUBuffer: "InstanceOf<'GPUBuffer'>",
};

/** The text of src/generated/webnn_types.ts. */
export function typesText({ enums, dictionaries, interfaces, typedefs }) {
  return [
    `/** TypeScript declarations of WebNN (${SPEC}). Generated from its IDL by tools/generate.mjs; not to be edited. */`,
    "import type { InstanceOf } from 'tflite-webnn/wasm';",
    ...[...enums].map(([name, values]) => `export type ${name} = ${values.map((value) => `'${value}'`).join(' | ')};`),
    ...[...typedefs].map(([name, type]) => `export type ${name} = ${typeText(type)};`),
    ...[...dictionaries.values()].map(dictionaryText),
    ...[...interfaces.values()].map(interfaceText),
  ].join('\n\n');
}

function dictionaryText({ name, inheritance, members }) {
  const fields = members.map(
    (member) => `${member.name}${member.required ? '' : '?'}: ${typeText(member.idlType)};`,
  );
  return `export interface ${name}${inheritance ? ` extends ${inheritance}` : ''} {\n${fields.join('\n')}\n}`;
}

function interfaceText({ name, members }) {
  const lines = members.filter(({ type }) => type !== 'constructor').map(memberText);
  return `export interface ${name} {\n${lines.join('\n')}\n}`;
}

function memberText(member) {
  if (member.type === 'attribute') return `readonly ${member.name}: ${typeText(member.idlType)};`;
  const parameters = member.arguments.map((argument) => {
    return `${argument.name}${argument.optional ? '?' : ''}: ${typeText(argument.idlType)}`;
  });
  return `${member.name}(${parameters.join(', ')}): ${typeText(member.idlType)};`;
}

/** The type in TypeScript. */
export function typeText(type) {
  if (type.union) return type.idlType.map(typeText).join(' | ');
  if (type.generic === 'sequence' || type.generic === 'FrozenArray') return `readonly ${grouped(type.idlType[0])}[]`;
  if (type.generic === 'record') return `Readonly<Record<string, ${typeText(type.idlType[1])}>>`;
  if (type.generic) return `${type.generic}<${type.idlType.map(typeText).join(', ')}>`;
  return TYPES[type.idlType] ?? type.idlType;
}

function grouped(type) {
  return type.union ? `(${typeText(type)})` : typeText(type);
}
