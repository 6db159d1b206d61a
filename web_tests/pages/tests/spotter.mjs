// @ts-check

/** The sample of an AudioWorklet, for test_one_script.py. */

import { openSpotter } from '/examples/audio_worklet/main.js';
import { COEFFICIENTS, mfcc } from '/examples/audio_worklet/mfcc.js';

/** @typedef {AudioContext & { playbackStats: { underrunEvents: number } }} ContextWithStats */

/**
 * Plays a tone for `seconds` until the device has got all of it in time, at most `tries` times.
 * -> of each: seconds of the wall and of the audio clock, underruns, the number of posted scores, and the last scores
 */
export async function listen(
  /** @type {string} */ modelUrl,
  /** @type {number} */ seconds,
  /** @type {number} */ tries,
) {
  const context = /** @type {ContextWithStats} */ (new AudioContext({ sampleRate: 16_000 }));
  const spotter = await openSpotter(context, modelUrl);
  /** @type {Float32Array[]} */
  let scores = [];
  spotter.port.onmessage = ({ data }) => scores.push(data);
  const tone = new OscillatorNode(context, { frequency: 300 });
  tone.connect(spotter);
  tone.connect(context.destination);
  tone.start();
  await context.resume();
  const stats = () => ({
    wall: performance.now() / 1000,
    audio: context.currentTime,
    underruns: context.playbackStats.underrunEvents,
  });
  const rows = [];
  while (rows.length < tries && rows.at(-1)?.underruns !== 0) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    scores = [];
    const before = stats();
    await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
    const after = stats();
    rows.push({
      wall: after.wall - before.wall,
      audio: after.audio - before.audio,
      underruns: after.underruns - before.underruns,
      scored: scores.length,
      last: [...(scores.at(-1) ?? [])],
    });
  }
  await context.close();
  return rows;
}

/** The features of a frame. @param {number[]} sound */
export function features(sound) {
  const coefficients = new Float32Array(COEFFICIENTS);
  mfcc(Float32Array.from(sound), coefficients);
  return [...coefficients];
}
