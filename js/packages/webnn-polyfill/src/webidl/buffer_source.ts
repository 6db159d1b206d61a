/** `AllowSharedBufferSource`: an ArrayBuffer, a SharedArrayBuffer or a view of one. */

import { type Converter, wrongType } from './conversions.js';

/** Buffers and views, also shared ones. */
export type BufferSource = ArrayBufferLike | ArrayBufferView;

/** TypeScript's library of ES2022 has neither. */
type ResizableBuffer = ArrayBufferLike & { readonly resizable?: boolean; readonly growable?: boolean };

type ByteLengthGetter = (this: unknown) => number;

function byteLengthGetter(prototype: object): ByteLengthGetter {
  return Object.getOwnPropertyDescriptor(prototype, 'byteLength')?.get as ByteLengthGetter;
}

// Their getters recognize buffers of every realm. Pages that are not isolated may lack SharedArrayBuffer.
const BUFFER_GETTERS = [ArrayBuffer, globalThis.SharedArrayBuffer]
  .filter((buffer) => buffer !== undefined)
  .map(({ prototype }) => byteLengthGetter(prototype));

function isBuffer(value: unknown): value is ArrayBufferLike {
  return BUFFER_GETTERS.some((getter) => {
    try {
      getter.call(value);
      return true;
    } catch {
      return false;
    }
  });
}

/** The type's converter; it copies nothing. Without `[AllowResizable]`, Web IDL rejects resizable buffers. */
export const allowSharedBufferSource: Converter<BufferSource> = (value, what) => {
  if (ArrayBuffer.isView(value) || isBuffer(value)) {
    const { resizable, growable } = (ArrayBuffer.isView(value) ? value.buffer : value) as ResizableBuffer;
    return resizable || growable ? wrongType(what, 'of a fixed length') : value;
  }
  return wrongType(what, 'an ArrayBuffer, a SharedArrayBuffer or a view of one');
};

/** The first bytes of a buffer or view, or all of them, without a copy; none if it is detached. */
export function bytesOf(source: BufferSource, byteLength = source.byteLength): Uint8Array {
  return ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, byteLength)
    : new Uint8Array(source, 0, byteLength);
}
