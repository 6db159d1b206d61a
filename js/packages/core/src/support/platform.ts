/** What Node has and pages lack: files of this machine, and the number of threads without a `navigator`. */

import { OptionError } from '../errors.js';

/** A file that is open. */
interface FileHandle {
  read(buffer: Uint8Array, offset: number, length: number): Promise<{ readonly bytesRead: number }>;
  stat(): Promise<{ readonly size: number }>;
  close(): Promise<void>;
}

interface NodeFiles {
  readFile(url: URL): Promise<Uint8Array<ArrayBuffer>>;
  open(url: URL): Promise<FileHandle>;
}

/** Whether this script is one of the package's for Node (js/scripts/bundling). */
declare const __FOR_NODE__: boolean | undefined;

interface NodeProcess {
  getBuiltinModule?(name: string): unknown;
}

const CHUNK_BYTES = 1 << 20;

/** One of Node's own modules; undefined elsewhere. Asking `process` keeps them out of bundles for browsers. */
export function nodeModule<T>(name: string): T | undefined {
  return (globalThis as { process?: NodeProcess }).process?.getBuiltinModule?.(name) as T | undefined;
}

/** Whether there are any. */
export function hasLocalFiles(): boolean {
  return nodeModule('node:fs/promises') !== undefined;
}

/** All bytes of a file. */
export function readLocalFile(url: URL): Promise<Uint8Array<ArrayBuffer>> {
  return files().readFile(url);
}

/** In the package's scripts for Node, a path as a `file:` URL. One letter before a colon is a drive. */
export function fileAddress(address: string): string {
  if (typeof __FOR_NODE__ === 'undefined' || globalThis.location || /^\w[\w+.-]+:/.test(address)) return address;
  return nodeModule<{ pathToFileURL(path: string): URL }>('node:url')?.pathToFileURL(address).href ?? address;
}

/** The processor's threads, in the package's scripts for Node: Node 20 has no `navigator`. */
export function nodeThreadCount(): number | undefined {
  if (typeof __FOR_NODE__ === 'undefined') return undefined;
  return nodeModule<{ availableParallelism(): number }>('node:os')?.availableParallelism();
}

/** A file's bytes, one piece after the other, and how many there are. */
export async function openLocalFile(url: URL): Promise<{ stream: ReadableStream<Uint8Array>; sizeBytes: number }> {
  const file = await files().open(url);
  const { size } = await file.stat();
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const chunk = new Uint8Array(CHUNK_BYTES);
      const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES).catch(async (error: unknown) => {
        await file.close();
        throw error;
      });
      if (bytesRead > 0) return controller.enqueue(chunk.subarray(0, bytesRead));
      await file.close();
      controller.close();
    },
    cancel: () => file.close(),
  });
  return { stream, sizeBytes: size };
}

function files(): NodeFiles {
  return nodeModule<NodeFiles>('node:fs/promises') as NodeFiles;
}

/**
 * The address of this script, or of one next to it. By another name than `import.meta.url`, so that bundlers do not take
 * every address relative to it for a file to carry along, as the worker with everybody's page.
 */
export const SCRIPT_URL = import.meta.url;

/**
 * Addresses are relative to the page, also in the worker, whose own address is another one.
 *
 * @throws OptionError for what is none.
 */
export function absolute(url: string | URL): string {
  const base = (globalThis as { document?: Document }).document?.baseURI ?? globalThis.location?.href ?? SCRIPT_URL;
  try {
    return new URL(url, base).href;
  } catch (cause) {
    throw new OptionError(`"${url}" is not a complete address.`, { cause });
  }
}
