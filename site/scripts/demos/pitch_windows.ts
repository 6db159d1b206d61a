/** Runs basic_pitch on windows of a sound and joins its outputs into one table. */

import { soundWindows } from 'tflite-webnn/sound';
import { type Net, outputPosition, type TensorInfo, type Values } from './net.js';

/** Sample rate of the model's mono input. */
export const PITCH_RATE_HZ = 22_050;
/** Samples per frame. */
const FRAME_SAMPLES = 256;
/** Piano keys, from A0. */
export const KEYS = 88;

/** Probabilities of shape [frames, keys]. */
export interface KeyTable {
  readonly frames: number;
  readonly values: Float32Array;
}

/** Probabilities that a key sounds (`notes`) and that it is struck (`onsets`). */
export interface Pitches {
  readonly notes: KeyTable;
  readonly onsets: KeyTable;
}

// Windows overlap, and half of the overlap at each edge is discarded: the model lacks context there.
const SHARED_FRAMES = 30;
const EDGE_FRAMES = SHARED_FRAMES / 2;
const KEPT_FRAMES = 142;

/** Start of a frame in seconds. A window's hop is slightly shorter than the frames kept of it. */
export function frameSeconds(frame: number, windowSamples: number): number {
  const window = Math.floor(frame / KEPT_FRAMES);
  const samples = window * hopOf(windowSamples) + (frame % KEPT_FRAMES) * FRAME_SAMPLES;
  return samples / PITCH_RATE_HZ;
}

/** Samples per window. */
export function windowSamplesOf(net: Net): number {
  return (net.inputs[0] as TensorInfo).shape[1] as number;
}

/** Cuts samples into windows. The first starts half an overlap before the sound. */
export function windowsOf(samples: Float32Array, windowSamples: number): Float32Array[] {
  const lead = EDGE_FRAMES * FRAME_SAMPLES;
  return soundWindows(samples, { length: windowSamples, hop: hopOf(windowSamples), lead });
}

/**
 * Runs the model on a sound.
 *
 * @param net - basic_pitch; its signature names the outputs.
 * @param samples - At PITCH_RATE_HZ.
 * @param onWindow - Called with the number of finished and of all windows.
 */
export async function findPitches(
  net: Net,
  samples: Float32Array,
  onWindow: (done: number, all: number) => void,
): Promise<Pitches> {
  const windows = windowsOf(samples, windowSamplesOf(net));
  const rows = Math.floor((samples.length * Math.floor(PITCH_RATE_HZ / FRAME_SAMPLES)) / PITCH_RATE_HZ);
  const [onsets, notes] = [new Float32Array(rows * KEYS), new Float32Array(rows * KEYS)];
  const [onsetPosition, notePosition] = [outputPosition(net, 'onset'), outputPosition(net, 'note')];
  for (const [index, window] of windows.entries()) {
    const outputs = await net.run(window);
    keep(outputs[onsetPosition] as Values, onsets, index);
    keep(outputs[notePosition] as Values, notes, index);
    onWindow(index + 1, windows.length);
  }
  return { onsets: { frames: rows, values: onsets }, notes: { frames: rows, values: notes } };
}

function hopOf(windowSamples: number): number {
  return windowSamples - SHARED_FRAMES * FRAME_SAMPLES;
}

/** Copies the middle of a window's table to its position in the full table. */
function keep(table: Values, full: Float32Array, window: number): void {
  const middle = table.subarray(EDGE_FRAMES * KEYS, (EDGE_FRAMES + KEPT_FRAMES) * KEYS);
  const at = window * KEPT_FRAMES * KEYS;
  full.set(middle.subarray(0, Math.max(full.length - at, 0)), Math.min(at, full.length));
}
