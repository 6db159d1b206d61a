/** TypeScript types of the operators' arguments, which check the rules against the IDL. */

import { LATER_PARAMETERS, operatorsOf } from './write_tables.mjs';
import { typeText } from './write_types.mjs';

/** The text of src/generated/operator_calls.ts. */
export function callsText(idl) {
  const rows = operatorsOf(idl).map((operator) => `${operator.name}: ${callText(idl, operator)};`);
  const body = `/** Operands and attributes of a call, by operator. */\nexport interface OperatorCalls {\n${rows.join('\n')}\n}`;
  const types = [...idl.enums.keys(), 'MLNumber'].filter((name) => new RegExp(`\\b${name}\\b`).test(body)).sort();
  return [
    '/** Arguments of the operators. Generated from the IDL by tools/generate.mjs; not to be edited. */\n',
    "import type { OperandDescriptor } from '../engine.js';",
    `import type { ${types.join(', ')} } from './webnn_types.js';\n`,
    body,
  ].join('\n');
}

function callText(idl, operator) {
  const values = operator.arguments.flatMap((argument) => {
    const options = idl.dictionaries.get(argument.idlType.idlType);
    const provided = argument.name !== LATER_PARAMETERS[operator.name];
    return options ? membersOf(idl, options) : [{ ...plain(argument), provided }];
  });
  const fields = (requested) =>
    values
      .filter(({ idlType }) => isOperand(idlType) === requested)
      .map(({ name, idlType, provided }) => `${name}${provided ? '' : '?'}: ${valueText(idlType)}`);
  const attributes = fields(false);
  const attributesText = attributes.length > 0 ? `{${attributes.join('; ')}}` : 'object';
  return `{ operands: {${fields(true).join('; ')}}; attributes: ${attributesText} }`;
}

/** All members except the label, which the rules ignore. */
function membersOf(idl, { inheritance, members }) {
  const inherited = inheritance ? membersOf(idl, idl.dictionaries.get(inheritance)) : [];
  const own = members.map((member) => ({ ...plain(member), provided: Boolean(member.required || member.default) }));
  return [...inherited, ...own].filter(({ name }) => name !== 'label');
}

function plain({ name, idlType }) {
  return { name, idlType };
}

function isOperand(type) {
  return (type.generic === 'sequence' ? type.idlType[0] : type).idlType === 'MLOperand';
}

function valueText(type) {
  return typeText(type).replaceAll('MLOperand[]', 'OperandDescriptor[]').replace(/^MLOperand$/, 'OperandDescriptor');
}
