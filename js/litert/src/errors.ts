/** Errors of this entry. What the runtime refuses are the runtime's own, e.g. InputShapeError. */

import { TFLiteWebnnError } from 'tflite-webnn';

/** `loadLiteRt()` was not called, has not finished, or was undone by `unloadLiteRt()`. */
export class LiteRtNotLoadedError extends TFLiteWebnnError {
  override readonly name = 'LiteRtNotLoadedError';
  override readonly code = 'LITERT_NOT_LOADED';

  constructor() {
    super('LiteRT is not loaded: await loadLiteRt().');
  }
}

/** A tensor, model or signature was used after `delete()`. */
export class LiteRtDeletedError extends TFLiteWebnnError {
  override readonly name = 'LiteRtDeletedError';
  override readonly code = 'LITERT_DELETED';

  /** @internal */
  constructor(what: string) {
    super(`${what} is deleted.`);
  }
}

/** Values and a shape that make no tensor, or a place that a tensor cannot be copied to. */
export class LiteRtTensorError extends TFLiteWebnnError {
  override readonly name = 'LiteRtTensorError';
  override readonly code = 'LITERT_TENSOR';
}

/** The inputs of a run are too few, too many, or none that the signature has. */
export class LiteRtInputError extends TFLiteWebnnError {
  override readonly name = 'LiteRtInputError';
  override readonly code = 'LITERT_INPUT';
}

/** LiteRT.js has this and tflite-webnn has not: buffers of WebGPU, weights beside the model, its own wasm objects. */
export class LiteRtUnsupportedError extends TFLiteWebnnError {
  override readonly name = 'LiteRtUnsupportedError';
  override readonly code = 'LITERT_UNSUPPORTED';
}
