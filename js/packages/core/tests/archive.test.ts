/** Zip archives at the end of files. */

import { inflateSync } from 'fflate';
import { ArchiveError } from 'tflite-webnn';
import { describe, expect, it, vi } from 'vitest';
import { findArchive, needsInflate, readArchive } from '../src/metadata/archive.js';
import { joined, zipOf } from './fakes/metadata_model.js';

const TEXT = 'cat\ndog\n'.repeat(50);
const [STORED, DEFLATED] = [zipOf({ 'a.txt': TEXT }), zipOf({ 'a.txt': TEXT }, 9)];
const PREFIX = new Uint8Array(1000).fill(7);
const SIGNATURES = { local: 0x04034b50, central: 0x02014b50, end: 0x06054b50 };

/** A copy in which a field of a header is another: 2 or 4 bytes at an offset from the header's signature. */
function changed(bytes: Uint8Array, header: keyof typeof SIGNATURES, offset: number, value: number, sizeBytes: 2 | 4) {
  const copy = bytes.slice();
  const view = new DataView(copy.buffer);
  for (let at = 0; at + 4 <= copy.length; at++) {
    if (view.getUint32(at, true) !== SIGNATURES[header]) continue;
    if (sizeBytes === 2) view.setUint16(at + offset, value, true);
    else view.setUint32(at + offset, value, true);
  }
  return copy;
}

/** The only file. */
function entryOf(bytes: Uint8Array) {
  const [entry, ...others] = readArchive(bytes, inflateSync);
  if (entry === undefined || others.length > 0) throw new Error('expected one file');
  return entry;
}

describe('readArchive()', () => {
  it.each([
    ['stored', STORED, false],
    ['deflated', DEFLATED, true],
    ['behind a model, offsets from the archive', joined(PREFIX, STORED), false],
    ['behind a model, offsets from the file', absolute(), false],
    ['without the model in front of it', absolute().subarray(PREFIX.length), false],
    ['with a comment', joined(changed(STORED, 'end', 20, 30, 2), new TextEncoder().encode('PKP'.repeat(10))), false],
  ])('reads a file that is %s', (_, bytes, isCompressed) => {
    const entry = entryOf(bytes);
    expect(entry).toMatchObject({ name: 'a.txt', sizeBytes: 400, isCompressed });
    expect(entry.text()).toBe(TEXT);
    expect(needsInflate(bytes)).toBe(isCompressed);
  });

  it('does not copy what is stored', () => {
    const bytes = joined(PREFIX, STORED);
    expect(entryOf(bytes).bytes().buffer).toBe(bytes.buffer);
  });

  it('finds where the archive begins', () => {
    expect(findArchive(joined(PREFIX, STORED))).toBe(1000);
    expect(findArchive(absolute())).toBe(1000);
    expect(() => findArchive(absolute().subarray(PREFIX.length + 1))).toThrow(/begins 1 bytes before the file/);
    expect(findArchive(PREFIX)).toBeNull();
    expect(findArchive(new Uint8Array(3))).toBeNull();
  });

  it('lists files of directories by their paths, and no directories', () => {
    const entries = readArchive(zipOf({ 'a/': '', 'a/b.txt': 'b', 'c.txt': '' }), null);
    expect(entries.map(({ name, sizeBytes }) => [name, sizeBytes])).toEqual([
      ['a/b.txt', 1],
      ['c.txt', 0],
    ]);
  });

  it.each([['../up.txt'], ['a/../../up.txt'], ['/root.txt'], ['C:\\windows.txt'], ['a\\..\\up.txt'], ['nul\0.txt']])(
    'rejects the path %j',
    (path) => {
      const reading = () => readArchive(zipOf({ [path]: 'x' }), null);
      expect(reading).toThrow(
        expect.objectContaining({ name: 'ArchiveError', code: 'ARCHIVE_PATH', details: { path } }),
      );
    },
  );

  it.each<[string, Uint8Array, string, RegExp]>([
    ['no end', STORED.subarray(0, STORED.length - 1), 'DAMAGED_ARCHIVE', /no directory at its end/],
    ['a directory that is too long', changed(STORED, 'end', 12, 1 << 30, 4), 'DAMAGED_ARCHIVE', /is not in the file/],
    ['more entries than there are', changed(STORED, 'end', 10, 9, 2), 'DAMAGED_ARCHIVE', /after 1 of 9 entries/],
    ['half of it', absolute().subarray(PREFIX.length + 1), 'DAMAGED_ARCHIVE', /a.txt has no header at byte -1/],
    ['an entry elsewhere', changed(STORED, 'central', 42, 5, 4), 'DAMAGED_ARCHIVE', /a.txt has no header at byte 5/],
    [
      'an entry that is too long',
      changed(STORED, 'central', 20, 1 << 20, 4),
      'DAMAGED_ARCHIVE',
      /beyond the directory/,
    ],
    ['a stored size that differs', changed(STORED, 'central', 24, 5, 4), 'DAMAGED_ARCHIVE', /cannot have 5 bytes/],
    [
      'a size beyond all compression',
      changed(DEFLATED, 'central', 24, 2 ** 32 - 1, 4),
      'DAMAGED_ARCHIVE',
      /4294967295/,
    ],
    ['several disks', changed(STORED, 'end', 4, 1, 2), 'UNSUPPORTED_ARCHIVE', /several disks/],
    ['Zip64', changed(STORED, 'end', 16, 2 ** 32 - 1, 4), 'UNSUPPORTED_ARCHIVE', /Zip64/],
    ['a password', changed(STORED, 'central', 8, 1, 2), 'UNSUPPORTED_ARCHIVE', /a.txt is encrypted/],
    ['another method', changed(STORED, 'central', 10, 12, 2), 'UNSUPPORTED_ARCHIVE', /a.txt is packed by method 12/],
  ])('rejects %s', (_, bytes, code, message) => {
    expect(() => readArchive(bytes, inflateSync)).toThrow(ArchiveError);
    expect(() => readArchive(bytes, inflateSync)).toThrow(expect.objectContaining({ code }));
    expect(() => readArchive(bytes, inflateSync)).toThrow(message);
  });

  it.each([
    ['stored', STORED, 40],
    ['deflated', DEFLATED, 38],
  ])('rejects text with another checksum, %s', (_, bytes, at) => {
    const damaged = bytes.slice();
    damaged[at] = (damaged[at] as number) ^ 1;
    expect(() => entryOf(damaged).text()).toThrow(/checksum of a.txt is wrong|a.txt cannot be unpacked/);
  });

  it('rejects files that share their bytes', () => {
    const bytes = zipOf({ 'a.txt': TEXT, 'b.txt': TEXT, 'c.txt': 'c' });
    const view = new DataView(bytes.buffer);
    const first = bytes.findIndex((_, at) => at + 4 <= bytes.length && view.getUint32(at, true) === SIGNATURES.central);
    for (let at = first; view.getUint32(at, true) === SIGNATURES.central; at += 46 + 5) {
      for (const field of [20, 24]) view.setUint32(at + field, 400, true);
      view.setUint32(at + 42, 0, true);
    }
    expect(() => readArchive(bytes, null)).toThrow(/its files have 1200 bytes, and it has \d+: they overlap/);
  });

  it('rejects text that is no text', () => {
    expect(() => entryOf(zipOf({ 'a.txt': Uint8Array.of(0xff, 0xfe) })).text()).toThrow(/a.txt is not UTF-8/);
  });
});

/** As Python's zipfile appends to a file. */
function absolute(): Uint8Array {
  const end = new DataView(STORED.buffer, STORED.byteOffset).getUint32(STORED.length - 6, true);
  const moved = changed(changed(STORED, 'end', 16, end + PREFIX.length, 4), 'central', 42, PREFIX.length, 4);
  return joined(PREFIX, moved);
}

it('is text in shared memory, too, which browsers do not decode', () => {
  const shared = new Uint8Array(new SharedArrayBuffer(STORED.length));
  shared.set(STORED);
  vi.stubGlobal(
    'TextDecoder',
    class extends TextDecoder {
      override decode(bytes: Uint8Array): string {
        if (bytes.buffer instanceof SharedArrayBuffer) throw new TypeError('The provided value must not be shared.');
        return super.decode(bytes);
      }
    },
  );
  expect(entryOf(shared).text()).toBe(TEXT);
});
