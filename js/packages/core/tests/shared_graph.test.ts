import type { MLTensor, MLTensorDescriptor } from 'tflite-webnn';
import type { WebnnGraph } from 'tflite-webnn/explain';
import { describe, expect, it } from 'vitest';
import { SharedGraph } from '../src/blocking/helper.js';
import { type BuildRequest, memoryLayout } from '../src/blocking/helper_protocol.js';
import { FakeContext } from './fakes/fake_webnn.js';

const PORT = { tensor: 0, dataType: 'float32', shape: [2] } as const;
const DESCRIPTION: WebnnGraph = {
  inputs: ['a', 'b'].map((name, id) => ({ ...PORT, id, name })),
  constants: [],
  operators: [],
  outputs: [{ ...PORT, id: 2, name: 'c' }],
};

/** Rejects one of the tensors, immediately; the others take a while. */
class ShortContext extends FakeContext {
  readonly created: MLTensor[] = [];
  readonly freed: MLTensor[] = [];
  #requested = 0;

  constructor(private readonly rejected: number) {
    super();
  }

  override async createTensor(descriptor: MLTensorDescriptor): Promise<MLTensor> {
    if (this.#requested++ === this.rejected) throw new DOMException('out of memory', 'UnknownError');
    await new Promise((resolve) => setTimeout(resolve, 1));
    const tensor = await super.createTensor(descriptor);
    const destroy = tensor.destroy.bind(tensor);
    tensor.destroy = () => {
      this.freed.push(tensor);
      destroy();
    };
    this.created.push(tensor);
    return tensor;
  }
}

describe('SharedGraph', () => {
  it.each([0, 1, 2])('leaves nothing behind where the browser cannot make tensor %i', async (rejected) => {
    const context = new ShortContext(rejected);
    let isGraphDestroyed = false;
    const graph = {
      destroy: () => {
        isGraphDestroyed = true;
      },
    };
    const memory = new SharedArrayBuffer(memoryLayout(DESCRIPTION).byteLength);
    const request = { description: DESCRIPTION, memory } as BuildRequest;
    await expect(SharedGraph.create(context, graph, request)).rejects.toThrow('out of memory');
    expect(context.created).toHaveLength(2);
    expect(new Set(context.freed)).toEqual(new Set(context.created));
    expect(isGraphDestroyed).toBe(true);
  });
});
