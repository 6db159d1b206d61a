import { readSound, resampleSound, SoundError, soundWindows } from '@tflite-webnn/media/sound';
import { OptionError } from 'tflite-webnn';
import { beforeEach, describe, expect, it, vi } from 'vitest';

const SAMPLES = Float32Array.of(1, 2, 3, 4, 5);
const cut = (options: Parameters<typeof soundWindows>[1]) => soundWindows(SAMPLES, options).map((row) => [...row]);

it('cuts a sound, and ends with silence', () => {
  expect(cut({ length: 3 })).toEqual([
    [1, 2, 3],
    [4, 5, 0],
  ]);
});

it('overlaps windows, and begins with silence', () => {
  expect(cut({ length: 4, hop: 2, lead: 1 })).toEqual([
    [0, 1, 2, 3],
    [2, 3, 4, 5],
    [4, 5, 0, 0],
  ]);
});

it('begins with a window of silence where it is that long', () => {
  expect(cut({ length: 2, lead: 4 })[0]).toEqual([0, 0]);
});

it('returns one window of an empty sound', () => {
  expect(soundWindows(new Float32Array(), { length: 2 })).toEqual([new Float32Array(2)]);
});

it.each([{ length: 0 }, { length: 2, hop: 0 }, { length: 2, hop: 3 }, { length: 2, lead: -1 }, { length: Number.NaN }])(
  'rejects %j',
  (options) => {
    expect(() => cut(options)).toThrow(OptionError);
  },
);

it.each([0, Number.NaN, 1e9])('rejects the rate %d', async (sampleRate) => {
  await expect(readSound(new Blob(), { sampleRate })).rejects.toThrow(OptionError);
});

it('keeps every sample that a resampled sound has: no rounding of its duration', async () => {
  const lengths: number[] = [];
  vi.stubGlobal(
    'OfflineAudioContext',
    class {
      destination = {};
      constructor(_: number, length: number) {
        lengths.push(length);
      }
      createBuffer = () => ({ getChannelData: () => new Float32Array() });
      createBufferSource = () => ({ connect() {}, start() {} });
      startRendering = async () => ({ getChannelData: () => new Float32Array() });
    },
  );
  const expected: number[] = [];
  for (const rate of [8000, 22_050, 44_100, 48_000]) {
    for (let length = 1; length < 400; length++) {
      const sound = { length, sampleRate: rate, duration: length / rate, numberOfChannels: 0 };
      await resampleSound(sound as AudioBuffer, rate);
      expected.push(length);
    }
  }
  expect(lengths).toEqual(expected);
});

describe('readSound() accepts what loadTFLiteModel() accepts', () => {
  const BYTES = Uint8Array.of(1, 2, 3);
  let decoded: ArrayBuffer[];

  beforeEach(() => {
    decoded = [];
    vi.stubGlobal(
      'OfflineAudioContext',
      class {
        decodeAudioData(content: ArrayBuffer) {
          decoded.push(content);
          return Promise.reject(new Error('enough'));
        }
      },
    );
    vi.stubGlobal('fetch', async (address: string | URL) => {
      if (String(address).includes('nowhere')) throw new TypeError('no network');
      return String(address).includes('missing') ? new Response('', { status: 404 }) : new Response(BYTES);
    });
  });

  it.each([
    ['an address', 'tone.wav'],
    ['a URL', new URL('https://example.org/tone.wav')],
    ['a buffer', BYTES.buffer],
    ['an array', new Uint8Array([0, 1, 2, 3]).subarray(1)],
    ['a Blob', new Blob([BYTES])],
    ['a response', new Response(BYTES)],
    ['a stream', new Response(BYTES).body as ReadableStream<Uint8Array>],
  ])('%s', async (_, source) => {
    await expect(readSound(source, { sampleRate: 8000 })).rejects.toThrow('cannot decode');
    expect(decoded.map((content) => [...new Uint8Array(content)])).toEqual([[1, 2, 3]]);
    expect(decoded[0]).not.toBe(BYTES.buffer);
  });

  it('ends with the signal', async () => {
    vi.stubGlobal('fetch', async (_: string, { signal }: RequestInit) => {
      return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    });
    const abort = new AbortController();
    const { signal } = abort;
    const reading = readSound('tone.wav', { sampleRate: 8000, signal });
    abort.abort(new Error('enough'));
    await expect(reading).rejects.toThrow('enough');
    await expect(readSound(BYTES, { sampleRate: 8000, signal })).rejects.toThrow('enough');
    expect(decoded).toEqual([]);
    await expect(readSound(BYTES, { sampleRate: 8000, signal: 1 as never })).rejects.toThrow('an AbortSignal');
  });

  it.each([
    ['missing.wav', 'the server responded with HTTP 404'],
    ['nowhere.wav', 'The sound nowhere.wav cannot be fetched.'],
    [null, 'A sound is provided as an address, ArrayBuffer, Uint8Array, Blob, Response or ReadableStream; got null.'],
    [{}, 'got Object.'],
  ])('but not %s', async (source, message) => {
    await expect(readSound(source as Blob, { sampleRate: 8000 })).rejects.toThrow(SoundError);
    const again = readSound(source as Blob, { sampleRate: 8000 });
    await expect(again).rejects.toThrow(message);
  });

  it('with a rate', async () => {
    await expect((readSound as (file: Blob) => Promise<unknown>)(new Blob())).rejects.toThrow(OptionError);
  });
});

it('cuts windows of a length that is provided', () => {
  expect(() => (soundWindows as (samples: Float32Array) => unknown)(Float32Array.of(1))).toThrow(OptionError);
});
