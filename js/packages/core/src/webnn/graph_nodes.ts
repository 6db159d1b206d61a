/**
 * A graph's description: operands, labels and kinds of its nodes, which a browser's bug depends on, and large
 * constants.
 */

import type { GraphConstant, GraphOperator, WebnnGraph } from '../description.js';
import type { MLOperand } from '../webnn_types.js';

/**
 * Returns the bytes of a constant: a view into the wasm heap, valid only until the next call, or until wasm runs again.
 *
 * @param address - Where they begin.
 * @param byteLength - How many there are.
 *
 * @group explain.mjs
 */
export type HeapReader = (address: number, byteLength: number) => Uint8Array;

/** Operands by their ids. */
export type Operands = ReadonlyMap<number, Pick<MLOperand, 'dataType' | 'shape'>>;

/** The node that a label names: "7:ADD" is of node 7. */
export function nodeOfLabel(label: string): number {
  return Number.parseInt(label, 10);
}

/** The operands that an argument names, at any depth. */
export function operandsIn(argument: unknown): number[] {
  if (typeof argument !== 'object' || argument === null) return [];
  if ('operand' in argument) return [(argument as { operand: number }).operand];
  return Object.values(argument).flatMap(operandsIn);
}

/**
 * The kind of each node by its label: its operators with types and ranks of what they read, `gather(float32:2,
 * int32:5)`.
 */
export function kindsOf({ operators }: Pick<WebnnGraph, 'operators'>, operands: Operands): Map<string, string> {
  const calls = new Map<string, string[]>();
  for (const operator of operators) {
    const known = calls.get(operator.label);
    if (known === undefined) calls.set(operator.label, [callText(operator, operands)]);
    else known.push(callText(operator, operands));
  }
  return new Map(Array.from(calls, ([label, texts]) => [label, texts.join(' ')]));
}

function callText({ op, args }: GraphOperator, operands: Operands): string {
  const read = args.flatMap(operandsIn).map((id) => {
    const operand = operands.get(id);
    return `${operand?.dataType}:${operand?.shape.length}`;
  });
  return `${op}(${read.join(', ')})`;
}

/** Operators that look up addresses are the likeliest to leave memory. */
const ADDRESSING = /^(?:gather|scatter)/;
/** Browsers' kernels are mostly tried with fewer axes. */
const MANY_AXES = 5;

/** How likely operators end a process: at least `SUSPICIOUS` where they are likelier than others. */
export function suspicionOf(operators: readonly GraphOperator[], operands: Operands): number {
  const ranks = operators.flatMap(({ args, outputs }) => [...args.flatMap(operandsIn), ...outputs]);
  const rank = ranks.reduce((max, id) => Math.max(max, operands.get(id)?.shape.length ?? 0), 0);
  const isAddressing = operators.some(({ op }) => ADDRESSING.test(op));
  return rank + (isAddressing || rank >= MANY_AXES ? SUSPICIOUS : 0);
}

/** See {@link suspicionOf}. */
export const SUSPICIOUS = 100;

/** The axis of a gemm's result along which its weights' rows lie. */
const ROW_AXIS = 1;

interface GemmOptions {
  readonly c?: { readonly operand: number };
  readonly bTranspose?: boolean;
}

/**
 * The graph with the weights of each gemm in pieces of at most `maxConstantBytes`, the workaround `large_constants`:
 * build() rejects larger ones ("Buffer size is over inline limit"), and its createConstantTensor() is not implemented.
 *
 * Weights are split by their rows: as many smaller gemms and a concat of their results, which costs a run nothing that
 * could be measured. A concat of the pieces themselves would be computed in every run: six times the time for a gemm of
 * 192 MiB. So all else that is too large is left to the browser, and where it rejects, its node goes to the CPU.
 */
export function splitLargeConstants(graph: WebnnGraph): WebnnGraph {
  const { maxConstantBytes: maxBytes = Number.POSITIVE_INFINITY } = graph;
  if (graph.constants.every(({ byteLength }) => byteLength <= maxBytes)) return graph;
  const splitter = new Splitter(graph);
  const operators = graph.operators.flatMap((operator) => splitter.split(operator, maxBytes));
  const constants = [...graph.constants, ...splitter.pieces];
  const read = new Set(operators.flatMap(({ args }) => args.flatMap(operandsIn)));
  return { ...graph, operators, constants: constants.filter(({ id }) => read.has(id)) };
}

/** The label of the first operator that reads a constant of more than `maxBytes`; null where there is none. */
export function labelOfLargeConstant({ constants, operators }: WebnnGraph, maxBytes: number): string | null {
  const large = new Set(constants.filter(({ byteLength }) => byteLength > maxBytes).map(({ id }) => id));
  return operators.find(({ args }) => args.flatMap(operandsIn).some((id) => large.has(id)))?.label ?? null;
}

class Splitter {
  readonly pieces: GraphConstant[] = [];
  readonly #constants: ReadonlyMap<number, GraphConstant>;
  #nextId: number;

  constructor({ inputs, constants, operators }: WebnnGraph) {
    this.#constants = new Map(constants.map((constant) => [constant.id, constant]));
    const ids = [...inputs, ...constants].map(({ id }) => id).concat(operators.flatMap(({ outputs }) => outputs));
    this.#nextId = ids.reduce((max, id) => Math.max(max, id), 0) + 1;
  }

  /** The operator itself, or a gemm for each piece of its weights and the concat of their results. */
  split(operator: GraphOperator, maxBytes: number): readonly GraphOperator[] {
    const { op, label, args, outputs } = operator;
    if (op !== 'gemm') return [operator];
    const [a, b, options] = args as [unknown, { readonly operand: number }, GemmOptions];
    const weights = this.#constants.get(b.operand);
    if (weights === undefined || weights.byteLength <= maxBytes || options.bTranspose !== true) return [operator];
    const bias = options.c === undefined ? null : this.#constants.get(options.c.operand);
    const [rows = 0] = weights.shape;
    if (weights.byteLength > rows * maxBytes) return [operator];
    if (bias === undefined || (bias !== null && bias.shape.join() !== String(rows))) return [operator];

    const count = Math.ceil(weights.byteLength / maxBytes);
    const gemms = ranges(rows, count).map(([start, end]): GraphOperator => {
      const c = bias && { c: { operand: this.#piece(bias, rows, start, end) } };
      const piece = { operand: this.#piece(weights, rows, start, end) };
      return { op, label, args: [a, piece, { ...options, ...c }], outputs: [this.#nextId++] };
    });
    const results = gemms.map((gemm) => ({ operand: gemm.outputs[0] }));
    return [...gemms, { op: 'concat', label, args: [results, ROW_AXIS, {}], outputs }];
  }

  /** Rows of a constant: it lies in memory row by row. */
  #piece({ dataType, shape, address, byteLength }: GraphConstant, rows: number, start: number, end: number): number {
    const rowBytes = byteLength / rows;
    const id = this.#nextId++;
    this.pieces.push({
      id,
      dataType,
      shape: [end - start, ...shape.slice(1)],
      address: address + start * rowBytes,
      byteLength: (end - start) * rowBytes,
    });
    return id;
  }
}

/** [0, total) in ranges of nearly equal length; one more than `count` never hurts where it does not divide. */
function ranges(total: number, count: number): [number, number][] {
  const length = Math.floor(total / count);
  const starts = Array.from({ length: Math.ceil(total / length) }, (_, index) => index * length);
  return starts.map((start) => [start, Math.min(start + length, total)]);
}
