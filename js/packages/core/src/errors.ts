/**
 * Errors of this package. Each says what failed, where, and what to do; each has its own class, so that a page can
 * distinguish them with `instanceof`, and a `code` that survives a worker's postMessage.
 */

/** Additional data of an error, e.g. `node`, `op`, `tensor`. */
export type ErrorDetails = Readonly<Record<string, unknown>>;

/** What all constructors below accept besides the message. */
export interface ErrorContext {
  /** The error underneath, with the browser's own message. */
  cause?: unknown;
  /** Machine-readable information about the failure. */
  details?: ErrorDetails;
}

/** Base class of every error that this package throws. */
export class TFLiteWebnnError extends Error {
  /** Name of the class. */
  override readonly name: string = 'TFLiteWebnnError';
  /** Stable, upper-case identifier of the kind of failure. */
  declare readonly code: string;
  /** Machine-readable information about the failure. */
  readonly details: ErrorDetails;

  /** @internal */
  constructor(message: string, context: ErrorContext = {}) {
    super(printable(message), 'cause' in context ? { cause: context.cause } : undefined);
    this.details = context.details ?? {};
  }
}

/** Base class of errors that differ by their `code`. */
export class CodedError<Code extends string = string> extends TFLiteWebnnError {
  override readonly code: Code;

  /** @internal */
  constructor(code: Code, message: string, context: ErrorContext = {}) {
    super(message, context);
    this.code = code;
  }
}

/** The model file could not be fetched. */
export class ModelFetchError extends TFLiteWebnnError {
  override readonly name = 'ModelFetchError';
  override readonly code = 'MODEL_FETCH_FAILED';
  /** HTTP status of the response, or null where none came. */
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

/** The model has an op that this runtime lacks: of TensorFlow ("Flex"), of an Edge TPU, a custom op, or one that the module was
 * built without (`build.py build --model`); `details.ops` names the latter. */
export class UnsupportedOpError extends CodedError<
  'FLEX_OP' | 'EDGE_TPU_OP' | 'OPS_NOT_IN_BUILD' | 'UNRESOLVED_CUSTOM_OP'
> {
  override readonly name = 'UnsupportedOpError';
}

/** TFLite could not prepare or run the model; `code` says at which stage. */
export class InterpreterError extends CodedError {
  override readonly name = 'InterpreterError';
}

/** The inputs do not fit the model: missing, unknown or too many (`INPUT_NAME`), of another shape or number of elements, of
 * another type or one that JavaScript cannot hold, or with a value that the model does not accept, e.g. an id that its
 * table lacks. */
export class InputError extends CodedError<
  'INPUT_NAME' | 'INPUT_SHAPE' | 'INPUT_DTYPE' | 'INPUT_VALUE' | 'LITERT_INPUT' | 'TEXT_EMPTY' | 'TEXT_TOO_LONG'
> {
  override readonly name = 'InputError';
}

/** An output cannot be read as requested, e.g. strings as numbers; the array for it does not fit; or it has another shape or
 * number of classes than what reads it expects. */
export class OutputError extends CodedError<'OUTPUT_DTYPE' | 'OUTPUT_BUFFER' | 'RESULT_SHAPE' | 'LABEL_COUNT'> {
  override readonly name = 'OutputError';
}

/** The wasm module, or a script that the package loads on demand (`PACKAGE_FILE_MISSING`), could not be loaded: a file is
 * missing, or the browser lacks a feature. */
export class WasmLoadError extends CodedError<'WASM_LOAD_FAILED' | 'PACKAGE_FILE_MISSING'> {
  override readonly name = 'WasmLoadError';
}

/**
 * WebAssembly trapped. Only this model is lost: others, if they shared its module instance, are prepared again when
 * they run next.
 */
export class WasmTrapError extends TFLiteWebnnError {
  override readonly name = 'WasmTrapError';
  override readonly code = 'WASM_TRAP';
}

/** The option `device` requires WebNN, and this browser or page has none. */
export class DeviceUnavailableError extends TFLiteWebnnError {
  override readonly name = 'DeviceUnavailableError';
  override readonly code = 'DEVICE_UNAVAILABLE';
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

/** A model has no signature of this name, or the signature cannot do what the call requests. */
export class SignatureError extends TFLiteWebnnError {
  override readonly name = 'SignatureError';
  override readonly code = 'SIGNATURE';
}

/** A synchronous call would have to wait for WebNN, which this thread cannot do. */
export class BlockingError extends TFLiteWebnnError {
  override readonly name = 'BlockingError';
  override readonly code = 'CANNOT_BLOCK';
}

/**
 * A model's TFLite Metadata is a damaged flatbuffer, or contradicts the model or itself. The model itself may still
 * run.
 */
export class MetadataError extends CodedError<'MALFORMED_METADATA' | 'METADATA_MISMATCH'> {
  override readonly name = 'MetadataError';
}

/**
 * A zip archive, a `.task` bundle or one in a model file, is damaged, lacks a part or cannot be read; `code` says how.
 */
export class ArchiveError extends CodedError {
  override readonly name = 'ArchiveError';
}

/**
 * A state cannot be created or used as requested: no tensors of these names, of another type or shape, or a state of
 * another model.
 */
export class StateError extends TFLiteWebnnError {
  override readonly name = 'StateError';
  override readonly code = 'STATE';
}

/**
 * The values of a state are lost: the WebNN context that had them is, or a run has failed that may have changed them in
 * place. `reset()` or `write()` sets its values again.
 */
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

/** Codes of the runner that are about ops. */
const OPS_CODE = /^OPS_|_OP$/;

/**
 * Turns the runner's error text into an error.
 *
 * @internal
 * @param json - `{"code", "message", "details"}` as tflite_runner_error returns it, or "" where it knows nothing.
 * @param during - What was being done, for the case that the runner knows nothing.
 */
export function errorFromRunner(json: string, during: string): TFLiteWebnnError {
  if (json === '') return new InterpreterError('UNKNOWN', `${during} failed, and TFLite provided no reason.`);
  const { code, message, details } = JSON.parse(json) as { code: string; message: string; details?: ErrorDetails };
  const context = { details: details ?? {} };
  if (code === 'NOT_A_TFLITE_MODEL') return new NotATFLiteModelError(message, context);
  if (code === 'MALFORMED_MODEL') return new MalformedModelError(message, context);
  const ErrorOf = OPS_CODE.test(code) ? UnsupportedOpError : InterpreterError;
  return new ErrorOf(code as never, message, context);
}

/** @internal Why a script that is loaded on demand is not there, and what else helps. */
export function missingScript(cause: unknown, more = ''): WasmLoadError {
  const message = `A script could not be loaded: ${messageOf(cause)}. Is it next to the package's other scripts?${more}`;
  return new WasmLoadError('PACKAGE_FILE_MISSING', message, { cause });
}

/** @internal Text of anything that was thrown: the browser's own message. */
export function messageOf(error: unknown): string {
  if (error instanceof TFLiteWebnnError) return error.message;
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/** @internal The class of a value, for messages: `Map`, `null`. */
export function kindOf(value: unknown): string {
  return value == null ? String(value) : ((value as object).constructor?.name ?? 'Object');
}

/** `::error::` at the beginning of a line, `##[error]` and `##vso[...]` anywhere. */
const CONTROLS = /[\p{Cc}\u2028-\u202e\u2066-\u2069]|(?<=^\s*):(?=:)|#(?=#(?:vso)?\[)/gu;

/** Characters of a text that are printed: a file's names may have megabytes. */
const MAX_LENGTH = 10_000;

/**
 * Text of files for terminals and logs, to which control characters would be commands: in one line, such characters as
 * `\u001b`, cut where it is too long.
 *
 * @internal
 */
export function printable(text: string): string {
  const cut = text.length > MAX_LENGTH ? ` (and ${text.length - MAX_LENGTH} more characters)` : '';
  return (
    text
      .slice(0, MAX_LENGTH)
      .replace(CONTROLS, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`) + cut
  );
}

/** What is wrong with a tensor. */
type TensorCode =
  | 'TENSOR_IO_UNAVAILABLE'
  | 'TENSOR_CONTEXT'
  | 'TENSOR_DESTROYED'
  | 'TENSOR_MISMATCH'
  | 'TENSOR_USAGE'
  | 'TENSOR_NAME'
  | 'LITERT_TENSOR'
  | 'TF_TENSOR';

/**
 * An MLTensor cannot be used: the model does not run wholly on WebNN, the tensor is of another context, destroyed, of
 * another type or shape, without the flag that the use needs, or missing, unknown or too many. Or a tensor of another
 * library cannot have the values.
 */
export class TensorError extends CodedError<TensorCode> {
  override readonly name = 'TensorError';
}
