/** What the classes of tasks share. */

import { messageOf } from 'tflite-webnn/errors';
import { StatusOr } from '../cpp_values.js';
import type { LastingModel } from '../lasting_model.js';

/** What tasks need of the module. */
export interface TaskHost {
  /** A copy of bytes of the heap. */
  read(address: number, sizeBytes: number): Uint8Array;
  /** Prepares a model: on WebNN where a call can wait for it, else on the CPU. */
  prepare(file: Uint8Array): LastingModel;
}

/** Options in C++: the client fills them from its message. */
export class OptionsCppProto {
  options: unknown = null;

  initFromJsProto(message: unknown): void {
    this.options = message;
  }

  /** Frees nothing: there is no C++ object behind it. */
  delete(): void {}
}

/** A value, or the message of the error that making it threw. */
export function statusOf<T>(make: () => T): StatusOr<T> {
  try {
    return StatusOr.of(make());
  } catch (error) {
    return StatusOr.error(error instanceof Error ? error.message : messageOf(error));
  }
}
