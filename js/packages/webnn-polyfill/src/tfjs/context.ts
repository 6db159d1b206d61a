/** A context: a device with its graphs and tensors. Kernels naturally run in the order of the calls. */

import type {
  EngineContext,
  EngineGraph,
  EngineTensor,
  ExportableEngineTensor,
  OperandDescriptor,
  RecordedGraph,
} from '../engine.js';
import type { MLOpSupportLimits } from '../generated/webnn_types.js';
import { type Backend, Device } from './backends.js';
import { TfjsGraph } from './graph.js';
import { opSupportLimits } from './op_table.js';
import { ExportableTensor, TfjsTensor } from './tensor.js';

export class TfjsContext implements EngineContext {
  readonly accelerated: boolean;
  readonly limits: MLOpSupportLimits;
  readonly lost: Promise<string>;
  readonly #device: Device;
  readonly #backend: Backend;
  readonly #alive = new Set<{ destroy(): void }>();

  constructor(backend: Backend) {
    this.#backend = backend;
    this.#device = new Device(backend);
    this.accelerated = backend.accelerated;
    this.limits = opSupportLimits(backend.maxTensorByteLength);
    this.lost = backend.lost;
  }

  async build(graph: RecordedGraph): Promise<EngineGraph> {
    return this.#device.run(() =>
      this.#track(new TfjsGraph(this.#device, graph, (built) => this.#alive.delete(built))),
    );
  }

  createTensor(descriptor: OperandDescriptor): EngineTensor {
    return this.#track(new TfjsTensor(this.#device, descriptor, (tensor) => this.#alive.delete(tensor)));
  }

  createExportableTensor(descriptor: OperandDescriptor, device: GPUDevice): ExportableEngineTensor {
    const { webgpu } = this.#backend;
    if (webgpu === undefined) throw new Error('this engine shares no memory with WebGPU');
    if (webgpu.device !== device) throw new Error('it is not the GPUDevice that the context was created on');
    const untrack = (tensor: TfjsTensor) => this.#alive.delete(tensor);
    return this.#track(new ExportableTensor(webgpu, this.#device, descriptor, untrack));
  }

  destroy(): void {
    for (const owned of this.#alive) owned.destroy();
    this.#backend.close();
  }

  #track<Owned extends { destroy(): void }>(owned: Owned): Owned {
    this.#alive.add(owned);
    return owned;
  }
}
