/** Modules from a release. */

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const { addPrebuilt } = (await import(new URL('../prebuilt.mjs', import.meta.url).href)) as {
  addPrebuilt(source: string, wasmDir: string): Promise<{ added: string[]; others: string[] }>;
};

const ARTEFACTS = ['tflite_webnn.mjs', 'tflite_webnn.wasm', 'manifest.json', 'THIRD_PARTY_NOTICES.txt'];
const ARCHIVE = 'wasm-relaxed-simd-0123abcd.zip';

let directory: string;
let release: string;
let wasmDir: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tflite-webnn-'));
  release = join(directory, 'release');
  wasmDir = join(directory, 'wasm');
  mkdirSync(release);
  const archive = zipSync(
    Object.fromEntries(
      ARTEFACTS.map((name) => [name, strToU8(name === 'manifest.json' ? '{"key": "0123abcd"}' : `released ${name}`)]),
    ),
  );
  writeFileSync(join(release, ARCHIVE), archive);
  const sha256 = createHash('sha256').update(archive).digest('hex');
  writeFileSync(join(release, 'SHA256SUMS'), `${sha256} *${ARCHIVE}\n${sha256}  wasm-other-0123abcd.zip\n`);
});

afterEach(() => rmSync(directory, { recursive: true }));

const wasm = () => readFileSync(join(wasmDir, 'relaxed-simd', 'tflite_webnn.wasm'), 'utf8');

describe('the modules of a release', () => {
  it('are unpacked from a directory', async () => {
    expect(await addPrebuilt(release, wasmDir)).toEqual({ added: ['relaxed-simd'], others: [] });
    expect(wasm()).toBe('released tflite_webnn.wasm');
  });

  it('are downloaded from an address', async () => {
    const server = createServer((request, response) => response.end(readFileSync(join(release, `${request.url}`))));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    expect(await addPrebuilt(`http://127.0.0.1:${port}/`, wasmDir)).toEqual({ added: ['relaxed-simd'], others: [] });
    expect(wasm()).toBe('released tflite_webnn.wasm');
    server.close();
  });

  it('come over https, or from this machine, also behind redirects', async () => {
    const insecure = /anyone on the way can change what comes over plain http: use https/;
    await expect(addPrebuilt('http://release.invalid', wasmDir)).rejects.toThrow(insecure);
    const server = createServer((_, response) => {
      response.writeHead(302, { Location: 'http://release.invalid/SHA256SUMS' }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await expect(addPrebuilt(`http://127.0.0.1:${port}`, wasmDir)).rejects.toThrow(insecure);
    server.close();
  });

  it('write into their directory only, and all in parallel', async () => {
    const release = (files: Readonly<Record<string, string>>) => {
      const archive = zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));
      writeFileSync(join(directory, 'release', ARCHIVE), archive);
      const sha256 = createHash('sha256').update(archive).digest('hex');
      writeFileSync(join(directory, 'release', 'SHA256SUMS'), `${sha256} *${ARCHIVE}\n`);
    };
    release({ '../../outside.txt': 'x', 'manifest.json': '{"key": "0123abcd"}' });
    await addPrebuilt(join(directory, 'release'), wasmDir);
    expect(existsSync(join(directory, 'outside.txt'))).toBe(false);
    release({ 'manifest.json': 'x', [`${'n'.repeat(300)}.wasm`]: 'no file system has such a name' });
    rmSync(wasmDir, { recursive: true });
    await expect(addPrebuilt(join(directory, 'release'), wasmDir)).rejects.toThrow();
    expect(readdirSync(wasmDir)).toEqual([]);
  });

  it('replace nothing that is built, and other files are named', async () => {
    for (const [variant, key] of [
      ['relaxed-simd', '4567'],
      ['simd', '0123abcd'],
    ] as const) {
      mkdirSync(join(wasmDir, variant), { recursive: true });
      for (const name of ARTEFACTS) writeFileSync(join(wasmDir, variant, name), `{"key": "${key}"}`);
    }
    expect(await addPrebuilt(release, wasmDir)).toEqual({ added: [], others: ['simd', 'relaxed-simd'] });
    expect(wasm()).toBe('{"key": "4567"}');
  });

  it('are unpacked once, without a message the next time', async () => {
    await addPrebuilt(release, wasmDir);
    expect(await addPrebuilt(release, wasmDir)).toEqual({ added: [], others: [] });
  });

  it('are rejected if an archive differs from its hash', async () => {
    writeFileSync(join(release, ARCHIVE), 'other bytes');
    const failing = addPrebuilt(release, wasmDir);
    await expect(failing).rejects.toThrow(/wasm-relaxed-simd-0123abcd\.zip is damaged.*Set TFLITE_WEBNN_PREBUILT/);
  });

  it('are rejected where a file cannot be read', async () => {
    rmSync(join(release, 'SHA256SUMS'));
    await expect(addPrebuilt(release, wasmDir)).rejects.toThrow(/cannot read SHA256SUMS: .*Set TFLITE_WEBNN_PREBUILT/);
  });
});
