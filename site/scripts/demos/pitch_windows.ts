/** Sound in the windows that basic_pitch listens to, and its answers as one table of the whole sound. */

import { type Net, outputPosition, type PortInfo, type Values } from './net.js';

/** Samples a second that the model wants, in one channel. */
export const PITCH_RATE_HZ = 22_050;
/** Samples from one frame to the next. */
export const FRAME_SAMPLES = 256;
/** Piano keys that it knows, from A0 on. */
export const KEYS = 88;

/** Probabilities by frame and key, row by row. */
export interface KeyTable {
  readonly frames: number;
  readonly values: Float32Array;
}

/** What it hears: that a key sounds, and that it is struck. */
export interface Pitches {
  readonly notes: KeyTable;
  readonly onsets: KeyTable;
}

// Windows overlap, and at their edges half of what they share is thrown away: there the model lacks context.
const SHARED_FRAMES = 30;
const EDGE_FRAMES = SHARED_FRAMES / 2;
const KEPT_FRAMES = 142;

/** Where a frame of the whole begins, in seconds. Windows are a little shorter than the frames that are kept of them. */
export function frameSeconds(frame: number, windowSamples: number): number {
  const window = Math.floor(frame / KEPT_FRAMES);
  const samples = window * hopOf(windowSamples) + (frame % KEPT_FRAMES) * FRAME_SAMPLES;
  return samples / PITCH_RATE_HZ;
}

/** How many samples the model takes at a time. */
export function windowSamplesOf(net: Net): number {
  return (net.inputs[0] as PortInfo).shape[1] as number;
}

/** Cuts samples into windows, the first of which begins half an overlap before the sound. */
export function windowsOf(samples: Float32Array, windowSamples: number): Float32Array[] {
  const lead = EDGE_FRAMES * FRAME_SAMPLES;
  const hop = hopOf(windowSamples);
  const count = Math.ceil((samples.length + lead) / hop);
  return Array.from({ length: count }, (_, index) => {
    const window = new Float32Array(windowSamples);
    const start = index * hop - lead;
    window.set(samples.subarray(Math.max(start, 0), start + windowSamples), Math.max(-start, 0));
    return window;
  });
}

/**
 * Listens to a sound.
 *
 * @param net - basic_pitch, by its signature's names.
 * @param samples - At PITCH_RATE_HZ.
 * @param onWindow - Hears how many of how many windows are done.
 */
export async function findPitches(
  net: Net,
  samples: Float32Array,
  onWindow: (done: number, all: number) => void,
): Promise<Pitches> {
  const windows = windowsOf(samples, windowSamplesOf(net));
  const rows = Math.floor((samples.length * Math.floor(PITCH_RATE_HZ / FRAME_SAMPLES)) / PITCH_RATE_HZ);
  const [onsets, notes] = [new Float32Array(rows * KEYS), new Float32Array(rows * KEYS)];
  const [onsetPort, notePort] = [outputPosition(net, 'onset'), outputPosition(net, 'note')];
  for (const [index, window] of windows.entries()) {
    const outputs = await net.run(window);
    keep(outputs[onsetPort] as Values, onsets, index);
    keep(outputs[notePort] as Values, notes, index);
    onWindow(index + 1, windows.length);
  }
  return { onsets: { frames: rows, values: onsets }, notes: { frames: rows, values: notes } };
}

function hopOf(windowSamples: number): number {
  return windowSamples - SHARED_FRAMES * FRAME_SAMPLES;
}

/** Copies the middle of a window's table to where it belongs in the whole one. */
function keep(table: Values, whole: Float32Array, window: number): void {
  const middle = table.subarray(EDGE_FRAMES * KEYS, (EDGE_FRAMES + KEPT_FRAMES) * KEYS);
  const at = window * KEPT_FRAMES * KEYS;
  whole.set(middle.subarray(0, Math.max(whole.length - at, 0)), Math.min(at, whole.length));
}
