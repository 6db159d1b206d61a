/** MediaPipe's `.task` bundles. */

import { ArchiveError, ModelFetchError } from 'tflite-webnn';
import { openTaskBundle, readModelMetadata } from 'tflite-webnn/metadata';
import { describe, expect, it, vi } from 'vitest';
import { describedModel, joined, zipOf } from './fakes/metadata_model.js';

const DETECTOR = describedModel({ inputs: [[1, 4]], metadata: { name: 'detector' } });
const INNER = zipOf({ 'detector.tflite': DETECTOR });
const BUNDLE = zipOf({ 'landmarks.tflite': DETECTOR, 'hands.task': INNER, 'geometry.binarypb': 'x' });

describe('openTaskBundle()', () => {
  it('lists models, bundles and other files', async () => {
    const bundle = await openTaskBundle(BUNDLE);
    expect(bundle.models).toEqual(['landmarks.tflite']);
    expect(bundle.bundles).toEqual(['hands.task']);
    expect(bundle.files.map(({ name }) => name)).toEqual(['landmarks.tflite', 'hands.task', 'geometry.binarypb']);
  });

  it('returns models of bundles in the bundle, without copying what is stored', async () => {
    const bundle = await openTaskBundle(BUNDLE);
    const model = (await bundle.open('hands.task')).bytes('detector.tflite');
    expect(model).toEqual(DETECTOR);
    expect(model.buffer).toBe(BUNDLE.buffer);
    expect((await readModelMetadata(model))?.name).toBe('detector');
  });

  it('accepts the zeros that MediaPipe writes before an archive, to align its files', async () => {
    const bundle = await openTaskBundle(joined(new Uint8Array(2), BUNDLE));
    expect(bundle.models).toEqual(['landmarks.tflite']);
    expect(bundle.bytes('landmarks.tflite')).toEqual(DETECTOR);
    await expect(openTaskBundle(joined(new Uint8Array(4), BUNDLE))).rejects.toThrow(
      expect.objectContaining({ name: 'ArchiveError', code: 'TASK_BUNDLE' }),
    );
  });

  it('unpacks what is compressed', async () => {
    const packed = zipOf({ 'hands.task': zipOf({ 'a.tflite': DETECTOR }, 9) }, 9);
    const hands = await (await openTaskBundle(packed)).open('hands.task');
    expect(hands.bytes('a.tflite')).toEqual(DETECTOR);
  });

  it('accepts a Blob, a Response, a stream and an address', async () => {
    const bytes = new Uint8Array(BUNDLE);
    vi.stubGlobal('fetch', async () => new Response(bytes));
    const sources = [new Blob([bytes]), new Response(bytes), new Blob([bytes]).stream(), 'hands.task', bytes.buffer];
    const models = await Promise.all(sources.map(async (source) => (await openTaskBundle(source)).models));
    expect(models).toEqual(sources.map(() => ['landmarks.tflite']));
  });

  it.each([
    ['a model', DETECTOR],
    ['nothing', new Uint8Array()],
    ['a model, as a Blob', new Blob([new Uint8Array(DETECTOR)])],
  ])('rejects %s', async (_, source) => {
    await expect(openTaskBundle(source)).rejects.toThrow(
      expect.objectContaining({ name: 'ArchiveError', code: 'TASK_BUNDLE' }),
    );
    await expect(openTaskBundle(source)).rejects.toThrow(/is not a .task bundle, which is a zip archive: it /);
  });

  it('names the files where one is not there', async () => {
    const bundle = await openTaskBundle(INNER);
    expect(() => bundle.bytes('other.tflite')).toThrow('The bundle has no file other.tflite; it has detector.tflite.');
  });

  it('names the bundle that is damaged', async () => {
    const cut = BUNDLE.subarray(0, BUNDLE.length - 30);
    await expect(openTaskBundle(cut)).rejects.toThrow(/The bundle cannot be read. The zip archive is damaged/);
    const bundle = await openTaskBundle(zipOf({ 'hands.task': INNER.subarray(0, INNER.length - 30) }));
    await expect(bundle.open('hands.task')).rejects.toThrow(/hands.task cannot be read/);
    await expect(bundle.open('hands.task')).rejects.toThrow(ArchiveError);
  });

  it('rejects paths that climb', async () => {
    await expect(openTaskBundle(zipOf({ '../evil.tflite': 'x' }))).rejects.toThrow(/leads out of it/);
  });

  it('names the response of the server', async () => {
    vi.stubGlobal('fetch', async () => new Response('<html>', { status: 404 }));
    await expect(openTaskBundle('hands.task')).rejects.toThrow(ModelFetchError);
  });
});
