/** The page's half of loading a model in a worker. */

import * as comlink from 'comlink';
import { ADDRESS } from '../argument_kinds.js';
import { OptionError } from '../errors.js';
import { checkSource, fetchFile, type ModelSource } from '../load/model_source.js';
import type { TransferOptions } from '../model/run_options.js';
import type { TFLiteModelOptions } from '../options.js';
import { bytesIn } from '../support/download.js';
import { type LoadProgress, LoadWatch, type ProgressListener } from '../support/load_watch.js';
import { fileAddress } from '../support/local_files.js';
import { absolute } from '../support/page_address.js';
import { wasmPathNow } from '../wasm/wasm_module.js';
import { transferErrors } from './error_transfer.js';
import type { ModelServer, WorkerOptions, WorkerSource } from './server_protocol.js';
import type { WorkerLine } from './worker_line.js';
import { WorkerModel } from './worker_model.js';

transferErrors();

/** A worker that is inside wasm does not answer. */
const ABORT_TIMEOUT_MS = 80;

/** See TFLiteWorker.loadTFLiteModel(). */
export async function loadInWorker(
  line: WorkerLine,
  source: ModelSource,
  options: TFLiteModelOptions & TransferOptions,
): Promise<WorkerModel> {
  const { signal, onProgress, transfer = false, ...others } = options;
  const crossing = crossingOptions(others);
  const [given, moved] = await crossingSource(source, transfer, signal);
  signal?.throwIfAborted();
  const id = line.nextNumber();
  const server = line.connect((worker) => comlink.wrap<ModelServer>(worker));
  let end: (reason: unknown) => void = () => undefined;
  const ended = new Promise<never>((_, reject) => {
    end = reject;
  });
  const abort = () => {
    const timer = setTimeout(() => (line.isOnlyOf(id) ? line.abandon() : end(signal?.reason)), ABORT_TIMEOUT_MS);
    const answered = () => clearTimeout(timer);
    line.call(server.abort(id)).then(answered, answered);
  };
  line.models.add(id);
  signal?.addEventListener('abort', abort);
  const listening = onProgress === undefined ? null : new Listener(onProgress, abort);
  try {
    const listener = listening && comlink.proxy(listening.hear);
    const loading = line.call(server.load(id, crossingWith(given, moved), crossing, listener)).then((card) => {
      if (!signal?.aborted && !listening?.failure) return card;
      void line.call(server.dispose(id)).catch(() => undefined);
      throw signal?.reason;
    });
    const card = await Promise.race([loading, ended]);
    return new WorkerModel(line, server, id, card);
  } catch (error) {
    line.models.delete(id);
    throw listening?.failure?.error ?? (signal?.aborted ? signal.reason : error);
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

/** A caller's listener. What it throws ends the loading, as without a worker. */
class Listener {
  failure: { readonly error: unknown } | null = null;

  constructor(
    private readonly onProgress: ProgressListener,
    private readonly abort: () => void,
  ) {}

  readonly hear = (progress: LoadProgress): void => {
    try {
      this.onProgress(progress);
    } catch (error) {
      this.failure ??= { error };
      this.abort();
    }
  };
}

function crossingOptions(options: WorkerOptions): WorkerOptions {
  if (options.webnnDelegateOptions?.context !== undefined) {
    throw new OptionError(
      'webnnDelegateOptions.context cannot be given to a worker: an MLContext stays in its thread. Leave it out; the ' +
        'worker makes its own.',
    );
  }
  const { customOps } = options;
  if (customOps !== undefined && !ADDRESS[1](customOps)) {
    throw new OptionError(
      'customOps cannot be given to a worker as functions, which stay in their thread: pass the address of a module that ' +
        'has them as its default export, for example new URL("ops.mjs", import.meta.url).',
      { details: { option: 'customOps' } },
    );
  }
  const { blockingHelper } = options.webnnDelegateOptions ?? {};
  if (blockingHelper instanceof URL) {
    const webnnDelegateOptions = { ...options.webnnDelegateOptions, blockingHelper: blockingHelper.href };
    return crossingOptions({ ...options, webnnDelegateOptions });
  }
  const wasmPath = options.wasmPath ?? wasmPathNow();
  return {
    ...options,
    ...(wasmPath !== undefined && { wasmPath: absolute(wasmPath) }),
    ...(customOps !== undefined && { customOps: absolute(fileAddress(`${customOps}`)) }),
  };
}

/** Comlink keeps a list of what moves along with an object; a URL is none. */
function crossingWith(source: WorkerSource, moved: Transferable[]): WorkerSource {
  return typeof source === 'string' ? source : comlink.transfer(source, moved);
}

/** The source as it crosses, and what of it is moved. */
async function crossingSource(
  source: ModelSource,
  transfer: boolean,
  signal: AbortSignal | undefined,
): Promise<[WorkerSource, Transferable[]]> {
  checkSource(source);
  if (typeof source === 'string' || source instanceof URL) return [absolute(fileAddress(`${source}`)), []];
  if (source instanceof Blob) return [source, []]; // a handle
  if (source instanceof ReadableStream && !source.locked && canMoveStreams()) return [source, [source]];
  if (source instanceof ReadableStream || source instanceof Response) {
    const watch = new LoadWatch(signal);
    const bytes = await watch.orAbort(
      fetchFile(source, () => undefined, watch),
      () => undefined,
    );
    return [bytes, [bytes.buffer as ArrayBuffer]];
  }
  const view = bytesIn(source) as Uint8Array;
  const isWhole = view.byteLength === view.buffer.byteLength;
  const bytes = isWhole ? view : view.slice();
  const moves = (transfer || !isWhole) && bytes.buffer instanceof ArrayBuffer && bytes.byteLength > 0;
  return [bytes, moves ? [bytes.buffer as ArrayBuffer] : []];
}

function canMoveStreams(): boolean {
  const empty = new ReadableStream();
  try {
    structuredClone(empty, { transfer: [empty] });
    return true;
  } catch {
    return false; // a DataCloneError
  }
}
