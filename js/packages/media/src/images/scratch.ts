/** Arrays that conversions share: a frame after another of the same size allocates none. What a photo needs is released. */

/** Bytes of an array, or of a canvas, that are kept between conversions: a frame of 3840 x 2160 pixels in RGBA. */
export const MAX_KEPT_BYTES = 2 ** 25;

/** An array that grows when more is needed, up to MAX_KEPT_BYTES: a larger one is of one conversion alone. */
export class Scratch<A extends { readonly length: number; readonly byteLength: number }> {
  #array: A;

  constructor(private readonly ArrayOf: new (length: number) => A) {
    this.#array = new ArrayOf(0);
  }

  /** At least `length` elements with unknown values; valid until the next call. */
  reserve(length: number): A {
    if (this.#array.length >= length) return this.#array;
    const array = new this.ArrayOf(length);
    if (array.byteLength <= MAX_KEPT_BYTES) this.#array = array;
    return array;
  }
}
