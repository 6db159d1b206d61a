/** The OffscreenCanvas of the tests in Node. */

/** A canvas whose drawing is the red channel of an image by numbers. */
export class FakeCanvas {
  static readonly created: FakeCanvas[] = [];
  static failure: 'draw' | 'read' | 'size' | null = null;
  readonly [Symbol.toStringTag] = 'OffscreenCanvas';
  readonly canvas = this;
  globalCompositeOperation = '';
  static readonly MAX_PIXELS = 10_000;
  #drawn: readonly number[] = [];

  constructor(
    public width: number,
    public height: number,
  ) {
    FakeCanvas.created.push(this);
  }

  getContext(): this {
    return this;
  }

  save(): void {}
  beginPath(): void {}
  rect(): void {}
  clip(): void {}
  restore(): void {}
  fillRect(): void {}

  drawImage(_: unknown, ...box: number[]): void {
    if (FakeCanvas.failure === 'draw') throw new DOMException('detached', 'InvalidStateError');
    this.#drawn = box;
  }

  getImageData(_left: number, _top: number, width: number, height: number) {
    if (FakeCanvas.failure === 'read' && this.#drawn.length > 0) throw new DOMException('tainted', 'SecurityError');
    if (FakeCanvas.failure === 'size') throw new DOMException('out of memory', 'InvalidStateError');
    const [left = 0, top = 0] = this.#drawn;
    const data = new Uint8ClampedArray(width * height * 4);
    if (this.width * this.height > FakeCanvas.MAX_PIXELS) return { data };
    for (let pixel = 0; pixel < width * height; pixel++) {
      data[pixel * 4 + 3] = 255;
      data[pixel * 4] = (Math.floor(pixel / width) - top) * 10 + (pixel % width) - left;
    }
    return { data };
  }
}
