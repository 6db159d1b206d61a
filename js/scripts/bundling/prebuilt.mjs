/** The wasm modules of a release, for machines without Python and a compiler. */

import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { unzipSync } from 'fflate';
import { builtVariants } from './package.mjs';
import { VARIANTS } from './scripts.mjs';

export const VARIABLE = 'TFLITE_WEBNN_PREBUILT';
const SUMS = 'SHA256SUMS';
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
const MAX_REDIRECTS = 10;
const ARCHIVE = /^wasm-(?<variant>.+)-(?<key>[0-9a-f]+)\.zip$/;

/**
 * Unpacks modules of a release into `wasmDir`, except variants that are there. Returns the unpacked variants (`added`),
 * and those that were there and are not the release's (`others`).
 *
 * build.py compares the key in an archive's name with the sources; this does not.
 *
 * @param source the directory, or the address, with the files of the release
 */
export async function addPrebuilt(source, wasmDir) {
  const built = builtVariants(wasmDir);
  const released = archivesIn(await read(source, SUMS));
  const archives = released.filter(({ variant }) => !built.includes(variant));
  for (const { name, sha256, variant } of archives) {
    const content = await read(source, name);
    const found = createHash('sha256').update(content).digest('hex');
    if (found !== sha256) throw failure(source, `${name} is damaged: its SHA-256 is ${found}; ${SUMS} has ${sha256}`);
    unpack(content, wasmDir, variant);
  }
  const others = built.filter((variant) => !released.some((archive) => isUnpacked(archive, variant, wasmDir)));
  return { added: archives.map(({ variant }) => variant), others };
}

/** In one rename: who ends this leaves no variant that lacks a file, or the end of one. */
function unpack(content, wasmDir, variant) {
  mkdirSync(wasmDir, { recursive: true });
  const partial = mkdtempSync(join(wasmDir, `.${variant}-`));
  try {
    for (const [file, bytes] of Object.entries(unzipSync(content))) writeFileSync(join(partial, basename(file)), bytes);
    rmSync(join(wasmDir, variant), { recursive: true, force: true });
    renameSync(partial, join(wasmDir, variant));
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

function isUnpacked(archive, variant, wasmDir) {
  const manifest = JSON.parse(readFileSync(join(wasmDir, variant, 'manifest.json'), 'utf8'));
  return archive.variant === variant && archive.key === manifest.key;
}

function archivesIn(sums) {
  const lines = sums.toString().split('\n').map((line) => line.trim().split(/\s+/));
  return lines.flatMap(([sha256, marked]) => {
    const name = marked?.replace(/^\*/, '') ?? '';
    const { variant, key } = ARCHIVE.exec(name)?.groups ?? {};
    return VARIANTS.includes(variant) ? [{ name, sha256, variant, key }] : [];
  });
}

async function read(source, name) {
  try {
    if (!source.includes('://')) return await readFile(join(source.replace(/^~(?=\/|$)/, homedir()), name));
    return await download(`${source.replace(/\/+$/, '')}/${name}`);
  } catch (error) {
    throw failure(source, `cannot read ${name}: ${error.message}`);
  }
}

/** Follows redirects, unless one leaves https. */
async function download(address, redirects = MAX_REDIRECTS) {
  const { protocol, hostname } = new URL(address);
  if (protocol !== 'https:' && !LOOPBACK.includes(hostname)) {
    throw new Error(`it is at ${address}; anyone on the way can change what comes over plain http: use https`);
  }
  const response = await fetch(address, { redirect: 'manual' });
  const location = response.headers.get('Location');
  if (location !== null && redirects > 0) return download(new URL(location, address).href, redirects - 1);
  if (!response.ok) throw new Error(`HTTP status ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}

function failure(source, what) {
  return new Error(`${what} (in ${source}). Set ${VARIABLE} to the files of a release, or unset it.`);
}
