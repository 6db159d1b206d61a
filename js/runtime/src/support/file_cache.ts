/**
 * Files cached in Cache Storage, so that a second visit needs no network for them. Caching may fail, loading does not.
 * Every script of the origin can write there: what has a known hash is verified before it is stored and when it is read.
 */

import { ADDRESS } from '../argument_kinds.js';
import { messageOf } from '../errors.js';
import { checkArguments } from './option_check.js';
import { absolute } from './page_address.js';

const CACHE_NAME = 'tflite-webnn';
const DEFAULT_MAX_BYTES = 512 * 2 ** 20;
/** Names no server: the address of a file is only a part of its key, so no address spells the key of another file. */
const KEYS = 'https://tflite-webnn.invalid/';
const HASH = /^sha(256|384|512)-([^?]+)/;
const HEADERS = {
  url: 'X-TFLite-Url',
  integrity: 'X-TFLite-Integrity',
  kind: 'X-TFLite-Kind',
  size: 'Content-Length',
  stored: 'X-TFLite-Stored',
};

/** How much is kept. */
export interface CacheOptions {
  /** Most bytes that all kept files of this origin take together; the oldest go first. Default: 512 MiB. */
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

/** Whether bytes have one of the strongest hashes of an integrity, as browsers compare it; true without hashes. */
export async function hasIntegrity(bytes: BufferSource, integrity: string | null): Promise<boolean> {
  const hashes = (integrity ?? '').split(/\s+/).flatMap((hash) => [HASH.exec(hash) ?? []]);
  const strongest = hashes.reduce((most, [, bits = '']) => (bits > most ? bits : most), '');
  if (strongest === '') return true;
  const digest = await crypto.subtle.digest(`SHA-${strongest}`, bytes);
  const text = btoa(String.fromCharCode(...new Uint8Array(digest)));
  return hashes.some(([, bits, hash]) => bits === strongest && hash === text);
}

/** Keeps a file; the oldest ones make room. Never fails, and warns where it cannot. */
export function keep(id: FileId, content: Blob | Promise<Blob>, options: CacheOptions): void {
  const write = store(id, content, options).catch(warnOf(id));
  writing.add(write);
  void write.then(() => writing.delete(write));
}

/** Fetches a file that is not kept yet, or damaged, and keeps it. */
export async function fetchKept(id: FileId, options: CacheOptions): Promise<Response> {
  const kept = await matchKept(id);
  if (kept !== undefined) {
    if (await hasIntegrity(await kept.clone().arrayBuffer(), id.integrity)) return kept;
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
  const responses = await Promise.all(((await cache?.keys()) ?? []).map((key) => cache?.match(key)));
  const files = responses.filter((response) => response !== undefined).map(({ headers }) => describe(headers));
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
  const found = (await listCachedModels()).filter((file) => file.url === absolute(url));
  const cache = await openCache();
  for (const file of found) await cache?.delete(keyOf(file));
  return found.length > 0;
}

async function store(id: FileId, content: Blob | Promise<Blob>, options: CacheOptions): Promise<void> {
  const { maxBytes = DEFAULT_MAX_BYTES } = options;
  const cache = await openCache();
  if (cache === null) return;
  const blob = await content;
  if (!(await hasIntegrity(await blob.arrayBuffer(), id.integrity))) throw new Error(`it is not ${id.integrity}`);
  if (blob.size > maxBytes) throw new Error(`it has ${blob.size} bytes, and maxBytes is ${maxBytes}`);
  await makeRoom(cache, id, maxBytes - blob.size);
  const headers = new Headers({
    'Content-Type': id.kind === 'wasm' ? 'application/wasm' : 'application/octet-stream',
    [HEADERS.url]: id.url,
    [HEADERS.kind]: id.kind,
    [HEADERS.size]: String(blob.size),
    [HEADERS.stored]: String(Date.now()),
  });
  if (id.integrity !== null) headers.set(HEADERS.integrity, id.integrity);
  await cache.put(keyOf(id), new Response(blob, { headers }));
}

/** Deletes the oldest files until the others take so many bytes at most. */
async function makeRoom(cache: Cache, { url, kind }: FileId, mostBytes: number): Promise<void> {
  const entries = await Promise.all(
    (await cache.keys()).map(async (key) => ({ key, response: await cache.match(key) })),
  );
  const files = entries.flatMap(({ key, response }) => (response ? [{ key, ...describe(response.headers) }] : []));
  files.sort((a, b) => Number(b.storedAt) - Number(a.storedAt));
  let sum = 0;
  for (const file of files) {
    sum += file.sizeBytes;
    const isReplaced = kind === 'wasm' && file.kind === 'wasm' && file.url === url; // by another version of the package
    if (sum <= mostBytes && !isReplaced) continue;
    sum -= file.sizeBytes;
    await cache.delete(file.key);
  }
}

function describe(headers: Headers): CachedFile {
  return {
    url: headers.get(HEADERS.url) ?? '',
    integrity: headers.get(HEADERS.integrity),
    kind: headers.get(HEADERS.kind) === 'wasm' ? 'wasm' : 'model',
    sizeBytes: Number(headers.get(HEADERS.size)),
    storedAt: new Date(Number(headers.get(HEADERS.stored))),
  };
}

function keyOf({ url, integrity, kind }: FileId): string {
  return KEYS + encodeURIComponent(JSON.stringify([url, integrity, kind]));
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
