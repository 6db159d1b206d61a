/**
 * Files cached in Cache Storage, so that a second visit needs no network for them. Caching may fail, loading does not.
 * Every script of the origin can write there: what has a known hash is verified before it is stored and when it is
 * read.
 */

import { messageOf } from '../errors.js';
import { ADDRESS } from '../option_schema.js';
import { absolute } from './platform.js';
import { checkArguments } from './validate_options.js';

const CACHE_NAME = 'tflite-webnn';
const DEFAULT_MAX_BYTES = 512 * 2 ** 20;
/** Names no server: the address of a file is only a part of its key, so no address spells the key of another file. */
const KEYS = 'https://tflite-webnn.invalid/';
/** As browsers read it: in any case, with either alphabet of base64, and with or without its padding. */
const HASH = /^sha-?(256|384|512)-([^?=]+)/i;
const HEADERS = {
  size: 'Content-Length',
  stored: 'X-TFLite-Stored',
};

/** How much is kept. */
export interface CacheOptions {
  /** The maximum bytes of all kept files of this origin; the oldest go first. Default: 512 MiB. */
  maxBytes?: number;
}

/** A kept file. */
export interface CachedFile {
  /** Where it came from. */
  readonly url: string;
  /** The integrity that a model was requested with, null without; that of a wasm module. */
  readonly integrity: string | null;
  /** A model, or a wasm module of this package. */
  readonly kind: 'model' | 'wasm';
  /** Its size in bytes. */
  readonly sizeBytes: number;
  /** When it was kept. */
  readonly storedAt: Date;
}

type FileId = Pick<CachedFile, 'url' | 'integrity' | 'kind'>;

const writing = new Set<Promise<void>>();

/** The kept file, or undefined; its content is not verified yet. */
export async function matchKept(id: FileId): Promise<Response | undefined> {
  return (await openCache())?.match(keyOf(id)).catch(warnOf(id));
}

/** Deletes a kept file whose content is wrong. */
export async function dropKept(id: FileId): Promise<void> {
  warn(`what the cache had for ${id.url} is damaged, and is fetched again`);
  await (await openCache())?.delete(keyOf(id)).catch(warnOf(id));
}

/**
 * @internal Whether bytes have one of the strongest hashes of an integrity, as browsers compare it; true without
 * hashes.
 */
export async function hasIntegrity(bytes: BufferSource, integrity: string | null): Promise<boolean> {
  const hashes = (integrity ?? '').split(/\s+/).flatMap((hash) => [HASH.exec(hash) ?? []]);
  const strongest = hashes.reduce((max, [, bits = '']) => (bits > max ? bits : max), '');
  if (strongest === '') return true;
  const digest = await crypto.subtle.digest(`SHA-${strongest}`, bytes);
  const text = btoa(String.fromCharCode(...new Uint8Array(digest))).replace(/=+$/, '');
  return hashes.some(([, bits, hash]) => bits === strongest && inBase64(hash as string) === text);
}

function inBase64(hash: string): string {
  return hash.replaceAll('-', '+').replaceAll('_', '/');
}

/** Keeps a file; the oldest ones are deleted. Never fails, and warns where it cannot. */
export function keep(id: FileId, content: Blob | Promise<Blob>, options: CacheOptions): void {
  const write = store(id, content, options).catch(warnOf(id));
  writing.add(write);
  void write.then(() => writing.delete(write));
}

/** Fetches a file that is not kept yet, or damaged, and keeps it. */
export async function fetchKept(id: FileId, options: CacheOptions): Promise<Response> {
  const kept = await matchKept(id);
  if (kept !== undefined) {
    // What is damaged on the disk cannot even be read.
    const bytes = await kept
      .clone()
      .arrayBuffer()
      .catch(() => null);
    if (bytes !== null && (await hasIntegrity(bytes, id.integrity))) return kept;
    await dropKept(id);
  }
  const response = await fetch(id.url);
  if (response.ok) keep(id, response.clone().blob(), options);
  return response;
}

/**
 * Lists the files that the option `cache` has kept for this origin: models and wasm modules, the oldest first; those
 * that are being written, too.
 */
export async function listCachedModels(): Promise<CachedFile[]> {
  await Promise.all(writing);
  const cache = await openCache();
  const files = (cache === null ? [] : await entriesOf(cache)).flatMap(({ file }) => file ?? []);
  return files.sort((a, b) => a.storedAt.getTime() - b.storedAt.getTime());
}

/**
 * Deletes a file that the option `cache` has kept, of whatever integrity: the next load fetches it again.
 *
 * @param url - Its address, relative to the page.
 * @returns whether there was one.
 * @throws OptionError
 */
export async function deleteCachedModel(url: string | URL): Promise<boolean> {
  checkArguments('deleteCachedModel', { url }, { url: ADDRESS });
  await Promise.all(writing);
  const cache = await openCache();
  const found = ((await cache?.keys()) ?? []).filter((key) => idOf(key.url)?.url === absolute(url));
  for (const key of found) await cache?.delete(key);
  return found.length > 0;
}

async function store(id: FileId, content: Blob | Promise<Blob>, options: CacheOptions): Promise<void> {
  const { maxBytes = DEFAULT_MAX_BYTES } = options;
  const cache = await openCache();
  if (cache === null) return;
  const blob = await content;
  if (!(await hasIntegrity(await blob.arrayBuffer(), id.integrity))) throw new Error(`it is not ${id.integrity}`);
  if (blob.size > maxBytes) throw new Error(`it has ${blob.size} bytes, and maxBytes is ${maxBytes}`);
  await freeSpace(cache, id, maxBytes - blob.size);
  const headers = new Headers({
    'Content-Type': id.kind === 'wasm' ? 'application/wasm' : 'application/octet-stream',
    [HEADERS.size]: String(blob.size),
    [HEADERS.stored]: String(Date.now()),
  });
  await cache.put(keyOf(id), new Response(blob, { headers }));
}

/** Deletes the oldest files until the others have at most so many bytes. */
async function freeSpace(cache: Cache, { url, kind }: FileId, maxBytes: number): Promise<void> {
  const entries = await entriesOf(cache);
  let sum = 0;
  for (const { key, file } of entries.sort((a, b) => Number(b.file?.storedAt ?? 0) - Number(a.file?.storedAt ?? 0))) {
    const isReplaced = kind === 'wasm' && file?.kind === 'wasm' && file.url === url; // by another version of the package
    if (file !== null && !isReplaced && sum + file.sizeBytes <= maxBytes) sum += file.sizeBytes;
    else await cache.delete(key);
  }
}

interface Entry {
  readonly key: Request;
  /** Null where another script wrote it: not under a key of this package, or not with its headers. */
  readonly file: CachedFile | null;
}

async function entriesOf(cache: Cache): Promise<Entry[]> {
  return Promise.all(
    (await cache.keys()).map(async (key) => {
      const headers = (await cache.match(key))?.headers;
      return { key, file: headers ? describe(key.url, headers) : null };
    }),
  );
}

function describe(key: string, headers: Headers): CachedFile | null {
  const id = idOf(key);
  const numbers = [HEADERS.size, HEADERS.stored].map((name) => headers.get(name) ?? '');
  if (id === null || !numbers.every((text) => /^\d{1,15}$/.test(text))) return null;
  const [sizeBytes = 0, storedAt = 0] = numbers.map(Number);
  return { ...id, sizeBytes, storedAt: new Date(storedAt) };
}

function keyOf({ url, integrity, kind }: FileId): string {
  return KEYS + encodeURIComponent(JSON.stringify([url, integrity, kind]));
}

/** Of a key; headers may say anything. */
function idOf(key: string): FileId | null {
  try {
    const [url, integrity, kind] = JSON.parse(decodeURIComponent(key.slice(KEYS.length)));
    const isId = typeof url === 'string' && (kind === 'model' || kind === 'wasm');
    return isId && keyOf({ url, integrity, kind }) === key ? { url, integrity, kind } : null;
  } catch {
    return null; // neither JSON nor a list
  }
}

/** Null where the browser has none: in insecure contexts, and in private windows of some browsers. */
async function openCache(): Promise<Cache | null> {
  try {
    return await caches.open(CACHE_NAME);
  } catch (error) {
    warn(`no files can be kept here: ${messageOf(error)}`);
    return null;
  }
}

function warnOf({ url }: FileId): (error: unknown) => undefined {
  return (error) => warn(`${url} is not kept: ${messageOf(error)}`);
}

function warn(text: string): undefined {
  console.warn(`tflite-webnn: ${text}`);
}
