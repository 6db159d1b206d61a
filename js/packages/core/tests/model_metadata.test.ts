/** A loaded model's metadata, in the page and in a worker. */

import * as comlink from 'comlink';
import { ArchiveError, ModelDisposedError, openTaskBundle, readModelMetadata } from 'tflite-webnn';
import { TFLiteWorker } from 'tflite-webnn/worker';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { makeModelServer } from '../src/worker/model_server.js';
import { FakeContext } from './fakes/fake_webnn.js';
import { loadOn } from './fakes/load_fake.js';
import { type DescribedModel, describedModel } from './fakes/metadata_model.js';
import { DIRECT, sinRunner } from './fakes/sin_model.js';

const DESCRIBED: DescribedModel = {
  outputs: [[1, 2]],
  metadata: {
    name: 'classifier',
    subgraphMetadata: [
      { outputTensorMetadata: [{ associatedFiles: [{ name: 'labels.txt', type: 'TENSOR_AXIS_LABELS' }] }] },
    ],
  },
  files: { 'labels.txt': 'cat\ndog' },
};
const LYING: DescribedModel = { ...DESCRIBED, files: { 'labels.txt': 'cat\ndog\nbird' } };
const ports: MessagePort[] = [];

function loadInPage(described: DescribedModel) {
  return loadOn([new FakeContext()], sinRunner(DIRECT), {}, describedModel(described));
}

/** The worker's thread is this one. */
async function loadInWorker(described: DescribedModel) {
  const { port1, port2 } = new MessageChannel();
  ports.push(port1, port2);
  comlink.expose(
    makeModelServer(() => loadInPage(described)),
    port1 as unknown as comlink.Endpoint,
  );
  const worker = Object.assign(port2, { terminate: () => undefined }) as unknown as Worker;
  return new TFLiteWorker({ worker }).loadTFLiteModel(new Uint8Array(8));
}

afterEach(() => {
  for (const port of ports.splice(0)) port.close();
});

describe.each([
  ['in the page', loadInPage],
  ['in a worker', loadInWorker],
])('model.metadata %s', (_, load) => {
  it('is read once', async () => {
    const model = await load(DESCRIBED);
    const { metadata } = model;
    expect(model.metadata).toBe(metadata);
    expect((await metadata)?.name).toBe('classifier');
    expect((await metadata)?.outputs[0]?.labels[0]?.names).toEqual(['cat', 'dog']);
  });

  it('is null where the file has none', async () => {
    expect(await (await load({})).metadata).toBeNull();
  });

  it('fails where it lies; the model runs', async () => {
    const model = await load(LYING);
    await expect(model.metadata).rejects.toThrow(
      expect.objectContaining({ name: 'MetadataError', code: 'METADATA_MISMATCH' }),
    );
    expect(await model.run(new Float32Array(4))).toHaveLength(1);
  });

  it('remains when the model is gone, and cannot be read then', async () => {
    const [requested, other] = [await load(DESCRIBED), await load(DESCRIBED)];
    const metadata = await requested.metadata;
    await requested.dispose();
    await other.dispose();
    expect(metadata?.files[0]?.text()).toBe('cat\ndog');
    for (const model of [requested, other]) await expect(model.metadata).rejects.toThrow(ModelDisposedError);
  });
});

describe('the script that reads metadata', () => {
  afterEach(() => {
    vi.doUnmock('../src/load/read_files.js');
  });

  it('is loaded for a file, and throws the errors of the package', async () => {
    expect(await readModelMetadata(describedModel(DESCRIBED))).toMatchObject({ name: 'classifier' });
    await expect(openTaskBundle(new Uint8Array(8))).rejects.toThrow(ArchiveError);
  });

  it('may be missing: the model runs', async () => {
    vi.doMock('../src/load/read_files.js', () => Promise.reject(new Error('404')));
    const model = await loadInPage(DESCRIBED);
    const missing = expect.objectContaining({ name: 'WasmLoadError', code: 'PACKAGE_FILE_MISSING' });
    await expect(model.metadata).rejects.toThrow(missing);
    await expect(readModelMetadata(describedModel(DESCRIBED))).rejects.toThrow(missing);
    expect(await model.run(new Float32Array(4))).toHaveLength(1);
  });

  it('may come after the end of the model', async () => {
    const model = await loadInPage(DESCRIBED);
    const { metadata } = model;
    model.dispose();
    await expect(metadata).rejects.toThrow(ModelDisposedError);
  });
});
