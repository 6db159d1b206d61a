/** Ids that are inputs of a model: which ones a description has, and what a run says of others. */

import { describe, expect, it } from 'vitest';
import type { GraphOperator, TensorInfo, WebnnGraph } from '../src/description.js';
import { InputValueError } from '../src/errors.js';
import { checkIds, idLimitsOf } from '../src/webnn/id_limits.js';

const INFOS = ['x', 'ids'].map((name, index): TensorInfo => {
  return { index, name, dtype: 'int32', shape: [2], shapeSignature: [2], sizeBytes: 8, quantization: null };
});

function operator(op: string, args: readonly unknown[], output: number, label = '3:GATHER'): GraphOperator {
  return { op, label, args, outputs: [output] };
}

/** Input 0 of tensor 1, and a constant table of [5, 7]. */
function limits(...operators: GraphOperator[]) {
  const port = { id: 0, name: 't1', tensor: 1, dataType: 'int32', shape: [2, 2] } as const;
  const table = { id: 1, dataType: 'float32', shape: [5, 7], address: 8, byteLength: 140 } as const;
  const graph: WebnnGraph = { inputs: [port], constants: [table], operators, outputs: [] };
  return idLimitsOf({ inputs: INFOS, graphs: [graph] });
}

const IDS = { operand: 0 };
const TABLE = { operand: 1 };

describe('limits of ids', () => {
  it('are those of the axis of a gather', () => {
    expect(limits(operator('gather', [TABLE, IDS, {}], 2))).toEqual([{ input: 1, sizes: [5] }]);
    expect(limits(operator('gather', [TABLE, IDS, { axis: 1 }], 2))).toEqual([{ input: 1, sizes: [7] }]);
    expect(limits(operator('gather', [TABLE, IDS, {}], 2, '0:EMBEDDING_LOOKUP'))).toHaveLength(1);
  });

  it('are those of the first axes of a gatherND', () => {
    expect(limits(operator('gatherND', [TABLE, IDS, {}], 2, '9:GATHER_ND'))).toEqual([{ input: 1, sizes: [5, 7] }]);
  });

  it('are found behind operators that keep ids, and tables behind those that keep shapes', () => {
    const ids = operator('reshape', [IDS, [4], {}], 2, '1:RESHAPE');
    const cast = operator('cast', [{ operand: 2 }, 'int64', {}], 3, '2:CAST');
    const table = operator('dequantizeLinear', [TABLE, TABLE, TABLE, {}], 4);
    const tall = operator('reshape', [{ operand: 4 }, [35, 1], {}], 5);
    const gather = operator('gather', [{ operand: 5 }, { operand: 3 }, {}], 6);
    expect(limits(ids, cast, table, tall, gather)).toEqual([{ input: 1, sizes: [35] }]);
  });

  it('are not known of computed ids and tables, and of gathers that other ops became', () => {
    const computed = operator('add', [IDS, IDS, {}], 2, '1:ADD');
    expect(limits(computed, operator('gather', [TABLE, { operand: 2 }, {}], 3))).toEqual([]);
    expect(limits(computed, operator('gather', [{ operand: 2 }, IDS, {}], 3))).toEqual([]);
    expect(limits(operator('gather', [TABLE, IDS, {}], 2, '3:REVERSE_V2'))).toEqual([]);
    expect(limits(operator('gather', [IDS, TABLE, {}], 2))).toEqual([]);
  });
});

describe('ids of a run', () => {
  const limit = { input: 1, sizes: [5, 7] };

  it('may be those of the table', () => {
    expect(() => checkIds([limit], INFOS, [Int32Array.of(9), Int32Array.of(4, 6, 0, 0)])).not.toThrow();
    expect(() => checkIds([limit], INFOS, [Int32Array.of(9), BigInt64Array.of(4n, 6n)])).not.toThrow();
    expect(() => checkIds([limit], INFOS, [Int32Array.of(9), undefined])).not.toThrow();
  });

  it.each([
    [Int32Array.of(0, 0, 5, 0), "Input ids has the id 5 at position 2: the model's table has those from 0 to 4."],
    [Int32Array.of(0, 7), "the id 7 at position 1: the model's table has those from 0 to 6. Give it one of them."],
    [Int32Array.of(-1, 0), 'the id -1 at position 0'],
    [BigInt64Array.of(0n, 2n ** 32n), 'the id 4294967296 at position 1'],
  ])('are refused outside of it: %s', (ids, message) => {
    expect(() => checkIds([limit], INFOS, [Int32Array.of(9), ids])).toThrow(InputValueError);
    expect(() => checkIds([limit], INFOS, [Int32Array.of(9), ids])).toThrow(message);
  });
});
