/** Names of operands as a person would give them: `filter_7`, `conv2d_7`. */

import type { GraphOperator } from '../description.js';
import { nodeOfLabel, operandsIn } from '../webnn/graph_nodes.js';

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

/** Gives each operand an identifier that no other one has. */
export class OperandNames {
  readonly #names = new Map<number, string>();
  readonly #taken = new Map<string, number>();

  /** The name of an operand that has one. */
  of(id: number): string {
    return this.#names.get(id) as string;
  }

  has(id: number): boolean {
    return this.#names.has(id);
  }

  /** Names a graph's input, as the graph does. */
  nameInput(id: number, name: string): string {
    return this.#give(id, name);
  }

  /** Names a constant after what its first reader takes it for: its argument at `position`. */
  nameConstant(id: number, { op, label, args }: GraphOperator, position: number): string {
    return this.#give(id, `${this.#role(op, args, position, id)}_${nodeOfLabel(label)}`);
  }

  /** Names the results of an operator after it. */
  nameResults({ op, label, outputs }: GraphOperator): string[] {
    return outputs.map((id) => this.#give(id, `${op}_${nodeOfLabel(label)}`));
  }

  #role(op: string, args: readonly unknown[], position: number, id: number): string {
    if (position === args.length - 1) {
      const options = Object.entries(args.at(-1) as object);
      return options.find(([, value]) => operandsIn(value).includes(id))?.[0] ?? 'constant';
    }
    const name = ARGUMENTS[op]?.[position];
    return name === undefined || name === 'input' ? 'constant' : name;
  }

  #give(id: number, wanted: string): string {
    const times = (this.#taken.get(wanted) ?? 0) + 1;
    this.#taken.set(wanted, times);
    const name = times === 1 ? wanted : `${wanted}_${times}`;
    this.#names.set(id, name);
    return name;
  }
}
