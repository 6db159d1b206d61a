/** MLTensors of the fake WebNN. */

import type { MLContext, MLTensor, MLTensorDescriptor } from 'tflite-webnn';

/** A context that writes down what is done to it. */
interface LoggingContext extends MLContext {
  log(line: string): void;
}

/** Bytes with a descriptor. */
export class FakeTensor implements MLTensor {
  readonly data: Uint8Array;
  destroyed = false;

  constructor(
    readonly name: string,
    readonly descriptor: MLTensorDescriptor,
    private readonly context: LoggingContext,
  ) {
    this.data = new Uint8Array(4 * descriptor.shape.reduce((product, size) => product * size, 1));
  }

  get dataType() {
    return this.descriptor.dataType;
  }

  get shape() {
    return this.descriptor.shape;
  }

  get readable() {
    return this.descriptor.readable ?? false;
  }

  get writable() {
    return this.descriptor.writable ?? false;
  }

  destroy(): void {
    this.destroyed = true;
    this.context.log(`destroy ${this.name}`);
  }

  /** The fake behind a tensor, if `context` may use it: another context's is rejected as browsers do. */
  static usableOn(context: MLContext, tensor: MLTensor): FakeTensor {
    const fake = tensor as FakeTensor;
    if (fake.context !== context) throw new TypeError(`${fake.name} wasn't created with this context`);
    if (fake.destroyed) throw new DOMException(`${fake.name} is destroyed`, 'InvalidStateError');
    return fake;
  }
}
