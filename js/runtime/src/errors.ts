/**
 * Errors of this package. Each says what failed, where, and what to do; each has its own class, so that a page can
 * distinguish them with `instanceof`, and a `code` that survives a worker's postMessage.
 */

import { printable } from './support/printable.js';

/** Additional data of an error, e.g. `node`, `op`, `tensor`. */
export type ErrorDetails = Readonly<Record<string, unknown>>;

/** What all constructors below take besides the message. */
export interface ErrorContext {
  /** The error underneath, with the browser's own message. */
  cause?: unknown;
  /** Machine-readable facts about the failure. */
  details?: ErrorDetails;
}

/** Base class of every error that this package throws. */
export class TFLiteWebnnError extends Error {
  /** Name of the class. */
  override readonly name: string = 'TFLiteWebnnError';
  /** Stable, upper-case identifier of the kind of failure. */
  declare readonly code: string;
  /** Machine-readable facts about the failure. */
  readonly details: ErrorDetails;

  /** @internal */
  constructor(message: string, context: ErrorContext = {}) {
    super(printable(message), 'cause' in context ? { cause: context.cause } : undefined);
    this.details = context.details ?? {};
  }
}

/** The model file could not be fetched. */
export class ModelFetchError extends TFLiteWebnnError {
  override readonly name = 'ModelFetchError';
  override readonly code = 'MODEL_FETCH_FAILED';
  /** HTTP status of the answer, or null where none came. */
  readonly status: number | null;

  /** @internal */
  constructor(message: string, status: number | null, context: ErrorContext = {}) {
    super(message, context);
    this.status = status;
  }
}

/** The file is not a TFLite model at all (e.g. an HTML error page, or zeros). */
export class NotATFLiteModelError extends TFLiteWebnnError {
  override readonly name = 'NotATFLiteModelError';
  override readonly code = 'NOT_A_TFLITE_MODEL';
}

/** The file is a TFLite model but damaged, e.g. truncated. */
export class MalformedModelError extends TFLiteWebnnError {
  override readonly name = 'MalformedModelError';
  override readonly code = 'MALFORMED_MODEL';
}

/** The model needs TensorFlow ops ("Flex"), which this runtime does not contain. */
export class FlexOpError extends TFLiteWebnnError {
  override readonly name = 'FlexOpError';
  override readonly code = 'FLEX_OP';
}

/** The model was compiled for an Edge TPU. */
export class EdgeTpuOpError extends TFLiteWebnnError {
  override readonly name = 'EdgeTpuOpError';
  override readonly code = 'EDGE_TPU_OP';
}

/** The module was built for certain models (`build.py build --model`), and this one has other ops; `details.ops` names them. */
export class OpsNotInBuildError extends TFLiteWebnnError {
  override readonly name = 'OpsNotInBuildError';
  override readonly code = 'OPS_NOT_IN_BUILD';
}

/** The model has a custom op that this runtime does not know. */
export class UnresolvedCustomOpError extends TFLiteWebnnError {
  override readonly name = 'UnresolvedCustomOpError';
  override readonly code = 'UNRESOLVED_CUSTOM_OP';
}

/** TFLite could not prepare or run the model; `code` says at which stage. */
export class InterpreterError extends TFLiteWebnnError {
  override readonly name = 'InterpreterError';
  override readonly code: string;

  /** @internal */
  constructor(code: string, message: string, context: ErrorContext = {}) {
    super(message, context);
    this.code = code;
  }
}

/** An input has another number of elements or another shape than the model's. */
export class InputShapeError extends TFLiteWebnnError {
  override readonly name = 'InputShapeError';
  override readonly code = 'INPUT_SHAPE';
}

/** An input is of another element type than the model's, or of one that JavaScript cannot hold. */
export class InputDTypeError extends TFLiteWebnnError {
  override readonly name = 'InputDTypeError';
  override readonly code = 'INPUT_DTYPE';
}

/** An input has a value that the model cannot take: an id that its table does not have. */
export class InputValueError extends TFLiteWebnnError {
  override readonly name = 'InputValueError';
  override readonly code = 'INPUT_VALUE';
}

/** Inputs are missing, unknown or too many. */
export class InputNameError extends TFLiteWebnnError {
  override readonly name = 'InputNameError';
  override readonly code = 'INPUT_NAME';
}

/** An output's values cannot be read as what was asked for, e.g. strings as numbers. */
export class OutputDTypeError extends TFLiteWebnnError {
  override readonly name = 'OutputDTypeError';
  override readonly code = 'OUTPUT_DTYPE';
}

/** An output array that the caller gave does not fit, or an output's element type cannot be held in JavaScript. */
export class OutputBufferError extends TFLiteWebnnError {
  override readonly name = 'OutputBufferError';
  override readonly code = 'OUTPUT_BUFFER';
}

/** The wasm module could not be loaded: a file is missing, or the browser lacks a feature. */
export class WasmLoadError extends TFLiteWebnnError {
  override readonly name = 'WasmLoadError';
  override readonly code = 'WASM_LOAD_FAILED';
}

/** A script of the package that is loaded when it is needed is not beside the others. */
export class PackageFileError extends TFLiteWebnnError {
  override readonly name = 'PackageFileError';
  override readonly code = 'PACKAGE_FILE_MISSING';
}

/** WebAssembly trapped. Only this model is lost: each model has its own module instance. */
export class WasmTrapError extends TFLiteWebnnError {
  override readonly name = 'WasmTrapError';
  override readonly code = 'WASM_TRAP';
}

/** The option `device` requires WebNN, and this browser or page has none. */
export class DeviceUnavailableError extends TFLiteWebnnError {
  override readonly name = 'DeviceUnavailableError';
  override readonly code = 'DEVICE_UNAVAILABLE';
}

/** WebNN refused to build a graph. Loading never throws it: the model falls back, and the report has the message. */
export class WebnnBuildError extends TFLiteWebnnError {
  override readonly name = 'WebnnBuildError';
  override readonly code = 'WEBNN_BUILD_FAILED';
  /** Index of the TFLite node that was refused, or null where the browser does not say. */
  readonly node: number | null;

  /** @internal */
  constructor(message: string, node: number | null, context: ErrorContext = {}) {
    super(message, context);
    this.node = node;
  }
}

/** WebNN failed while it ran a graph. */
export class WebnnRunError extends TFLiteWebnnError {
  override readonly name = 'WebnnRunError';
  override readonly code = 'WEBNN_RUN_FAILED';
}

/**
 * The browser took the WebNN context away (driver reset, memory pressure) in the middle of a run that cannot be
 * repeated by itself. Run the model again: it then rebuilds itself on a new context, or on the CPU.
 */
export class ContextLostError extends TFLiteWebnnError {
  override readonly name = 'ContextLostError';
  override readonly code = 'CONTEXT_LOST';
}

/** A model has no signature of this name, or the signature cannot do what is asked of it. */
export class SignatureError extends TFLiteWebnnError {
  override readonly name = 'SignatureError';
  override readonly code = 'SIGNATURE';
}

/** A synchronous call would have to wait for WebNN, which this thread cannot do. */
export class BlockingError extends TFLiteWebnnError {
  override readonly name = 'BlockingError';
  override readonly code = 'CANNOT_BLOCK';
}

/** A model's TFLite Metadata is a damaged flatbuffer. The model itself may still run. */
export class MalformedMetadataError extends TFLiteWebnnError {
  override readonly name = 'MalformedMetadataError';
  override readonly code = 'MALFORMED_METADATA';
}

/** A model's metadata contradicts the model or itself. The model itself may still run. */
export class MetadataMismatchError extends TFLiteWebnnError {
  override readonly name = 'MetadataMismatchError';
  override readonly code = 'METADATA_MISMATCH';
}

/** A zip archive, a `.task` bundle or one in a model file, is damaged or cannot be read; `code` says how. */
export class ArchiveError extends TFLiteWebnnError {
  override readonly name = 'ArchiveError';
  override readonly code: string;

  /** @internal */
  constructor(code: string, message: string, context: ErrorContext = {}) {
    super(message, context);
    this.code = code;
  }
}

/** A file is not a `.task` bundle, or has no such part. */
export class TaskBundleError extends TFLiteWebnnError {
  override readonly name = 'TaskBundleError';
  override readonly code = 'TASK_BUNDLE';
}

/**
 * A state cannot be made or used as asked: no tensors of these names, of another type or shape, or a state of another
 * model.
 */
export class StateError extends TFLiteWebnnError {
  override readonly name = 'StateError';
  override readonly code = 'STATE';
}

/** A lost WebNN context took the values of a state with it. `reset()` or `write()` gives it values again. */
export class StateLostError extends TFLiteWebnnError {
  override readonly name = 'StateLostError';
  override readonly code = 'STATE_LOST';
}

/** A model, state, worker, task or tensor was used after dispose(). */
export class ModelDisposedError extends TFLiteWebnnError {
  override readonly name = 'ModelDisposedError';
  override readonly code = 'MODEL_DISPOSED';

  /** @internal */
  constructor(message = 'This model has been disposed. Load it again to run it.') {
    super(message);
  }
}

/** The worker of a TFLiteWorker did not start, or failed. */
export class WorkerFailedError extends TFLiteWebnnError {
  override readonly name = 'WorkerFailedError';
  override readonly code = 'WORKER_FAILED';
}

/** An option or another argument is unknown, missing, or has a wrong value; `option` is its name. */
export class OptionError extends TFLiteWebnnError {
  override readonly name = 'OptionError';
  override readonly code = 'OPTION';

  /** Name of the option or argument; null if the error is about several. */
  get option(): string | null {
    return (this.details.option as string | undefined) ?? null;
  }
}

/** @internal What to do without memory. */
export const MEMORY_HINT = 'Dispose of other models, or load this one with smaller inputShapes.';

const RUNNER_ERRORS = [
  NotATFLiteModelError,
  MalformedModelError,
  FlexOpError,
  EdgeTpuOpError,
  OpsNotInBuildError,
  UnresolvedCustomOpError,
];

/**
 * Turns the runner's error text into an error.
 *
 * @internal
 * @param json - `{"code", "message", "details"}` as tflite_runner_error gives it, or "" where it knows nothing.
 * @param during - What was being done, for the case that the runner knows nothing.
 */
export function errorFromRunner(json: string, during: string): TFLiteWebnnError {
  if (json === '') return new InterpreterError('UNKNOWN', `${during} failed, and TFLite gave no reason.`);
  const { code, message, details } = JSON.parse(json) as { code: string; message: string; details?: ErrorDetails };
  const context = { details: details ?? {} };
  for (const errorClass of RUNNER_ERRORS) {
    const error = new errorClass(message, context);
    if (error.code === code) return error;
  }
  return new InterpreterError(code, message, context);
}

/** @internal Text of anything that was thrown: the browser's own words. */
export function messageOf(error: unknown): string {
  if (error instanceof TFLiteWebnnError) return error.message;
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/** @internal The class of a value, for messages: `Map`, `null`. */
export function kindOf(value: unknown): string {
  return value == null ? String(value) : ((value as object).constructor?.name ?? 'Object');
}
