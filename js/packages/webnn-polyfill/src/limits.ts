/** opSupportLimits(): the specification's limits, narrowed by the engine's. */

import { ALL_DATA_TYPES } from './data_types.js';
import type { MLOpSupportLimits, MLTensorLimits } from './generated/webnn_types.js';
import { tensor } from './operators/rule.js';
import { RULES } from './operators/rules.js';

/** Limits of one operator's operands. */
export type OperatorLimits = Readonly<Record<string, Required<MLTensorLimits>>>;

/** Limits of a context, complete. */
export interface ContextLimits {
  readonly preferredInputLayout: 'nchw' | 'nhwc';
  readonly maxTensorByteLength: number;
  readonly graph: Readonly<Record<'input' | 'constant' | 'output', Required<MLTensorLimits>>>;
  readonly operators: Readonly<Record<string, OperatorLimits>>;
}

/** The size of an ArrayBuffer that works everywhere. */
const MAX_TENSOR_BYTES = 2 ** 31 - 1;

/** Limits of a context: those of the specification, narrowed by the engine's. */
export function contextLimits(engine: MLOpSupportLimits): ContextLimits {
  const narrowed = engine as Readonly<Record<string, Readonly<Record<string, MLTensorLimits>> | undefined>>;
  const operators = Object.entries(RULES).map(([op, { limits }]) => {
    const rows = Object.entries(limits as OperatorLimits);
    return [op, Object.fromEntries(rows.map(([name, row]) => [name, narrow(row, narrowed[op]?.[name])]))];
  });
  const any = tensor(ALL_DATA_TYPES);
  return {
    preferredInputLayout: engine.preferredInputLayout ?? 'nchw',
    maxTensorByteLength: belowFullElements(engine.maxTensorByteLength ?? MAX_TENSOR_BYTES),
    graph: {
      input: narrow(any, engine.input),
      constant: narrow(any, engine.constant),
      output: narrow(any, engine.output),
    },
    operators: Object.fromEntries(operators),
  };
}

/**
 * A browser-like limit: one byte less than a multiple of each type's element size. The W3C's tests divide the number
 * after it by an element's size, to get the smallest shape that is too large.
 */
function belowFullElements(limit: number): number {
  const largestElement = 8;
  return Math.floor((limit + 1) / largestElement) * largestElement - 1;
}

function narrow(allowed: Required<MLTensorLimits>, by: MLTensorLimits = {}): Required<MLTensorLimits> {
  const { dataTypes = allowed.dataTypes, rankRange = {} } = by;
  const min = Math.max(allowed.rankRange.min ?? 0, rankRange.min ?? 0);
  const max = Math.min(allowed.rankRange.max ?? 0, rankRange.max ?? Number.POSITIVE_INFINITY);
  return {
    dataTypes: allowed.dataTypes.filter((dataType) => dataTypes.includes(dataType)),
    rankRange: { min, max },
  };
}

/** The dictionary that opSupportLimits() returns: a new one, for the page to change. */
export function limitsDictionary({ graph, operators, ...scalars }: ContextLimits): MLOpSupportLimits {
  return structuredClone({ ...scalars, ...graph, ...operators }) as MLOpSupportLimits;
}
