import { describe, expect, it } from 'vitest';
import type { Net, Values } from '../../demos/net.js';
import { findNotes, noteName } from '../../demos/notes.js';
import { findPitches, frameSeconds, KEYS, type KeyTable, PITCH_RATE_HZ, windowsOf } from '../../demos/pitch_windows.js';

const WINDOW_SAMPLES = 43_844;
const WINDOW_FRAMES = 172;

function tableOf(frames: number, write: (put: (frame: number, midi: number, value: number) => void) => void): KeyTable {
  const values = new Float32Array(frames * KEYS);
  write((frame, midi, value) => {
    values[frame * KEYS + midi - 21] = value;
  });
  return { frames, values };
}

/** A fake net whose outputs are the number of the window. */
function counting(): Net {
  let window = 0;
  const table = (value: number): Values => new Float32Array(WINDOW_FRAMES * KEYS).fill(value);
  const tensor = (index: number, ...shape: number[]) => ({
    index,
    name: '',
    dtype: 'float32',
    shape,
    quantization: null,
  });
  return {
    inputs: [tensor(0, 1, WINDOW_SAMPLES, 1)],
    outputs: [tensor(7, 1, WINDOW_FRAMES, KEYS), tensor(5, 1, WINDOW_FRAMES, KEYS)],
    signatures: [
      {
        outputs: [
          { name: 'note', tensor: 5 },
          { name: 'onset', tensor: 7 },
        ],
      },
    ],
    run: async () => {
      window += 1;
      return [table(window / 10), table(window / 100)];
    },
  };
}

describe('noteName', () => {
  it.each([
    [69, 'A4'],
    [60, 'C4'],
    [21, 'A0'],
    [108, 'C8'],
    [66, 'F♯4'],
  ])('of %d is %s', (midi, name) => expect(noteName(midi)).toBe(name));
});

describe('windowsOf', () => {
  it('starts with half an overlap of silence, and ends with silence', () => {
    const samples = new Float32Array(50_000).fill(1);
    const windows = windowsOf(samples, WINDOW_SAMPLES);
    expect(windows).toHaveLength(2);
    expect(windows[0]?.indexOf(1)).toBe(15 * 256);
    expect(windows[1]?.lastIndexOf(1)).toBe(50_000 - (WINDOW_SAMPLES - 30 * 256) + 15 * 256 - 1);
  });
});

describe('frameSeconds', () => {
  it('maps a frame of a window to its time in the sound', () => {
    expect(frameSeconds(10, WINDOW_SAMPLES)).toBeCloseTo((10 * 256) / PITCH_RATE_HZ);
    expect(frameSeconds(142, WINDOW_SAMPLES)).toBeCloseTo((WINDOW_SAMPLES - 30 * 256) / PITCH_RATE_HZ);
  });
});

describe('findPitches', () => {
  it('joins the middles of the windows and reports progress', async () => {
    const reported: string[] = [];
    const samples = new Float32Array(2 * PITCH_RATE_HZ);
    const { notes, onsets } = await findPitches(counting(), samples, (done, all) => reported.push(`${done}/${all}`));
    expect(reported).toEqual(['1/2', '2/2']);
    expect(notes.frames).toBe(172);
    expect(onsets.values[141 * KEYS]).toBeCloseTo(0.1);
    expect(onsets.values[142 * KEYS]).toBeCloseTo(0.2);
    expect(notes.values.at(-1)).toBeCloseTo(0.02);
  });
});

describe('findNotes', () => {
  it('follows a struck key until it is quiet, and treats its neighbours as resonance', () => {
    const onsets = tableOf(100, (put) => put(20, 60, 0.9));
    const notes = tableOf(100, (put) => {
      for (let frame = 20; frame < 60; frame++) {
        put(frame, 60, 0.8);
        put(frame, 61, 0.4);
      }
    });
    const found = findNotes({ notes, onsets });
    expect(found.map(({ midi, startFrame, endFrame }) => [midi, startFrame, endFrame])).toEqual([[60, 20, 60]]);
    expect(found[0]?.strength).toBeCloseTo(0.8);
  });

  it('finds a note without an onset', () => {
    const onsets = tableOf(100, () => {});
    const notes = tableOf(100, (put) => {
      for (let frame = 30; frame < 70; frame++) put(frame, 69, 0.6 + (frame === 50 ? 0.1 : 0));
    });
    const found = findNotes({ notes, onsets });
    expect(found.map(({ midi, startFrame, endFrame }) => [midi, startFrame, endFrame])).toEqual([[69, 30, 69]]);
  });

  it('omits notes that are too short', () => {
    const onsets = tableOf(60, (put) => put(20, 60, 0.9));
    const notes = tableOf(60, (put) => {
      for (let frame = 20; frame < 28; frame++) put(frame, 60, 0.8);
    });
    expect(findNotes({ notes, onsets })).toEqual([]);
  });
});
