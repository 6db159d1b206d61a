/** Calls of operators with their outcome, for the tests in Node and for comparisons with a browser's own WebNN. */

import type { MLGraphBuilder, MLOperand, MLOperandDataType } from 'webnn-polyfill';

/** Creates the operands of a call. */
export class Operands {
  #count = 0;

  constructor(private readonly builder: MLGraphBuilder) {}

  of(dataType: MLOperandDataType, ...shape: number[]): MLOperand {
    this.#count += 1;
    return this.builder.input(`input${this.#count}`, { dataType, shape });
  }

  /** float32 */
  f(...shape: number[]): MLOperand {
    return this.of('float32', ...shape);
  }

  /** int32 */
  i(...shape: number[]): MLOperand {
    return this.of('int32', ...shape);
  }

  /** uint8 */
  u(...shape: number[]): MLOperand {
    return this.of('uint8', ...shape);
  }
}

/** The outcome of an invalid call. */
export const WRONG = 'TypeError';

/** Title, arguments, and the outcome: `float32 [1,2]` for each result, or the name of the error. */
export type Case = readonly [title: string, args: (operands: Operands) => readonly unknown[], outcome: string];

/** Cases by operator. */
export type Cases = Readonly<Record<string, readonly Case[]>>;

/** Runs one call and describes its outcome. */
export function outcomeOf(
  builder: MLGraphBuilder,
  op: string,
  args: (operands: Operands) => readonly unknown[],
): string {
  const values = args(new Operands(builder));
  try {
    const method = Reflect.get(builder, op) as (...values: readonly unknown[]) => MLOperand | MLOperand[];
    const results = [Reflect.apply(method, builder, values)].flat();
    return results.map(({ dataType, shape }) => `${dataType} [${shape}]`).join(' ');
  } catch (error) {
    return (error as Error).name;
  }
}
