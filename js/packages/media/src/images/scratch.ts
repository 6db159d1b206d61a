/** Arrays that conversions share: a frame after another of the same size allocates none. */

/** An array that grows when more is needed, and is never released. */
export class Scratch<A extends { readonly length: number }> {
  #array: A;

  constructor(private readonly ArrayOf: new (length: number) => A) {
    this.#array = new ArrayOf(0);
  }

  /** At least `length` elements with unknown values; valid until the next call. */
  take(length: number): A {
    if (this.#array.length < length) this.#array = new this.ArrayOf(length);
    return this.#array;
  }
}
