/** Downloads with progress. */

import type { Asset } from './assets.js';

export interface DownloadProgress {
  readonly loadedBytes: number;
  /** Null if unknown. */
  readonly totalBytes: number | null;
}

/** Options of {@link download}. */
export interface DownloadOptions {
  /** Aborts the download: the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Called for every received chunk. */
  readonly onProgress?: (progress: DownloadProgress) => void;
}

/** A file could not be fetched. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError';
}

/**
 * Fetches a file of this site.
 *
 * @throws DownloadError if the server rejects or is unreachable; the signal's reason if aborted.
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

/** Several downloads as one; the total is unknown where one is. */
export function sumOf(parts: readonly DownloadProgress[]): DownloadProgress {
  const isKnown = parts.every(({ totalBytes }) => totalBytes !== null);
  return {
    loadedBytes: parts.reduce((sum, { loadedBytes }) => sum + loadedBytes, 0),
    totalBytes: isKnown ? parts.reduce((sum, { totalBytes }) => sum + (totalBytes ?? 0), 0) : null,
  };
}

async function respond(url: string, signal: AbortSignal | undefined): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, signal ? { signal } : {});
  } catch (error) {
    signal?.throwIfAborted();
    throw new DownloadError(`${url} could not be fetched. Check the network connection.`, { cause: error });
  }
  if (response.ok) return response;
  throw new DownloadError(
    `${url} could not be fetched: the server responded with ${response.status} ${response.statusText}`,
  );
}

/** Collects chunks in one array, usually allocated at its final size. */
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
