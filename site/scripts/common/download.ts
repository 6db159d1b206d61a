/** Downloads that tell how far they are. */

import type { Asset } from './assets.js';

/** How far a download is. */
export interface DownloadProgress {
  readonly loadedBytes: number;
  /** Null where nobody knows. */
  readonly totalBytes: number | null;
}

/** Options of {@link download}. */
export interface DownloadOptions {
  /** Ends the download: the promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Hears of every piece that comes. */
  readonly onProgress?: (progress: DownloadProgress) => void;
}

/** A file could not be fetched. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError';
}

/**
 * Fetches a file of this site.
 *
 * @throws DownloadError where the server says no or cannot be reached; the signal's reason where it was aborted.
 */
export async function download(
  { url, sizeBytes }: Asset,
  { signal, onProgress }: DownloadOptions = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const response = await respond(url, signal);
  const content = new GrowingBytes(sizeBytes);
  onProgress?.({ loadedBytes: 0, totalBytes: sizeBytes });
  const reader = response.body?.getReader();
  for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
    content.append(piece.value);
    // The file's own size, not Content-Length, which counts compressed bytes.
    onProgress?.({ loadedBytes: content.length, totalBytes: Math.max(sizeBytes, content.length) });
  }
  return content.bytes();
}

async function respond(url: string, signal: AbortSignal | undefined): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, signal ? { signal } : {});
  } catch (error) {
    signal?.throwIfAborted();
    throw new DownloadError(`${url} could not be fetched. Is the network there?`, { cause: error });
  }
  if (response.ok) return response;
  throw new DownloadError(`${url} could not be fetched: the server answers ${response.status} ${response.statusText}`);
}

/** Bytes that come in pieces, in one array that is mostly large enough from the start. */
class GrowingBytes {
  #content: Uint8Array<ArrayBuffer>;
  length = 0;

  constructor(expectedBytes: number) {
    this.#content = new Uint8Array(expectedBytes);
  }

  append(piece: Uint8Array): void {
    const needed = this.length + piece.length;
    if (needed > this.#content.length) {
      const larger = new Uint8Array(Math.max(needed, this.#content.length * 2));
      larger.set(this.#content.subarray(0, this.length));
      this.#content = larger;
    }
    this.#content.set(piece, this.length);
    this.length = needed;
  }

  bytes(): Uint8Array<ArrayBuffer> {
    return this.length === this.#content.length ? this.#content : this.#content.slice(0, this.length);
  }
}
