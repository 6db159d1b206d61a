/** Piano roll: time from left to right, pitch upwards. */

import { svg } from '../common/svg.js';
import { noteName } from './notes.js';

/** A note in seconds. */
export interface TimedNote {
  readonly midi: number;
  readonly startSeconds: number;
  readonly endSeconds: number;
  /** From 0 to 1. */
  readonly strength: number;
}

const MIN_PIXELS_PER_SECOND = 90;
const ROW_PIXELS = 12;
const NAMES_PIXELS = 36;
const TIME_PIXELS = 20;
// Empty rows above and below the notes.
const MARGIN_ROWS = 2;
const BLACK_KEYS = new Set([1, 3, 6, 8, 10]);
const MIN_OPACITY = 0.45;

/**
 * Draws notes; the style sheet has the colours.
 *
 * @param notes - At least one.
 * @param seconds - Duration of the sound.
 * @param widthPixels - Minimum width; a long sound gets more.
 */
export function pianoRoll(notes: readonly TimedNote[], seconds: number, widthPixels: number): SVGElement {
  const scale = Math.max(MIN_PIXELS_PER_SECOND, (widthPixels - NAMES_PIXELS) / seconds);
  const pitches = notes.map(({ midi }) => midi);
  const lowest = Math.min(...pitches) - MARGIN_ROWS;
  const highest = Math.max(...pitches) + MARGIN_ROWS;
  const width = Math.floor(NAMES_PIXELS + seconds * scale);
  const height = (highest - lowest + 1) * ROW_PIXELS + TIME_PIXELS;
  const rowTop = (midi: number) => (highest - midi) * ROW_PIXELS;
  const roll = svg('svg', { class: 'piano-roll', width, height, viewBox: `0 0 ${width} ${height}`, role: 'img' });
  for (let midi = lowest; midi <= highest; midi++) roll.append(...row(midi, rowTop(midi), width));
  for (let second = 0; second <= seconds; second++) roll.append(...mark(second, NAMES_PIXELS + second * scale, height));
  for (const note of notes) roll.append(bar(note, rowTop(note.midi), scale));
  return roll;
}

function row(midi: number, y: number, width: number): SVGElement[] {
  const kind = BLACK_KEYS.has(midi % 12) ? 'black-key' : 'white-key';
  const background = svg('rect', { class: kind, x: 0, y, width, height: ROW_PIXELS });
  const isC = midi % 12 === 0;
  return isC ? [background, label(noteName(midi), 4, y + ROW_PIXELS - 2)] : [background];
}

function mark(second: number, x: number, height: number): SVGElement[] {
  const line = svg('line', { x1: x, x2: x, y1: 0, y2: height - TIME_PIXELS });
  return [line, label(`${second} s`, x, height - 5)];
}

function bar({ midi, startSeconds, endSeconds, strength }: TimedNote, y: number, scale: number): SVGElement {
  const attributes = {
    class: 'note-bar',
    x: NAMES_PIXELS + startSeconds * scale,
    y: y + 1,
    width: Math.max(2, (endSeconds - startSeconds) * scale),
    height: ROW_PIXELS - 2,
    rx: 2,
    opacity: MIN_OPACITY + (1 - MIN_OPACITY) * strength,
  };
  return svg('rect', attributes, svg('title', {}, noteName(midi)));
}

function label(text: string, x: number, y: number): SVGElement {
  return svg('text', { x, y }, text);
}
