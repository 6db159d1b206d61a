/** The wasm modules of a release, for machines without Python and a compiler. */

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { builtVariants } from './package.mjs';
import { VARIANTS } from './scripts.mjs';

export const VARIABLE = 'TFLITE_WEBNN_PREBUILT';
const SUMS = 'SHA256SUMS';
const ARCHIVE = /^wasm-(?<variant>.+)-(?<key>[0-9a-f]+)\.zip$/;

/**
 * Unpacks modules of a release into `wasmDir`, except variants that are there. Returns the unpacked variants (`added`),
 * and those that were there and are not the release's (`others`).
 *
 * build.py compares the key in an archive's name with the sources; this does not.
 *
 * @param place the directory, or the address, with the files of the release
 */
export async function addPrebuilt(place, wasmDir) {
  const built = builtVariants(wasmDir);
  const released = archivesIn(await read(place, SUMS));
  const archives = released.filter(({ variant }) => !built.includes(variant));
  for (const { name, sha256, variant } of archives) {
    const content = await read(place, name);
    const found = createHash('sha256').update(content).digest('hex');
    if (found !== sha256) throw failure(place, `${name} is damaged: its SHA-256 is ${found}; ${SUMS} has ${sha256}`);
    mkdirSync(join(wasmDir, variant), { recursive: true });
    for (const [file, bytes] of Object.entries(unzipSync(content))) writeFileSync(join(wasmDir, variant, file), bytes);
  }
  const others = built.filter((variant) => !released.some((archive) => isUnpacked(archive, variant, wasmDir)));
  return { added: archives.map(({ variant }) => variant), others };
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

async function read(place, name) {
  try {
    if (!place.includes('://')) return await readFile(join(place.replace(/^~(?=\/|$)/, homedir()), name));
    const response = await fetch(`${place.replace(/\/+$/, '')}/${name}`);
    if (!response.ok) throw new Error(`HTTP status ${response.status}`);
    return Buffer.from(await response.arrayBuffer());
  } catch (error) {
    throw failure(place, `cannot read ${name}: ${error.message}`);
  }
}

function failure(place, what) {
  return new Error(`${what} (in ${place}). Set ${VARIABLE} to the files of a release, or unset it.`);
}
