/** Values with embind's interface of C++ values, for `@tensorflow/tfjs-tflite`. */

import { messageOf } from 'tflite-webnn/errors';

/** `std::vector`, read only. */
export class CppVector<T> {
  readonly #elements: readonly T[];

  constructor(elements: readonly T[]) {
    this.#elements = elements;
  }

  size(): number {
    return this.#elements.length;
  }

  get(index: number): T | undefined {
    return this.#elements[index];
  }

  /** Frees nothing: there is no C++ object behind it. */
  delete(): void {}
}

/** `absl::StatusOr`: a value, or an error message. */
export class StatusOr<T> {
  readonly #value: T | null;
  readonly #message: string;

  private constructor(value: T | null, message: string) {
    this.#value = value;
    this.#message = message;
  }

  static of<T>(value: T): StatusOr<T> {
    return new StatusOr(value, '');
  }

  static error<T>(message: string): StatusOr<T> {
    return new StatusOr<T>(null, message);
  }

  ok(): boolean {
    return this.#value !== null;
  }

  errorMessage(): string {
    return this.#message;
  }

  value(): T | null {
    return this.#value;
  }

  /** Frees nothing: there is no C++ object behind it. */
  delete(): void {}
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

/** A value, or the message of the error that creating it threw. */
export function statusOf<T>(create: () => T): StatusOr<T> {
  try {
    return StatusOr.of(create());
  } catch (error) {
    return StatusOr.error(error instanceof Error ? error.message : messageOf(error));
  }
}
