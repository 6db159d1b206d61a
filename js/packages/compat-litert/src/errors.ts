/** Errors and warnings of this entry. What the runtime rejects are its own, e.g. InputError. */

import { TFLiteWebnnError } from 'tflite-webnn';

/** `loadLiteRt()` was not called, has not finished, or was undone by `unloadLiteRt()`. */
export class LiteRtNotLoadedError extends TFLiteWebnnError {
  override readonly name = 'LiteRtNotLoadedError';
  override readonly code = 'LITERT_NOT_LOADED';

  /** @internal */
  constructor() {
    super('LiteRT is not loaded: await loadLiteRt().');
  }
}

/** LiteRT.js has this and tflite-webnn has not: buffers of WebGPU, weights next to the model, its own wasm objects. */
export class LiteRtUnsupportedError extends TFLiteWebnnError {
  override readonly name = 'LiteRtUnsupportedError';
  override readonly code = 'LITERT_UNSUPPORTED';
}

const warned = new Set<string>();

/** Warns in the console, once for each text: models of a page tend to have the same reason. */
export function warnOnce(text: string): void {
  if (warned.has(text)) return;
  warned.add(text);
  console.warn(`tflite-webnn/litert: ${text}`);
}
