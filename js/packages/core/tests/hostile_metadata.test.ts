/** Small files that say much to JavaScript: each is rejected before it is unpacked or walked. */

import { describeFile } from 'tflite-webnn/explain';
import { openTaskBundle, readModelMetadata } from 'tflite-webnn/metadata';
import { describe, expect, it, vi } from 'vitest';
import { printable } from '../src/errors.js';
import { crc32 } from '../src/metadata/archive.js';
import { parseCalibration, parseLabels, readUltralytics } from '../src/metadata/label_files.js';
import { describedModel, joined, zipOf } from './fakes/metadata_model.js';

const python = (text: string) => readUltralytics([{ name: 'meta.txt', text: () => text }]);
const json = (text: string) => readUltralytics([{ name: 'metadata.json', text: () => text }]);

describe('archives', () => {
  it('rejects a file that unpacks to more than 1 MB and 30 times its size', async () => {
    const bundle = await openTaskBundle(zipOf({ 'a.tflite': '\0'.repeat(2_000_000) }, 9));
    expect(() => bundle.bytes('a.tflite')).toThrow(/a.tflite unpacks to 2000000 bytes, at most 1048576 can be/);
    const small = await openTaskBundle(zipOf({ 'a.tflite': '\0'.repeat(1_000_000) }, 9));
    expect(small.bytes('a.tflite')).toHaveLength(1_000_000);
  });

  it('rejects bundles more than 8 deep in each other', async () => {
    let bundle = zipOf({ 'a.txt': 'x' });
    for (let depth = 0; depth < 8; depth++) bundle = zipOf({ 'inner.task': bundle });
    await expect(describeFile(bundle)).resolves.toMatchObject({ metadata: null });
    await expect(describeFile(zipOf({ 'inner.task': bundle }))).rejects.toThrow(
      expect.objectContaining({ name: 'ArchiveError', code: 'TASK_BUNDLE' }),
    );
  });

  it('rejects small bundles that unpack to more than 16 MB and 30 times their size', async () => {
    const model = joined(describedModel({}), new Uint8Array(1_000_000));
    const names = Array.from({ length: 12 }, (_, index) => `${index}.tflite`);
    const inner = zipOf(Object.fromEntries(names.map((name) => [name, model])), 9);
    await expect(describeFile(inner)).resolves.toMatchObject({ metadata: null });
    const bundle = zipOf({ 'a.task': inner, 'b.task': inner });
    await expect(describeFile(bundle)).rejects.toThrow(`or unpacks to more than ${2 ** 24 + 30 * bundle.length} bytes`);
  });

  it('computes the checksum of the standard', () => {
    expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926);
  });
});

describe('files of classes', () => {
  it.each([parseLabels, parseCalibration])('rejects more than 500,000 lines: %o', (parse) => {
    expect(parse('\n'.repeat(500_000), 'l.txt')).toHaveLength(500_000);
    expect(() => parse('\n'.repeat(500_001), 'l.txt')).toThrow(/l.txt has more than 500000 lines/);
  });
});

describe("Ultralytics' file", () => {
  it('reads each letter of a Python dict once', () => {
    const stringify = vi.spyOn(JSON, 'stringify');
    for (const text of [`{${"'\\".repeat(100_000)}`, `{${'1'.repeat(200_000)}`]) {
      expect(() => python(text)).toThrow(expect.objectContaining({ name: 'MetadataError', code: 'METADATA_MISMATCH' }));
    }
    expect(stringify.mock.calls.length).toBeLessThan(10);
    stringify.mockRestore();
  });

  it('rejects deep values, and names that are no text', () => {
    expect(() => json(`{"names":["a"],"x":${'['.repeat(200)}${']'.repeat(200)}}`)).toThrow(
      expect.objectContaining({ name: 'MetadataError', code: 'METADATA_MISMATCH' }),
    );
    expect(() => json(`{"names":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)).toThrow(
      expect.objectContaining({ name: 'MetadataError', code: 'METADATA_MISMATCH' }),
    );
    expect(() => json('{"names":[{"toString":1}]}')).toThrow(/whose name is no text/);
    expect(json('{"names":{"0":"a","1":2}}').ultralytics?.names).toEqual(['a', '2']);
  });
});

it('cuts long texts, and escapes what is left', () => {
  const text = printable('\u001b'.repeat(5_000_000));
  expect(text).toBe(`${'\\u001b'.repeat(10_000)} (and 4990000 more characters)`);
});

it.each([
  ['::error::x', '\\u003a:error::x'],
  ['   ::add-mask::a::b', '   \\u003a:add-mask::a::b'],
  ['a ##[error]x', 'a \\u0023#[error]x'],
  ['##vso[task.setvariable]x', '\\u0023#vso[task.setvariable]x'],
  ['a::b', 'a::b'],
])('has no commands of CI in a text: %s', (text, expected) => {
  expect(printable(text)).toBe(expected);
});

describe('files that metadata names', () => {
  const model = (times: number, files: Readonly<Record<string, string>>, count = 100_000) => {
    const associatedFiles = Array.from({ length: times }, () => ({ name: 'l', type: 'TENSOR_AXIS_LABELS' }));
    const tensors = [{ associatedFiles }];
    const metadata = { subgraphMetadata: [{ inputTensorMetadata: [], outputTensorMetadata: tensors }] };
    return describedModel({ outputs: [[count]], metadata, files, level: 9 });
  };

  it('have no more lines together than one may have', async () => {
    const labels = { l: 'a\n'.repeat(100_000) };
    expect((await readModelMetadata(model(5, labels)))?.outputs[0]?.labels).toHaveLength(5);
    await expect(readModelMetadata(model(6, labels))).rejects.toThrow(/have more than 500000 lines or .* together/);
  });

  it('have no more characters together than one may have', async () => {
    const labels = { l: 'x'.repeat(1_000_000) };
    expect((await readModelMetadata(model(16, labels, 1)))?.outputs[0]?.labels).toHaveLength(16);
    const decode = vi.spyOn(TextDecoder.prototype, 'decode');
    await expect(readModelMetadata(model(1000, labels, 1))).rejects.toThrow(/or 16777216 characters together/);
    expect(decode.mock.calls.length).toBeLessThan(1000 + 17 + 20); // names, and the file
    decode.mockRestore();
  });
});

it('finds files of a bundle by their names without a search', async () => {
  const names = Array.from({ length: 1000 }, (_, index) => `${index}.tflite`);
  const bundle = await openTaskBundle(zipOf(Object.fromEntries(names.map((name) => [name, name]))));
  const find = vi.spyOn(Array.prototype, 'find');
  for (const name of names) expect(new TextDecoder().decode(bundle.bytes(name))).toBe(name);
  expect(find).not.toHaveBeenCalled();
  find.mockRestore();
});
