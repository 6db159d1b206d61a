/**
 * Turns basic_pitch's probabilities into notes, as Spotify's own code does (note_creation.py,
 * output_to_notes_polyphonic): first from the onsets, then from the remaining energy.
 */

import { KEYS, type KeyTable, type Pitches } from './pitch_windows.js';

export interface Note {
  /** MIDI number: 69 is A4, 440 Hz. */
  readonly midi: number;
  readonly startFrame: number;
  readonly endFrame: number;
  /** Mean probability from 0 to 1. */
  readonly strength: number;
}

// The defaults of basic_pitch.
const MIN_ONSET = 0.5;
const MIN_FRAME = 0.3;
const MIN_FRAMES = 11;
// Quiet frames that do not end a note.
const QUIET_FRAMES = 11;
const LOWEST_MIDI = 21;
const ONSET_STEPS = 2;

const NAMES = ['C', 'C♯', 'D', 'D♯', 'E', 'F', 'F♯', 'G', 'G♯', 'A', 'A♯', 'B'];

/** A note's name, e.g. C4. */
export function noteName(midi: number): string {
  return `${NAMES[midi % 12]}${Math.floor(midi / 12) - 1}`;
}

/** Finds the notes, ordered by start. */
export function findNotes({ notes, onsets }: Pitches): Note[] {
  const finder = new NoteFinder(notes);
  for (const { frame, key } of onsetPeaks(withInferredOnsets(onsets, notes)).reverse()) finder.findStruck(frame, key);
  finder.findSounding();
  return finder.found.sort((one, other) => one.startFrame - other.startFrame || one.midi - other.midi);
}

class NoteFinder {
  readonly found: Note[] = [];
  readonly #table: KeyTable;
  readonly #left: Float32Array;

  constructor(table: KeyTable) {
    this.#table = table;
    this.#left = table.values.slice();
  }

  /** Follows a key from its onset until it is quiet. */
  findStruck(start: number, key: number): void {
    const last = this.#table.frames - 1;
    if (start >= last) return;
    let frame = start + 1;
    let quiet = 0;
    for (; frame < last && quiet < QUIET_FRAMES; frame++) {
      quiet = this.#isQuiet(frame, key) ? quiet + 1 : 0;
    }
    const end = frame - quiet;
    if (end - start <= MIN_FRAMES) return;
    for (let at = start; at < end; at++) this.#removeEnergy(at, key);
    this.#add(start, end, key);
  }

  /** Follows the remaining energy in both directions, loudest frame first. */
  findSounding(): void {
    for (let loudest = this.#loudest(); loudest >= 0; loudest = this.#loudest()) {
      const [middle, key] = [Math.floor(loudest / KEYS), loudest % KEYS];
      this.#left[loudest] = 0;
      const end = this.#follow(middle, key, 1, this.#table.frames - 1);
      const start = this.#follow(middle, key, -1, 0);
      if (end - start > MIN_FRAMES) this.#add(start, end, key);
    }
  }

  /** Follows a key until it is quiet or the table ends; returns the last sounding frame. */
  #follow(from: number, key: number, step: 1 | -1, edge: number): number {
    let frame = from + step;
    let quiet = 0;
    for (; (edge - frame) * step > 0 && quiet < QUIET_FRAMES; frame += step) {
      quiet = this.#isQuiet(frame, key) ? quiet + 1 : 0;
      this.#removeEnergy(frame, key);
    }
    return frame - step * (1 + quiet);
  }

  #isQuiet(frame: number, key: number): boolean {
    return (this.#left[frame * KEYS + key] as number) < MIN_FRAME;
  }

  /** Removes the energy of a note, also from neighbouring keys, which resonate. */
  #removeEnergy(frame: number, key: number): void {
    this.#left.fill(0, frame * KEYS + Math.max(key - 1, 0), frame * KEYS + Math.min(key + 2, KEYS));
  }

  #loudest(): number {
    let best = -1;
    let value = MIN_FRAME;
    for (let index = 0; index < this.#left.length; index++) {
      if ((this.#left[index] as number) > value) {
        best = index;
        value = this.#left[index] as number;
      }
    }
    return best;
  }

  #add(startFrame: number, endFrame: number, key: number): void {
    let sum = 0;
    for (let frame = startFrame; frame < endFrame; frame++) sum += this.#table.values[frame * KEYS + key] as number;
    this.found.push({ midi: key + LOWEST_MIDI, startFrame, endFrame, strength: sum / (endFrame - startFrame) });
  }
}

/** Adds sudden rises of a key to the onsets, scaled to the strongest onset. */
function withInferredOnsets(onsets: KeyTable, notes: KeyTable): KeyTable {
  const rises = notes.values.map((value, index) => {
    if (index < ONSET_STEPS * KEYS) return 0;
    const before = Math.max(notes.values[index - KEYS] as number, notes.values[index - 2 * KEYS] as number);
    return Math.max(value - before, 0);
  });
  const steepest = largest(rises);
  const scale = steepest > 0 ? largest(onsets.values) / steepest : 0;
  const values = onsets.values.map((value, index) => Math.max(value, scale * (rises[index] as number)));
  return { frames: onsets.frames, values };
}

/** Local maxima of the onsets over time, in time order. */
function onsetPeaks({ frames, values }: KeyTable): { frame: number; key: number }[] {
  const peaks: { frame: number; key: number }[] = [];
  for (let index = KEYS; index < (frames - 1) * KEYS; index++) {
    const value = values[index] as number;
    const isPeak = value > (values[index - KEYS] as number) && value > (values[index + KEYS] as number);
    if (isPeak && value >= MIN_ONSET) peaks.push({ frame: Math.floor(index / KEYS), key: index % KEYS });
  }
  return peaks;
}

function largest(values: Float32Array): number {
  return values.reduce((max, value) => Math.max(max, value), 0);
}
