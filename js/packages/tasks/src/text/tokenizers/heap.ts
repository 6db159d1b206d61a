/** A priority queue. */

/** Values, of which pop() returns the first. */
export class Heap<Value> {
  readonly #values: Value[] = [];
  readonly #isBefore: (a: Value, b: Value) => boolean;

  constructor(isBefore: (a: Value, b: Value) => boolean) {
    this.#isBefore = isBefore;
  }

  push(value: Value): void {
    let at = this.#values.length;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#isBefore(value, this.#values[parent] as Value)) break;
      this.#values[at] = this.#values[parent] as Value;
      at = parent;
    }
    this.#values[at] = value;
  }

  pop(): Value | undefined {
    const [first, last] = [this.#values[0], this.#values.pop()];
    const size = this.#values.length;
    if (size === 0 || last === undefined) return last;
    let at = 0;
    for (let child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && this.#isBefore(this.#values[child + 1] as Value, this.#values[child] as Value)) child++;
      if (!this.#isBefore(this.#values[child] as Value, last)) break;
      this.#values[at] = this.#values[child] as Value;
      at = child;
    }
    this.#values[at] = last;
    return first;
  }
}
