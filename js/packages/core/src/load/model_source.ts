/** Where a model comes from. */

import {
  kindOf,
  ModelFetchError,
  messageOf,
  NotATFLiteModelError,
  OptionError,
  type TFLiteWebnnError,
} from '../errors.js';
import type { TFLiteModelOptions } from '../options.js';
import {
  ByteCollector,
  bytesIn,
  chunksOf,
  describeHead,
  HEAD_BYTES,
  IDENTIFIER_END,
  isTFLite,
  type LoadBuffer,
  type MakeBuffer,
} from '../support/download.js';
import {
  type CacheOptions,
  deleteCachedModel,
  dropKept,
  hasIntegrity,
  keep,
  matchKept,
} from '../support/file_cache.js';
import { absolute, fileAddress, hasLocalFiles, openLocalFile } from '../support/platform.js';
import { LoadMonitor } from '../support/tasks.js';
import { fileBytes, HeapFile, MAX_SHARED_BYTES, type ModelFile } from '../wasm/wasm_memory.js';
import type { WasmInstance, WasmModule } from '../wasm/wasm_module.js';

/**
 * A model file: its address (in Node also its path), its bytes, a Blob (a File is one), the response to a request for it,
 * or a stream of its bytes.
 */
export type ModelSource = string | URL | ArrayBuffer | Uint8Array | Blob | Response | ReadableStream<Uint8Array>;

/** What is known of bytes on their way. */
export interface Origin {
  /** The address, or what stands for it in messages. */
  readonly name: string;
  readonly totalBytes: number | null;
  /** Status and type of the response: `HTTP 200, Content-Type text/html`; empty where there is none. */
  readonly statusLine: string;
  readonly status: number | null;
}

/** Looks at the bytes that have come, at least 8 or all. */
export type CheckHead = (bytes: Pick<ByteCollector<LoadBuffer>, 'head'>, origin: Origin) => void;

/** Bytes that can be read now. */
interface Download {
  readonly stream: ReadableStream<Uint8Array>;
  readonly origin: Origin;
  /** Keeps the bytes, once all have come and are of the right kind. */
  keep?(bytes: Uint8Array): void;
}

/** How a file is downloaded, and whether it is kept. */
interface DownloadOptions extends Pick<TFLiteModelOptions, 'cache' | 'integrity'> {
  /** Whether a small model shares an instance with others; default: false. */
  readonly sharesInstance?: boolean;
}

/** A download that waits for wasm holds at most about this much in JavaScript, so that little is in memory twice. */
const MAX_LOOSE_BYTES = 16 << 20;

/**
 * Gets the file of a model. Fails as soon as the bytes are not a model.
 *
 * @param wasm - Where downloads of large models are put: into the heap of a fresh instance, of which the model's
 *   runner is created. They would else be in memory twice while they are loaded. Others, and all without it, are put
 *   into an array.
 * @param options - Its integrity, and whether it is kept; only for an address.
 * @throws OptionError for the integrity of something else; ModelFetchError where the request fails or the server's
 *   response is not a success; NotATFLiteModelError where something else than a model comes; the reason of the signal.
 */
export async function fetchModel(source: ModelSource, monitor?: LoadMonitor): Promise<Uint8Array>;
export async function fetchModel(
  source: ModelSource,
  monitor: LoadMonitor,
  wasm: Promise<WasmModule>,
  options?: DownloadOptions,
): Promise<ModelFile>;
export async function fetchModel(
  source: ModelSource,
  monitor = new LoadMonitor(),
  wasm: Promise<WasmModule> | null = null,
  options: DownloadOptions = {},
): Promise<ModelFile> {
  if (wasm === null) return fetchFile(source, checkHead, monitor);
  if (options.integrity !== undefined && typeof source !== 'string' && !(source instanceof URL)) {
    throw new OptionError('the option "integrity" is for a model that is provided by its URL');
  }
  return (
    checkedBytes(source, checkHead) ??
    (await readKept(source, monitor, wasm, options)) ??
    readIntoHeap(kept(await openDownload(source, monitor, options.integrity), source, options), monitor, wasm, options)
  );
}

/** The kept file, if there is one; one that is damaged is deleted. */
async function readKept(
  source: ModelSource,
  monitor: LoadMonitor,
  wasm: Promise<WasmModule>,
  options: DownloadOptions,
): Promise<ModelFile | null> {
  const id = keptId(source, options);
  const response = id && (await matchKept(id));
  if (!response) return null;
  try {
    const file = await readIntoHeap(await openResponse(response, id.url), monitor, wasm, options);
    // No digest is computed of shared memory, which the heap of a module with threads is.
    if (id.integrity === null || (await hasIntegrity(fileBytes(file).slice(), id.integrity))) return file;
    if (file instanceof HeapFile) file.takeInstance()?.close();
  } catch (error) {
    // The reason of a signal may be null.
    if (!UNREADABLE.includes((error as TFLiteWebnnError | null)?.code ?? '')) throw error;
  }
  await dropKept(id);
  return null;
}

/** The codes of a kept file that is damaged, replaced by an error page, or announces more than there is memory for. */
const UNREADABLE = ['NOT_A_TFLITE_MODEL', 'MODEL_FETCH_FAILED', 'OUT_OF_MEMORY'];

/** The codes of what a damaged file does. */
const DAMAGES = [
  'MALFORMED_MODEL',
  'UNSUPPORTED_SCHEMA_VERSION',
  'UNRESOLVED_CUSTOM_OP',
  'INTERPRETER_BUILD_FAILED',
  'ALLOCATE_TENSORS_FAILED',
  'WASM_TRAP',
];

/** Deletes the kept file that cannot be loaded: only this shows that it is damaged, if it has no integrity. */
export async function dropUnusable(source: ModelSource, options: DownloadOptions, error: unknown): Promise<void> {
  const id = keptId(source, options);
  if (id?.integrity === null && DAMAGES.includes((error as TFLiteWebnnError).code)) await deleteCachedModel(id.url);
}

/** Names a model that the option `cache` is for: one with an address of the web. */
function keptId(source: ModelSource, { cache, integrity }: DownloadOptions) {
  if (!cache || (typeof source !== 'string' && !(source instanceof URL))) return null;
  const url = absolute(withHubFormat(String(source)));
  return /^https?:/.test(url) ? ({ url, integrity: integrity ?? null, kind: 'model' } as const) : null;
}

/**
 * Gets the bytes of any file, as of a model.
 *
 * @param check - Throws where the file begins like another kind; the download then ends.
 */
export async function fetchFile(
  source: ModelSource,
  check: CheckHead,
  monitor = new LoadMonitor(),
): Promise<Uint8Array> {
  const memoryFor = async () => makeArray;
  return (
    checkedBytes(source, check) ??
    (await readBody(await openDownload(source, monitor), monitor, memoryFor, check)).bytes
  );
}

/** Bytes that are here already; null if they have to be fetched or read. */
function checkedBytes(source: ModelSource, check: CheckHead): Uint8Array | null {
  const bytes = bytesIn(source);
  if (bytes !== null) check({ head: (count) => bytes.subarray(0, count) }, provided('array', bytes.length));
  return bytes;
}

/** The origin of bytes that no server has sent. */
function provided(kind: string, totalBytes: number | null): Origin {
  return { name: `the provided ${kind}`, totalBytes, statusLine: '', status: null };
}

/**
 * Checks the kind of a source.
 *
 * @throws ModelFetchError
 */
export function checkSource(source: unknown): void {
  const kinds = [URL, Blob, Response, ReadableStream];
  if (typeof source === 'string' || bytesIn(source) !== null || kinds.some((kind) => source instanceof kind)) return;
  const hint = kindOf(source) === 'Request' ? ': pass what fetch() of it returns' : '';
  const names = 'a URL, ArrayBuffer, Uint8Array, Blob, Response or ReadableStream';
  throw new ModelFetchError(`A model is provided as ${names}; got ${kindOf(source)}${hint}.`, null);
}

async function openDownload(source: ModelSource, monitor: LoadMonitor, integrity?: string): Promise<Download> {
  if (source instanceof Response) return openResponse(source, source.url || 'the provided Response');
  if (source instanceof ReadableStream) return { stream: source, origin: provided('stream', null) };
  if (source instanceof Blob) return { stream: source.stream(), origin: provided('Blob', source.size) };
  checkSource(source);
  const url = fileAddress(withHubFormat(String(source)));
  if (url.startsWith('file:') && hasLocalFiles()) return openFile(url);
  return openResponse(await request(url, monitor, integrity), url);
}

/** The download, whose bytes are kept if the options say so. Separate: metadata.mjs has no cache. */
function kept(download: Download, source: ModelSource, options: DownloadOptions): Download {
  const id = keptId(source, options);
  if (id === null) return download;
  const limits: CacheOptions = typeof options.cache === 'object' ? options.cache : {};
  // A Blob accepts no shared memory, which the heap of a module with threads is.
  return { ...download, keep: (bytes) => keep(id, new Blob([Uint8Array.from(bytes)]), limits) };
}

/**
 * Reads a download into a fresh instance, whose threads end where that fails; or, if its model shares an instance, into
 * an array, of which the model can be created again.
 */
async function readIntoHeap(
  download: Download,
  monitor: LoadMonitor,
  wasm: Promise<WasmModule>,
  { sharesInstance }: DownloadOptions,
): Promise<ModelFile> {
  let making: Promise<WasmInstance> | null = null;
  const memoryFor = async (totalBytes: number): Promise<MakeBuffer<LoadBuffer>> => {
    if (sharesInstance && totalBytes <= MAX_SHARED_BYTES) return makeArray; // which does not wait for the module
    making ??= (await wasm).instantiate();
    const instance = await making;
    return (sizeBytes) => HeapFile.allocate(instance, sizeBytes);
  };
  try {
    const file = await readBody(download, monitor, memoryFor, checkHead);
    return file instanceof HeapFile ? file : file.bytes;
  } catch (error) {
    (making as Promise<WasmInstance> | null)?.then((instance) => instance.close()).catch(() => {});
    throw error;
  }
}

function makeArray(sizeBytes: number) {
  const full = new Uint8Array(sizeBytes);
  return {
    byteLength: sizeBytes,
    get bytes() {
      return full.subarray(0, this.byteLength);
    },
  };
}

/** TF Hub returns the file itself only where it is requested; tfjs-tflite adds this too. */
function withHubFormat(url: string): string {
  const format = '?lite-format=tflite';
  return url.includes('tfhub.dev') && url.includes('lite-model') && !url.endsWith(format) ? url + format : url;
}

async function request(url: string, monitor: LoadMonitor, integrity?: string): Promise<Response> {
  try {
    return await fetch(url, { signal: monitor.signal, ...(integrity && { integrity }) });
  } catch (error) {
    monitor.throwIfAborted();
    throw new ModelFetchError(
      `Could not fetch the model ${url} (${messageOf(error)}). Is the address right, and does its server allow this page (CORS)${integrity ? `, and does the file have the integrity ${integrity}` : ''}?`,
      null,
      { cause: error, details: { url } },
    );
  }
}

async function openFile(url: string): Promise<Download> {
  try {
    const { stream, sizeBytes } = await openLocalFile(new URL(url));
    return { stream, origin: { ...provided('', sizeBytes), name: url } };
  } catch (error) {
    const message = `Could not open the model ${url} (${messageOf(error)}).`;
    throw new ModelFetchError(message, null, { cause: error, details: { url } });
  }
}

async function openResponse(response: Response, url: string): Promise<Download> {
  const { ok, status, statusText, headers, body } = response;
  const contentType = headers.get('Content-Type');
  const statusLine = `HTTP ${status} ${statusText}`.trim();
  const statusAndType = contentType === null ? statusLine : `${statusLine}, Content-Type ${contentType}`;
  if (!ok) {
    const content = describeHead(await firstBytes(body));
    const failure = `the server responded with ${statusAndType}; what it sent ${content}`;
    const message = `Could not fetch the model ${url}: ${failure}.`;
    throw new ModelFetchError(message, status, { details: { url, contentType } });
  }
  const origin = { name: url, totalBytes: sizeOf(headers), statusLine: statusAndType, status };
  return { stream: body ?? new Blob([]).stream(), origin };
}

/** What an error page begins with, for the message. */
async function firstBytes(body: ReadableStream<Uint8Array> | null): Promise<Uint8Array> {
  if (body !== null) {
    try {
      for await (const chunk of chunksOf(body, null, () => new Error())) return chunk.subarray(0, HEAD_BYTES);
    } catch {} // the status is what matters
  }
  return new Uint8Array();
}

/** Bytes that will come. The header counts compressed bytes, a page gets them unpacked. */
function sizeOf(headers: Headers): number | null {
  const length = headers.get('Content-Length');
  return length === null || headers.has('Content-Encoding') ? null : Number.parseInt(length, 10) || null;
}

async function readBody<R extends LoadBuffer>(
  { stream, origin, keep }: Download,
  monitor: LoadMonitor,
  memoryFor: (fileBytes: number) => Promise<MakeBuffer<R>>,
  check: CheckHead,
): Promise<R> {
  const { totalBytes } = origin;
  const bytes = new ByteCollector<R>();
  const expecting =
    totalBytes === null
      ? Promise.resolve()
      : memoryFor(totalBytes).then((makeBuffer) => bytes.expect(totalBytes, makeBuffer));
  expecting.catch(() => {}); // if the download fails first, nobody awaits it
  for await (const chunk of chunksOf(stream, monitor.signal, (error) => brokeOff(error, origin))) {
    bytes.add(chunk);
    if (bytes.length >= IDENTIFIER_END) check(bytes, origin);
    monitor.report('download', bytes.length, totalBytes);
    // So much has come that the announced size is true, or that it is a large file.
    if (bytes.looseBytes > MAX_LOOSE_BYTES) await (totalBytes === null ? memoryFor(bytes.length) : expecting);
  }
  check(bytes, origin);
  monitor.report('download', bytes.length, bytes.length);
  await expecting.catch(() => {}); // what came may be less than announced
  const buffer = bytes.finish(await memoryFor(bytes.length));
  keep?.(buffer.bytes);
  return buffer;
}

function brokeOff(error: unknown, { name, status }: Origin): ModelFetchError {
  const message = `The download of the model ${name} broke off (${messageOf(error)}).`;
  return new ModelFetchError(message, status, { cause: error, details: { url: name } });
}

/** What a file is, in place of what was expected. */
export function describeFile(bytes: Parameters<CheckHead>[0], { statusLine }: Origin): string {
  const head = bytes.head(HEAD_BYTES);
  const local = head.length === 0 ? ' A buffer that was transferred is empty.' : '';
  return `it ${describeHead(head)}.${statusLine === '' ? local : ` The server responded with ${statusLine}.`}`;
}

/** Checks that a file begins as a model does. @throws NotATFLiteModelError */
export function checkHead(bytes: Parameters<CheckHead>[0], origin: Origin): void {
  if (isTFLite(bytes.head(IDENTIFIER_END))) return;
  const { name } = origin;
  const message = `${name} is not a TFLite model, which has "TFL3" at byte 4: ${describeFile(bytes, origin)}`;
  throw new NotATFLiteModelError(message, { details: { url: name } });
}
