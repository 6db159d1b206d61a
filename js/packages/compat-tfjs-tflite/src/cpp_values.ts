/** Values with embind's interface of C++ values, for `@tensorflow/tfjs-tflite`. */

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
