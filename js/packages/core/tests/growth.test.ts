import type { SignatureInfo, TensorInfo } from 'tflite-webnn';
import { exportGraphsAsScript, type GraphOperator } from 'tflite-webnn/explain';
import { describe, expect, it } from 'vitest';
import type { ModelDescription } from '../src/description.js';
import { makeSchedule } from '../src/model/schedule.js';
import { resolveInputs } from '../src/tensors/inputs_outputs.js';
import { distinct } from '../src/tensors/results.js';
import { floatTensor, STEPPED } from './fakes/sin_model.js';
import { port, STATE_GRAPH } from './fakes/state_model.js';

/** Counts how often members of objects are read. */
class Reads {
  count = 0;

  of<T extends object>(value: T): T {
    return new Proxy(value, {
      get: (target, key) => {
        this.count++;
        return Reflect.get(target, key);
      },
    });
  }
}

/** How many times as many members are read of twice as many objects. */
function growth(run: (size: number, reads: Reads) => void): number {
  const [once, twice] = [200, 400].map((size) => {
    const reads = new Reads();
    run(size, reads);
    return reads.count;
  }) as [number, number];
  expect(once).toBeGreaterThan(200);
  return twice / once;
}

function list<T>(size: number, of: (index: number) => T): T[] {
  return Array.from({ length: size }, (_, index) => of(index));
}

function tensors(size: number, name: string, reads: Reads): TensorInfo[] {
  return list(size, (index) => reads.of(floatTensor(index, `${name}${index}`)));
}

/** A signature with the same names for inputs and outputs, which are the tensors' indices. */
function signature(size: number, reads: Reads, subgraph = 0): SignatureInfo {
  const names = list(size, (tensor) => reads.of({ name: `n${tensor}`, tensor }));
  return { key: 'main', subgraph, inputs: names, outputs: names };
}

const LIMIT = 2.2;

describe('twice as many reads at most a little more than twice', () => {
  it('inputs by their names in a signature', () => {
    const grown = growth((size, reads) => {
      const inputs = tensors(size, 'x', reads);
      const provided = Object.fromEntries(inputs.map(({ index }) => [`n${index}`, new Float32Array(4)]));
      expect(resolveInputs(provided, { inputs, signatures: [signature(size, reads)] })).toHaveLength(size);
    });
    expect(grown).toBeLessThan(LIMIT);
  });

  it('constants of an operator in a script', () => {
    const grown = growth((size, reads) => {
      const constants = list(size, (id) => ({ id, dataType: 'float32', shape: [1], address: 4 * id, byteLength: 4 }));
      const parts = constants.map(({ id }) => reads.of({ operand: id }));
      const operator = { op: 'concat', label: '0:CONCATENATION', args: [parts, 0, {}], outputs: [size] };
      const outputs = [{ id: size, name: 'y', tensor: 0, dataType: 'float32', shape: [size] }];
      const graph = { inputs: [], constants, operators: [operator as unknown as GraphOperator], outputs } as never;
      expect(exportGraphsAsScript({ graphs: [graph], heap: () => new Uint8Array(4) }, 'it')).toContain('concat');
    });
    expect(grown).toBeLessThan(LIMIT);
  });
});

describe('what has no members to count', () => {
  const MANY = 40_000;
  /** Of milliseconds; with the square it takes more than ten times as long. */
  const MAX_MS = 3_000;

  function timed(run: () => void): number {
    const start = performance.now();
    run();
    return performance.now() - start;
  }

  it('different names of results', () => {
    const names = list(MANY, (index) => `name of ${index}`);
    expect(timed(() => distinct(names))).toBeLessThan(MAX_MS);
  });

  it('a graph that reads and writes as many states', () => {
    const tensors = list(MANY / 4, (index) => port(index, index));
    const graph = { ...STATE_GRAPH, inputs: tensors, outputs: tensors };
    const plan = [{ kind: 'webnn', graph: 0, inputs: [], outputs: [] }];
    const description = { ...STEPPED, graphs: [graph], plan, inputs: [], outputs: [] } as unknown as ModelDescription;
    expect(timed(() => makeSchedule(description))).toBeLessThan(MAX_MS);
  });
});
