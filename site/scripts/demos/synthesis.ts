/** Synthesizes the sample sounds. */

import { PITCH_RATE_HZ } from './pitch_windows.js';

/** A note to play. */
export interface PlayedNote {
  readonly midi: number;
  readonly startSeconds: number;
  readonly seconds: number;
}

/** A sample sound. */
export interface Tune {
  readonly name: string;
  readonly title: string;
  readonly notes: readonly PlayedNote[];
}

const CHORDS = [
  [60, 64, 67],
  [65, 69, 72],
  [55, 59, 62],
];
const MELODY = [60, 62, 64, 65, 67, 67, 69, 69, 69, 69, 67];

/** Three chords and the beginning of a nursery rhyme. */
export const TUNES: readonly Tune[] = [
  {
    name: 'chords',
    title: 'Three chords',
    notes: CHORDS.flatMap((chord, index) =>
      chord.map((midi) => ({ midi, startSeconds: 0.3 + index * 1.6, seconds: 1.2 })),
    ),
  },
  {
    name: 'melody',
    title: 'A melody',
    notes: MELODY.map((midi, index) => ({ midi, startSeconds: 0.3 + index * 0.45, seconds: 0.4 })),
  },
];

// The model processes no higher rate.
const RATE_HZ = PITCH_RATE_HZ;
/** Loudness of the harmonics, the fundamental first. */
const HARMONICS = [1, 2, 3, 4, 5, 6].map((number) => number ** -3);
const ATTACK_SECONDS = 0.01;
const RELEASE_SECONDS = 0.06;
const DECAY_PER_SECOND = 1.5;
const LOUDNESS = 0.16;
const TAIL_SECONDS = 0.5;

/** Renders a tune with plucked-string tones as a WAV file. */
export function synthesise({ notes }: Tune): Blob {
  const seconds = Math.max(...notes.map((note) => note.startSeconds + note.seconds)) + TAIL_SECONDS;
  const samples = new Float32Array(Math.ceil(seconds * RATE_HZ));
  for (const note of notes) play(note, samples);
  return new Blob([wavFile(samples, RATE_HZ)], { type: 'audio/wav' });
}

function play({ midi, startSeconds, seconds }: PlayedNote, samples: Float32Array): void {
  const hertz = 440 * 2 ** ((midi - 69) / 12);
  const start = Math.round(startSeconds * RATE_HZ);
  for (let index = 0; index < seconds * RATE_HZ; index++) {
    const time = index / RATE_HZ;
    const edges = Math.min(1, time / ATTACK_SECONDS, (seconds - time) / RELEASE_SECONDS);
    const envelope = LOUDNESS * edges * Math.exp(-DECAY_PER_SECOND * time);
    const angle = 2 * Math.PI * hertz * time;
    // Each sine from the two before it, sin((n + 1)x) = 2cos(x)sin(nx) - sin((n - 1)x): the page waits for this loop.
    const factor = 2 * Math.cos(angle);
    let before = 0;
    let sine = Math.sin(angle);
    let tone = 0;
    for (const loudness of HARMONICS) {
      tone += loudness * sine;
      const next = factor * sine - before;
      before = sine;
      sine = next;
    }
    samples[start + index] = (samples[start + index] as number) + envelope * tone;
  }
}

/** Samples from -1 to 1 as a WAV file: 16 bits, one channel. */
export function wavFile(samples: Float32Array, rateHz: number): ArrayBuffer {
  const header = 44;
  const view = new DataView(new ArrayBuffer(header + samples.length * 2));
  const text = (offset: number, characters: string) => {
    for (const [index, character] of [...characters].entries()) view.setUint8(offset + index, character.charCodeAt(0));
  };
  text(0, 'RIFF');
  view.setUint32(4, view.byteLength - 8, true);
  text(8, 'WAVEfmt ');
  view.setUint32(16, 16, true); // size of the format chunk
  view.setUint16(20, 1, true); // PCM
  view.setUint16(22, 1, true); // channels
  view.setUint32(24, rateHz, true);
  view.setUint32(28, rateHz * 2, true); // bytes per second
  view.setUint16(32, 2, true); // bytes per frame
  view.setUint16(34, 16, true); // bits per sample
  text(36, 'data');
  view.setUint32(40, samples.length * 2, true);
  samples.forEach((sample, index) => {
    view.setInt16(header + index * 2, Math.round(Math.max(-1, Math.min(1, sample)) * 32_767), true);
  });
  return view.buffer as ArrayBuffer;
}
