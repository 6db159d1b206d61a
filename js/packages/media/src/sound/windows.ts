/** Windows of a sound, for models that accept a fixed number of samples. */

import { checkArguments, OptionError } from 'tflite-webnn';
import { integer, type Kind, optional } from 'tflite-webnn/option_schema';

/** How a sound is cut. */
export interface WindowOptions {
  /** Samples of a window: the model's input. */
  readonly length: number;
  /** Samples from the start of a window to that of the next. Default: `length`, windows without overlap. */
  readonly hop?: number;
  /** Samples of silence before the sound. Default: 0. */
  readonly lead?: number;
}

const SAMPLES: Kind = ['a Float32Array', (value) => value instanceof Float32Array];
const COUNT = integer(1, 2 ** 28);
const KINDS = {
  samples: SAMPLES,
  options: { length: COUNT, hop: optional(COUNT), lead: optional(integer(0, 2 ** 28)) },
};

/**
 * Cuts a sound into windows. Before and after the sound they hold silence.
 *
 * @param samples - Mono.
 * @param options - The model's length, and how windows overlap.
 * @returns Windows that together hold all samples; one at least.
 * @throws OptionError where a number is not positive.
 *
 * @example
 * for (const window of soundWindows(samples, { length: 15_600, hop: 7_800 })) await model.run(window); // YAMNet
 */
export function soundWindows(samples: Float32Array, options: WindowOptions): Float32Array[] {
  checkArguments('soundWindows', { samples, options }, KINDS);
  const { length, hop = length, lead = 0 } = options;
  if (hop > length) throw new OptionError(`hop is ${hop}: it must be from 1 to length, which is ${length}.`);
  const count = Math.max(1, Math.ceil((samples.length + lead) / hop));
  return Array.from({ length: count }, (_, index) => {
    const window = new Float32Array(length);
    const start = index * hop - lead;
    window.set(
      samples.subarray(Math.max(start, 0), Math.max(start + length, 0)),
      Math.min(Math.max(-start, 0), length),
    );
    return window;
  });
}
