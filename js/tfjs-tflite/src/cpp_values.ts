/** Values in the shape that embind gives C++ values, which is how `@tensorflow/tfjs-tflite` reads them. */

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

  /** Nothing to free: there is no C++ behind it. */
  delete(): void {}
}

/** `absl::StatusOr`: a value, or the message of what went wrong. */
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

  /** Nothing to free: there is no C++ behind it. */
  delete(): void {}
}
