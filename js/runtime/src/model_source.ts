/** Where a model comes from. */

import { ByteCollector, chunksOf } from './download.js';
import { ModelFetchError, messageOf, NotATFLiteModelError } from './errors.js';
import { describeHead, HEAD_BYTES, IDENTIFIER_END, isTFLite } from './file_kind.js';
import { LoadWatch } from './load_watch.js';

/** A model file: its address, its bytes, the answer to a request for it, or a stream of its bytes. */
export type ModelSource = string | URL | ArrayBuffer | Uint8Array | Response | ReadableStream<Uint8Array>;

/** What is known of bytes on their way. */
interface Origin {
  /** The address, or what stands for it in messages. */
  readonly name: string;
  readonly totalBytes: number | null;
  /** What the server said: `HTTP 200, Content-Type text/html`; empty where there is none. */
  readonly answer: string;
  readonly status: number | null;
}

/**
 * Gets the bytes of a model. A download that is no model is not waited for.
 *
 * @throws ModelFetchError where the request fails or the server's answer is not a success; NotATFLiteModelError where
 *   something else than a model comes; the reason of the signal.
 */
export async function fetchModel(source: ModelSource, watch = new LoadWatch()): Promise<Uint8Array> {
  if (source instanceof Uint8Array) return source;
  if (source instanceof ArrayBuffer) return new Uint8Array(source);
  if (source instanceof Response) return readResponse(source, source.url || 'the given Response', watch);
  if (source instanceof ReadableStream) {
    return readBody(source, { name: 'the given stream', totalBytes: null, answer: '', status: null }, watch);
  }
  if (typeof source !== 'string' && !(source instanceof URL)) {
    const kinds = 'a URL, ArrayBuffer, Uint8Array, Response or ReadableStream';
    throw new ModelFetchError(`A model is given as ${kinds}.`, null);
  }
  const url = withHubFormat(String(source));
  return readResponse(await request(url, watch), url, watch);
}

/** TF Hub gives the file itself only where it is asked for; tfjs-tflite adds this too. */
function withHubFormat(url: string): string {
  const format = '?lite-format=tflite';
  return url.includes('tfhub.dev') && url.includes('lite-model') && !url.endsWith(format) ? url + format : url;
}

async function request(url: string, watch: LoadWatch): Promise<Response> {
  try {
    return await fetch(url, watch.signal === null ? {} : { signal: watch.signal });
  } catch (error) {
    watch.throwIfAborted();
    throw new ModelFetchError(
      `Could not fetch the model ${url} (${messageOf(error)}). Is the address right, and does its server allow this page (CORS)?`,
      null,
      { cause: error, details: { url } },
    );
  }
}

async function readResponse(response: Response, url: string, watch: LoadWatch): Promise<Uint8Array> {
  const { ok, status, statusText, headers, body } = response;
  const contentType = headers.get('Content-Type');
  const answer = `HTTP ${status} ${statusText}`.trim();
  const answerAndType = contentType === null ? answer : `${answer}, Content-Type ${contentType}`;
  if (!ok) {
    const content = describeHead(await firstBytes(body));
    const message = `Could not fetch the model ${url}: the server answered ${answerAndType}; what it sent ${content}.`;
    throw new ModelFetchError(message, status, { details: { url, contentType } });
  }
  const origin = { name: url, totalBytes: sizeOf(headers), answer: answerAndType, status };
  return readBody(body ?? new Blob([]).stream(), origin, watch);
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

async function readBody(stream: ReadableStream<Uint8Array>, origin: Origin, watch: LoadWatch): Promise<Uint8Array> {
  const { name, totalBytes, status } = origin;
  const brokeOff = (error: unknown) => {
    const message = `The download of the model ${name} broke off (${messageOf(error)}).`;
    return new ModelFetchError(message, status, { cause: error, details: { url: name } });
  };
  const bytes = new ByteCollector(totalBytes);
  for await (const chunk of chunksOf(stream, watch.signal, brokeOff)) {
    bytes.add(chunk);
    if (bytes.length >= IDENTIFIER_END) checkHead(bytes, origin);
    watch.report('download', bytes.length, totalBytes);
  }
  checkHead(bytes, origin);
  watch.report('download', bytes.length, bytes.length);
  return bytes.finish();
}

function checkHead(bytes: ByteCollector, { name, answer }: Origin): void {
  if (isTFLite(bytes.head(IDENTIFIER_END))) return;
  const content = describeHead(bytes.head(HEAD_BYTES));
  const server = answer === '' ? '' : ` The server answered ${answer}.`;
  const message = `${name} is not a TFLite model, which has "TFL3" at byte 4: it ${content}.${server}`;
  throw new NotATFLiteModelError('NOT_A_TFLITE_MODEL', message, { details: { url: name } });
}
