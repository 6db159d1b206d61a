/**
 * Long sounds are rejected before they are decoded: their samples take up to a million times the memory of the file.
 */

import { readSound, SoundError, type SoundSource } from '@tflite-webnn/media/sound';
import { OptionError } from 'tflite-webnn';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { soundSeconds } from '../src/sound/sound_length.js';

const text = (letters: string) => Array.from(letters, (letter) => letter.charCodeAt(0));
const uint32 = (value: number) => [...new Uint8Array(Uint32Array.of(value).buffer)];
const zeros = (count: number) => Array<number>(count).fill(0);

/** A file of one channel and 8 bits. */
function wav(
  rate: number,
  samples: number,
  { saidBytes = samples, frame = 1, more = [] as number[] } = {},
): Uint8Array {
  const format = [1, 0, 1, 0, ...uint32(rate), ...uint32(rate), frame, 0, 8, 0];
  const header = [...text('RIFF'), ...zeros(4), ...text('WAVE'), ...text('LIST'), ...uint32(3), 1, 2, 3, 0];
  const data = [...text('fmt '), ...uint32(16), ...format, ...more, ...text('data'), ...uint32(saidBytes)];
  return Uint8Array.from([...header, ...data, ...zeros(samples)]);
}

/** 44,100 Hz. */
function flac(samples: number): Uint8Array {
  const rate = [0x0a, 0xc4, 0x40, 0xf0 + Math.floor(samples / 2 ** 32)];
  return Uint8Array.from([
    ...text('fLaC'),
    ...zeros(14),
    ...rate,
    ...uint32(samples % 2 ** 32).reverse(),
    ...zeros(40),
  ]);
}

function ogg(head: readonly number[], granule: bigint): Uint8Array {
  const page = (at: bigint, packet: readonly number[]) => [
    ...text('OggS'),
    ...[0, 0],
    ...new Uint8Array(BigInt64Array.of(at).buffer),
    ...zeros(12),
    ...[1, packet.length, ...packet],
  ];
  return Uint8Array.from([...page(0n, head), ...page(granule, zeros(9))]);
}

const OPUS = [...text('OpusHead'), ...zeros(20)];
const VORBIS = [1, ...text('vorbis'), ...zeros(4), 1, ...uint32(44_100), ...zeros(10)];

it.each<[string, Uint8Array, number | null]>([
  ['WAV', wav(8000, 24_000), 3],
  ['WAV that says more than it has', wav(8000, 8000, { saidBytes: 2 ** 32 - 1 }), 1],
  ['WAV of a false size of frames', wav(8000, 24_000, { frame: 255 }), 3],
  [
    'WAV of a second, faster format',
    wav(8000, 24_000, {
      more: [...text('fmt '), ...uint32(16), 1, 0, 1, 0, ...uint32(96_000), ...zeros(4), 1, 0, 8, 0],
    }),
    3,
  ],
  ['WAV without a format', wav(8000, 24_000).fill(0, 24, 28), null],
  ['WAV of no rate', wav(0, 8000), null],
  ['FLAC', flac(2 ** 33), 2 ** 33 / 44_100],
  ['FLAC that does not say it', flac(0), null],
  ['Ogg Opus', ogg(OPUS, 96_000n), 2],
  ['Ogg Vorbis', ogg(VORBIS, 88_200n), 2],
  ['Ogg of a negative length', ogg(OPUS, -96_000n), null],
  ['another codec in Ogg', ogg(zeros(20), 88_200n), null],
  ['another format', new Uint8Array(100), null],
  ['a header alone', wav(8000, 0).subarray(0, 43), null],
])('reads the length of %s', (_, bytes, seconds) => {
  expect(soundSeconds(bytes)).toBe(seconds);
});

describe('readSound()', () => {
  let decodedCount: number;

  beforeEach(() => {
    decodedCount = 0;
    vi.stubGlobal(
      'OfflineAudioContext',
      class {
        decodeAudioData() {
          decodedCount++;
          return Promise.reject(new Error('enough'));
        }
      },
    );
  });

  it('decodes no sound that is too long', async () => {
    for (const bytes of [wav(8000, 24_001), flac(2 ** 35), ogg(OPUS, 48_000n * 4n)]) {
      const reading = readSound(bytes, { sampleRate: 8000, maxSeconds: 3 });
      await expect(reading).rejects.toThrow(/The sound lasts [\d.]+ seconds: choose one of at most 3\./);
    }
    expect(decodedCount).toBe(0);
    await expect(readSound(wav(8000, 24_000), { sampleRate: 8000, maxSeconds: 3 })).rejects.toThrow(/cannot decode/);
    expect(decodedCount).toBe(1);
  });

  it('ends the download of a file that is too large', async () => {
    let sent = 0;
    const endless = () =>
      new ReadableStream<Uint8Array>({
        pull(controller) {
          sent++;
          controller.enqueue(new Uint8Array(2 ** 20));
        },
      });
    const sources: SoundSource[] = [endless(), new Response(endless()), new Blob([new Uint8Array(20 * 2 ** 20)])];
    for (const source of [...sources, new Uint8Array(20 * 2 ** 20)]) {
      const reading = readSound(source, { sampleRate: 8000, maxSeconds: 1 });
      await expect(reading).rejects.toThrow(/more than 18313216 bytes/);
    }
    expect(sent).toBeLessThan(60);
    expect(decodedCount).toBe(0);
  });

  it('reports a download that breaks off', async () => {
    const broken = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error('gone')) });
    const reading = readSound(broken, { sampleRate: 8000 });
    await expect(reading).rejects.toThrow('The sound cannot be read to its end: fetch it again.');
    await expect(reading).rejects.toBeInstanceOf(SoundError);
  });

  it.each([0, Number.NaN, -1])('accepts no maxSeconds of %d', async (maxSeconds) => {
    const reading = readSound(new Blob(), { sampleRate: 8000, maxSeconds });
    await expect(reading).rejects.toThrow(OptionError);
  });
});
