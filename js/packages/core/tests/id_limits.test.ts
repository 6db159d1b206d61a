/** Ids that are inputs of a model: which ones a description has, and what a run says of others. */

import type { TensorInfo } from 'tflite-webnn';
import type { GraphOperator, WebnnGraph } from 'tflite-webnn/explain';
import { describe, expect, it } from 'vitest';
import { checkIds, idLimitsOf } from '../src/tensors/model_tensors.js';

const INFOS = ['x', 'ids'].map((name, index): TensorInfo => {
  return { index, name, dtype: 'int32', shape: [2], shapeSignature: [2], sizeBytes: 8, quantization: null };
});

function operator(op: string, args: readonly unknown[], output: number): GraphOperator {
  return { op, label: '3:GATHER', args, outputs: [output] };
}

/** Input 0 of tensor 1; `operand` has indices into 5 rows. */
function limits(operand: number, ...operators: GraphOperator[]) {
  const port = { id: 0, name: 't1', tensor: 1, dataType: 'int32', shape: [2, 2] } as const;
  const indexLimits = [{ operand, sizes: [5] }];
  const graph: WebnnGraph = { inputs: [port], constants: [], operators, outputs: [], indexLimits };
  return idLimitsOf({ inputs: INFOS, graphs: [graph] });
}

describe('limits of ids', () => {
  it('are those of inputs', () => {
    expect(limits(0)).toEqual([{ input: 1, sizes: [5] }]);
  });

  it('are found behind operators that keep ids', () => {
    const reshaped = operator('reshape', [{ operand: 0 }, [4], {}], 2);
    const cast = operator('cast', [{ operand: 2 }, 'int64', {}], 3);
    expect(limits(3, reshaped, cast)).toEqual([{ input: 1, sizes: [5] }]);
  });

  it('are not known of computed ids, and of inputs of a graph that are none of the model', () => {
    expect(limits(2, operator('add', [{ operand: 0 }, { operand: 0 }, {}], 2))).toEqual([]);
    expect(limits(7)).toEqual([]);
  });
});

describe('ids of a run', () => {
  const limit = { input: 1, sizes: [5, 7] };

  it('may be those of the table', () => {
    expect(() => checkIds(limit, INFOS, [Int32Array.of(9), Int32Array.of(4, 6, 0, 0)])).not.toThrow();
    expect(() => checkIds(limit, INFOS, [Int32Array.of(9), BigInt64Array.of(4n, 6n)])).not.toThrow();
    expect(() => checkIds(limit, INFOS, [Int32Array.of(9), undefined])).not.toThrow();
  });

  it.each([
    [Int32Array.of(0, 0, 5, 0), "Input ids has the id 5 at position 2: the model's table has those from 0 to 4."],
    [Int32Array.of(0, 7), "the id 7 at position 1: the model's table has those from 0 to 6. Pass one of them."],
    [Int32Array.of(-1, 0), 'the id -1 at position 0'],
    [BigInt64Array.of(0n, 2n ** 32n), 'the id 4294967296 at position 1'],
  ])('are rejected outside of it: %s', (ids, message) => {
    expect(() => checkIds(limit, INFOS, [Int32Array.of(9), ids])).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'INPUT_VALUE' }),
    );
    expect(() => checkIds(limit, INFOS, [Int32Array.of(9), ids])).toThrow(message);
  });
});
