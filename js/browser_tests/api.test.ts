/** Loading a model in a page: sources, progress, abort; and strings. */

import {
  decodeStrings,
  InputError,
  type LoadPhase,
  loadTFLiteModel,
  ModelFetchError,
  type ModelSource,
  type TFLiteModelOptions,
} from 'tflite-webnn';
import { expect, it } from 'vitest';
import { addressOf, errorOf, WEBNN } from './fixtures.js';
import { expectNothingHeld } from './held.js';

const FACE = addressOf('face_detection_short_range');

expectNothingHeld();

const response = () => fetch(FACE);
const SOURCES: Record<string, () => ModelSource | Promise<ModelSource>> = {
  'an address': () => FACE,
  'a URL': () => new URL(FACE, location.origin),
  'an ArrayBuffer': async () => (await response()).arrayBuffer(),
  'a Uint8Array': async () => new Uint8Array(await (await response()).arrayBuffer()),
  'a Blob': async () => (await response()).blob(),
  'a Response': response,
  'a stream': async () => (await response()).body as ReadableStream<Uint8Array<ArrayBuffer>>,
};
it.each(Object.entries(SOURCES))('a model loads from %s', async (_, source) => {
  const model = await loadTFLiteModel(await source(), WEBNN);
  expect(model.inputs.length).toBe(1);
  model.dispose();
});

it('a model whose bytes have another integrity is an error', async () => {
  const bytes = await (await response()).arrayBuffer();
  const integrityOf = async (content: ArrayBuffer) =>
    `sha384-${btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.digest('SHA-384', content))))}`;
  const model = await loadTFLiteModel(FACE, { ...WEBNN, integrity: await integrityOf(bytes) });
  expect(model.inputs.length).toBe(1);
  model.dispose();
  const integrity = await integrityOf(bytes.slice(1));
  const error = await errorOf(loadTFLiteModel(FACE, { ...WEBNN, integrity }));
  expect(error).toBeInstanceOf(ModelFetchError);
});

it('loading reports each phase', async () => {
  const size = (await (await response()).arrayBuffer()).byteLength;
  const last: Record<string, unknown> = {};
  const model = await loadTFLiteModel(FACE, {
    ...WEBNN,
    onProgress: ({ phase, ...progress }) => {
      last[phase] = progress;
    },
  });
  model.dispose();
  expect(Object.keys(last).sort()).toEqual(['build', 'compile', 'download', 'init']);
  expect(last.download).toEqual({ loadedBytes: size, totalBytes: size });
  expect(last.init).toMatchObject({ loadedBytes: size });
  const { loadedBytes, totalBytes } = last.build as { loadedBytes: number; totalBytes: number };
  expect(loadedBytes).toBeGreaterThan(0);
  expect(loadedBytes).toBe(totalBytes);
});

it.each<[string, TFLiteModelOptions]>([
  ['on the CPU', { device: 'cpu' }],
  ['on WebNN', WEBNN],
])(
  'timers get their turn while a model loads %s, as a continuation of scheduler.yield() would not let them',
  async (_, options) => {
    const ends: string[] = [];
    const model = await loadTFLiteModel(FACE, {
      ...options,
      onProgress: ({ phase, loadedBytes }) => {
        if (phase !== 'init') return;
        if (loadedBytes > 0) {
          ends.push('init');
          return;
        }
        setTimeout(() => ends.push('timer'), 0);
        const start = performance.now();
        while (performance.now() - start < 5);
      },
    });
    model.dispose();
    expect(ends).toEqual(['timer', 'init']);
  },
);

it.each<LoadPhase>(['compile', 'download', 'init', 'build'])(
  'a load is aborted in the phase %s, and the next one is not',
  async (phase) => {
    const controller = new AbortController();
    const reason = new RangeError('the test has seen enough');
    const loading = loadTFLiteModel(FACE, {
      ...WEBNN,
      signal: controller.signal,
      onProgress: (progress) => {
        if (progress.phase === phase) controller.abort(reason);
      },
    });
    expect(await errorOf(loading)).toBe(reason);
    const model = await loadTFLiteModel(FACE, WEBNN);
    expect(model.inputs.length).toBe(1);
    model.dispose();
  },
);

it('string tensors pass unchanged, and what does not fit is an error', async () => {
  const model = await loadTFLiteModel(addressOf('strings'));
  const texts = ['eins', 'zwölf 🦊', ''];
  const which = Int32Array.of(1, 2);
  const { picked } = await model.run<Record<string, string[] | Int32Array>>({ texts, which });
  if (picked?.dtype !== 'string') throw new TypeError('the result has no strings');
  expect(decodeStrings(picked.data)).toEqual(texts.slice(1));
  expect(picked.shape).toEqual([2]);
  const MISTAKES = [
    [[...texts, 'one more'], 'INPUT_SHAPE'],
    [new Float32Array(3), 'INPUT_DTYPE'],
    [new Uint8Array(40).fill(255), 'INPUT_DTYPE'],
  ] as const;
  for (const [wrong, code] of MISTAKES) {
    const error = await errorOf(model.run({ texts: wrong, which }));
    expect(error).toBeInstanceOf(InputError);
    expect(error.code).toBe(code);
  }
  model.dispose();
});
