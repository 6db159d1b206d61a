/** Nodes in a graph's description: their operands, labels and kinds, which is what a browser's fault depends on. */

import type { GraphOperator, WebnnGraph } from '../description.js';
import type { MLOperand } from '../webnn_types.js';

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

/** The kind of each node by its label: its operators with types and ranks of what they read, `gather(float32:2, int32:5)`. */
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
  const rank = ranks.reduce((most, id) => Math.max(most, operands.get(id)?.shape.length ?? 0), 0);
  const isAddressing = operators.some(({ op }) => ADDRESSING.test(op));
  return rank + (isAddressing || rank >= MANY_AXES ? SUSPICIOUS : 0);
}

/** See {@link suspicionOf}. */
export const SUSPICIOUS = 100;
