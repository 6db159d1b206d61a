import { expect, it, vi } from 'vitest';
import { readSound, resampleSound, SoundOptionError, soundWindows } from '../src/index.js';

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

it('gives an empty sound one window', () => {
  expect(soundWindows(new Float32Array(), { length: 2 })).toEqual([new Float32Array(2)]);
});

it.each([{ length: 0 }, { length: 2, hop: 0 }, { length: 2, hop: 3 }, { length: 2, lead: -1 }, { length: Number.NaN }])(
  'refuses %j',
  (options) => {
    expect(() => cut(options)).toThrow(SoundOptionError);
  },
);

it.each([0, Number.NaN, 1e9])('refuses the rate %d', async (sampleRate) => {
  await expect(readSound(new Blob(), { sampleRate })).rejects.toThrow(SoundOptionError);
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
  const wanted: number[] = [];
  for (const rate of [8000, 22_050, 44_100, 48_000]) {
    for (let length = 1; length < 400; length++) {
      const sound = { length, sampleRate: rate, duration: length / rate, numberOfChannels: 0 };
      await resampleSound(sound as AudioBuffer, rate);
      wanted.push(length);
    }
  }
  expect(lengths).toEqual(wanted);
});
