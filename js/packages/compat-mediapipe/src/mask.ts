/** Masks of segmentation. */

import { OptionError } from 'tflite-webnn';
import type { InstanceOf } from 'tflite-webnn/argument_kinds';

const MOST = 255;

/** A number for each pixel: bytes, or floats from 0 to 1. The other kind is computed when it is asked for. */
export class MPMask {
  /** Whether pixels in between are interpolated when the mask is drawn: of confidence, not of classes. */
  readonly interpolateValues: boolean;
  /** Width in pixels. */
  readonly width: number;
  /** Height in pixels. */
  readonly height: number;
  #bytes: Uint8Array | null;
  /** A function computes them when they are read for the first time. */
  #floats: Float32Array | (() => Float32Array) | null;

  /** @internal */
  static of(values: Uint8Array | Float32Array | (() => Float32Array), width: number, height: number): MPMask {
    return new MPMask(values, width, height);
  }

  private constructor(values: Uint8Array | Float32Array | (() => Float32Array), width: number, height: number) {
    this.interpolateValues = !(values instanceof Uint8Array);
    this.width = width;
    this.height = height;
    this.#bytes = values instanceof Uint8Array ? values : null;
    this.#floats = values instanceof Uint8Array ? null : values;
  }

  /** No canvas: the mask is in memory. */
  get canvas(): undefined {
    return undefined;
  }

  /** Whether it has bytes. */
  hasUint8Array(): boolean {
    return this.#bytes !== null;
  }

  /** Whether it has floats. */
  hasFloat32Array(): boolean {
    return this.#floats !== null;
  }

  /** Never: nothing is drawn with WebGL here. */
  hasWebGLTexture(): boolean {
    return false;
  }

  /** The bytes, row by row; of floats 255 times as much. */
  getAsUint8Array(): Uint8Array {
    this.#bytes ??= bytesOf(this.getAsFloat32Array());
    return this.#bytes;
  }

  /** The floats, row by row; of bytes a 255th. */
  getAsFloat32Array(): Float32Array {
    if (typeof this.#floats === 'function') this.#floats = this.#floats();
    this.#floats ??= floatsOf(this.#bytes as Uint8Array);
    return this.#floats;
  }

  /** @throws OptionError always: upload the array of `getAsFloat32Array()` instead. */
  getAsWebGLTexture(): InstanceOf<'WebGLTexture'> {
    throw new OptionError('A mask here is no WebGLTexture: upload the array of getAsFloat32Array().');
  }

  /** A mask with its own copy of the values. */
  clone(): MPMask {
    const values = this.interpolateValues ? this.getAsFloat32Array() : this.getAsUint8Array();
    return new MPMask(values.slice(), this.width, this.height);
  }

  /** Without effect, as in MediaPipe on the CPU: the values are JavaScript's, and stay readable. */
  close(): void {}
}

// Loops: from() with a function takes a hundred times as long.
function bytesOf(floats: Float32Array): Uint8Array {
  const bytes = new Uint8Array(floats.length);
  for (let index = 0; index < bytes.length; index++) bytes[index] = (floats[index] as number) * MOST;
  return bytes;
}

function floatsOf(bytes: Uint8Array): Float32Array {
  const floats = new Float32Array(bytes.length);
  for (let index = 0; index < floats.length; index++) floats[index] = (bytes[index] as number) / MOST;
  return floats;
}
