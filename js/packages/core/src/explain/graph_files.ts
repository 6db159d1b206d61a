/** The graphs of a model as files: JSON, or a script that a person can read, change and run. */

import type { GraphConstant, GraphOperator, GraphPort, WebnnGraph } from '../description.js';
import { GRAPHS, TEXT } from '../option_schema.js';
import { checkArguments } from '../support/validate_options.js';
import { nodeOfLabel, operandsIn } from '../webnn/graph_nodes.js';
import type { Explanation } from './explain_model.js';

/** Operators that return a list, be it of one. */
const LIST_OPERATORS: readonly string[] = ['split', 'gru', 'lstm', 'lstmCell'];

const BASE64_LINE = 120;

/**
 * Writes an ES module without imports: `describe()` returns the inputs and outputs of each graph, `build(context)` the
 * MLGraphs. The constants are in it, as base64.
 *
 * @param explanation - What explainModel() has found.
 * @param title - What the graphs are of; a comment.
 *
 * @group explain.mjs
 */
export function exportGraphsAsScript(explanation: Pick<Explanation, 'graphs' | 'heap'>, title: string): string {
  checkArguments('exportGraphsAsScript', { explanation, title }, { explanation: GRAPHS, title: TEXT });
  const { graphs } = explanation;
  const data = new ConstantData(explanation);
  const builders = graphs.map((graph, index) => builderFunction(graph, index, data));
  return [
    comment(`The WebNN graphs of ${title}, as tflite-webnn's delegate makes them.`),
    '',
    '/** Inputs and outputs of each graph, by name: the descriptors of the MLTensors that dispatch() accepts. */',
    'export function describe() {',
    '  return [',
    ...graphs.flatMap(describeGraph),
    '  ];',
    '}',
    '',
    '/** Builds the graphs. Where there are several, the model has nodes in between that WebNN does not compute. */',
    'export async function build(context) {',
    `  return [${graphs.map((_, index) => `await buildGraph${index}(context)`).join(', ')}];`,
    '}',
    ...builders.flatMap((lines) => ['', ...lines]),
    '',
    '/** A constant whose bytes begin at `start` of the data below. */',
    'function constant(builder, dataType, shape, start, byteLength) {',
    '  return builder.constant({ dataType, shape }, DATA.subarray(start, start + byteLength));',
    '}',
    '',
    ...data.lines(),
    '',
  ].join('\n');
}

function describeGraph({ inputs, outputs }: WebnnGraph): string[] {
  const descriptors = (name: string, tensors: readonly GraphPort[]) => [
    `      ${name}: {`,
    ...tensors.map((tensor) => `        ${tensor.name}: ${descriptor(tensor)},`),
    '      },',
  ];
  return ['    {', ...descriptors('inputs', inputs), ...descriptors('outputs', outputs), '    },'];
}

function builderFunction({ inputs, constants, operators, outputs }: WebnnGraph, index: number, data: ConstantData) {
  const names = new OperandNames();
  const constantOf = new Map(constants.map((constant) => [constant.id, constant]));
  const lines = inputs.map(
    (port) => `const ${names.nameInput(port.id, port.name)} = builder.input('${port.name}', ${descriptor(port)});`,
  );
  let label = '';
  for (const operator of operators) {
    if (operator.label !== label) lines.push('', comment(operator.label));
    label = operator.label;
    operator.args.forEach((argument, position) => {
      for (const id of operandsIn(argument)) {
        const constant = constantOf.get(id);
        if (constant === undefined || names.has(id)) continue;
        lines.push(`const ${names.nameConstant(id, operator, position)} = ${data.call(constant)};`);
      }
    });
    lines.push(call(operator, names));
  }
  const results = outputs.map(({ id, name }) => `${name}: ${names.of(id)}`);
  lines.push('', `return builder.build({ ${results.join(', ')} });`);
  const body = ['const builder = new MLGraphBuilder(context);', ...lines];
  return [`async function buildGraph${index}(context) {`, ...body.map((line) => (line === '' ? '' : `  ${line}`)), '}'];
}

function call(operator: GraphOperator, names: OperandNames): string {
  const { op, label, args } = operator;
  const options = { ...(args.at(-1) as object), label };
  const text = [...args.slice(0, -1), options].map((argument) => literal(argument, names)).join(', ');
  const results = names.nameResults(operator);
  const isList = results.length > 1 || LIST_OPERATORS.includes(op);
  return `const ${isList ? `[${results.join(', ')}]` : results[0]} = builder.${op}(${text});`;
}

function comment(content: string): string {
  return `// ${content.replaceAll(/\s+/g, ' ')}`;
}

/** A string literal in single quotes. Names come from the model: nothing in them may end the literal. */
function text(value: string): string {
  return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

function descriptor({ dataType, shape }: Pick<GraphPort, 'dataType' | 'shape'>): string {
  return `{ dataType: '${dataType}', shape: [${shape.join(', ')}] }`;
}

/** A value as JavaScript; the description writes infinities as strings. */
function literal(value: unknown, names: OperandNames): string {
  if (value === 'Infinity' || value === '-Infinity') return value;
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value)) return `[${value.map((element) => literal(element, names)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  if ('operand' in value) return names.of((value as { operand: number }).operand);
  const members = Object.entries(value).map(([key, member]) => `${key}: ${literal(member, names)}`);
  return `{ ${members.join(', ')} }`;
}

/** The bytes of all constants, one after the other; what two graphs share is there once. */
class ConstantData {
  readonly #heap: Explanation['heap'];
  readonly #starts = new Map<string, number>();
  readonly #parts: Uint8Array[] = [];
  #length = 0;

  constructor({ heap }: Pick<Explanation, 'heap'>) {
    this.#heap = heap;
  }

  /** The call that makes a constant. */
  call({ dataType, shape, address, byteLength }: GraphConstant): string {
    const key = `${address}+${byteLength}`;
    let start = this.#starts.get(key);
    if (start === undefined) {
      start = this.#length;
      this.#starts.set(key, start);
      this.#parts.push(this.#heap(address, byteLength).slice());
      this.#length += byteLength;
    }
    return `constant(builder, '${dataType}', [${shape.join(', ')}], ${start}, ${byteLength})`;
  }

  /** The declaration of DATA. */
  lines(): string[] {
    const bytes = new Uint8Array(this.#length);
    let end = 0;
    for (const part of this.#parts) {
      bytes.set(part, end);
      end += part.length;
    }
    const text = toBase64(bytes);
    const lines = Array.from({ length: Math.ceil(text.length / BASE64_LINE) }, (_, line) =>
      text.slice(line * BASE64_LINE, (line + 1) * BASE64_LINE),
    );
    // atob() passes over the line breaks.
    return [
      'const DATA = Uint8Array.from(',
      '  atob(`',
      ...lines,
      '`),',
      '  (character) => character.charCodeAt(0),',
      ');',
    ];
  }
}

/** What WebNN calls the arguments that are operands, by operator; the names of one-operand operators say nothing. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  conv2d: ['input', 'filter'],
  convTranspose2d: ['input', 'filter'],
  dequantizeLinear: ['input', 'scale', 'zeroPoint'],
  quantizeLinear: ['input', 'scale', 'zeroPoint'],
  prelu: ['input', 'slope'],
  gather: ['input', 'indices'],
  gatherElements: ['input', 'indices'],
  gatherND: ['input', 'indices'],
  scatterElements: ['input', 'indices', 'updates'],
  scatterND: ['input', 'indices', 'updates'],
  where: ['condition', 'trueValue', 'falseValue'],
  lstm: ['input', 'weight', 'recurrentWeight'],
  lstmCell: ['input', 'weight', 'recurrentWeight', 'hiddenState', 'cellState'],
  gru: ['input', 'weight', 'recurrentWeight'],
  gruCell: ['input', 'weight', 'recurrentWeight', 'hiddenState'],
};

/** Assigns each operand an identifier that no other one has. */
export class OperandNames {
  readonly #names = new Map<number, string>();
  readonly #counts = new Map<string, number>();

  /** The name of an operand that has one. */
  of(id: number): string {
    return this.#names.get(id) as string;
  }

  has(id: number): boolean {
    return this.#names.has(id);
  }

  /** Names a graph's input, as the graph does. */
  nameInput(id: number, name: string): string {
    return this.#assign(id, name);
  }

  /** Names a constant after its role for its first reader: its argument at `position`. */
  nameConstant(id: number, { op, label, args }: GraphOperator, position: number): string {
    return this.#assign(id, `${this.#role(op, args, position, id)}_${nodeOfLabel(label)}`);
  }

  /** Names the results of an operator after it. */
  nameResults({ op, label, outputs }: GraphOperator): string[] {
    return outputs.map((id) => this.#assign(id, `${op}_${nodeOfLabel(label)}`));
  }

  #role(op: string, args: readonly unknown[], position: number, id: number): string {
    if (position === args.length - 1) {
      const options = Object.entries(args.at(-1) as object);
      return options.find(([, value]) => operandsIn(value).includes(id))?.[0] ?? 'constant';
    }
    const name = ARGUMENTS[op]?.[position];
    return name === undefined || name === 'input' ? 'constant' : name;
  }

  #assign(id: number, requested: string): string {
    const times = (this.#counts.get(requested) ?? 0) + 1;
    this.#counts.set(requested, times);
    const name = times === 1 ? requested : `${requested}_${times}`;
    this.#names.set(id, name);
    return name;
  }
}

/**
 * Writes `{"graphs": [WebnnGraph, ...]}`, one element of a graph a line. docs/architecture.md has the format; a
 * constant has its bytes as base64, `data`, instead of an address.
 *
 * @param explanation - What explainModel() has found.
 *
 * @group explain.mjs
 */
export function exportGraphsAsJson(explanation: Pick<Explanation, 'graphs' | 'heap'>): string {
  checkArguments('exportGraphsAsJson', { explanation }, { explanation: GRAPHS });
  const { graphs, heap } = explanation;
  const texts = graphs.map(({ maxConstantBytes: _, indexLimits: __, ...graph }) => {
    const constants = graph.constants.map(({ address, byteLength, ...constant }) => ({
      ...constant,
      data: toBase64(heap(address, byteLength)),
    }));
    const parts = Object.entries({ ...graph, constants }).map(([key, elements]) => list(key, elements));
    return `{\n${parts.join(',\n')}\n}`;
  });
  return `{"graphs": [\n${texts.join(',\n')}\n]}\n`;
}

function list(key: string, elements: readonly unknown[]): string {
  return `"${key}": [\n${elements.map((element) => `  ${JSON.stringify(element)}`).join(',\n')}\n]`;
}

/** `String.fromCharCode` accepts only so many arguments. A multiple of 3: each piece but the last has no padding. */
const PIECE_BYTES = 3 * 8192;

/** Writes bytes as base64. */
export function toBase64(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    pieces.push(btoa(String.fromCharCode(...bytes.subarray(start, start + PIECE_BYTES))));
  }
  return pieces.join('');
}
