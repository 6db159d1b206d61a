/** Sound files as mono samples at the rate of a model. It takes a page: only it has an OfflineAudioContext. */

import { checkArguments, kindOf, orAbort } from 'tflite-webnn';
import { type Kind, optional, SIGNAL } from '../../runtime/src/argument_kinds.js';
import { SoundError, SoundOptionError } from './errors.js';

/** How sound is read. */
export interface SoundOptions {
  /** Samples per second of the result, from 3,000 to 768,000: the model's. */
  readonly sampleRate: number;
  /** Longer sounds are refused. Default: 300. */
  readonly maxSeconds?: number;
  /** Ends the call: it rejects immediately with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** A sound file: its address, its bytes, a Blob, the response to a request, or a stream. */
export type SoundSource = string | URL | ArrayBuffer | Uint8Array | Blob | Response | ReadableStream<Uint8Array>;

const DEFAULT_MAX_SECONDS = 300;
// Decoding needs a context; nothing is played, so any rate works.
const DECODING_RATE_HZ = 44_100;
const KINDS = {
  // The rates that browsers must support.
  sampleRate: [
    'a number from 3000 to 768000',
    (value: unknown) => typeof value === 'number' && value >= 3_000 && value <= 768_000,
  ] as Kind,
  signal: optional(SIGNAL),
};

/**
 * Decodes a sound file, resamples it and averages its channels.
 *
 * @param file - In a format that the browser plays: its address, its bytes, a Blob, the response to a request, or a stream.
 * @param options - The model's rate, and a signal.
 * @returns Samples from -1 to 1.
 * @throws SoundError where the browser does not support the format, or the sound is empty or too long; SoundOptionError.
 *
 * @example
 * const samples = await readSound(await (await fetch('bird.wav')).blob(), { sampleRate: 16_000 });
 */
export async function readSound(file: SoundSource, options: SoundOptions): Promise<Float32Array> {
  const { maxSeconds = DEFAULT_MAX_SECONDS, sampleRate, signal } = options ?? {};
  check(sampleRate, signal);
  signal?.throwIfAborted();
  const sound = await orAbort(decoded(file, signal), signal);
  if (sound.duration > maxSeconds) {
    throw new SoundError(`The sound lasts ${sound.duration.toFixed(1)} seconds: choose one of at most ${maxSeconds}.`);
  }
  return resampleSound(sound, sampleRate, { signal });
}

/**
 * Resamples a sound and averages its channels.
 *
 * @param sound - As the Web Audio API has it.
 * @param sampleRate - Samples per second of the result.
 * @param options - A signal.
 * @returns Samples from -1 to 1.
 * @throws SoundError where it is empty; SoundOptionError.
 */
export async function resampleSound(
  sound: AudioBuffer,
  sampleRate: number,
  options: Pick<SoundOptions, 'signal'> = {},
): Promise<Float32Array> {
  const { signal } = options;
  check(sampleRate, signal);
  const length = Math.floor((sound.length * sampleRate) / sound.sampleRate);
  if (length === 0) throw new SoundError('The sound is empty.');
  const context = new OfflineAudioContext(1, length, sampleRate);
  const source = context.createBufferSource();
  source.buffer = mono(context, sound);
  source.connect(context.destination);
  source.start();
  return (await orAbort(context.startRendering(), signal)).getChannelData(0);
}

/** A copy of the bytes: decoding takes them away. */
async function bytesOf(file: SoundSource, signal: AbortSignal | undefined): Promise<ArrayBuffer> {
  if (typeof file === 'string' || file instanceof URL) {
    const response = await fetch(file, { signal: signal ?? null }).catch((cause: unknown) => {
      throw new SoundError(`The sound ${file} cannot be fetched.`, { cause });
    });
    if (response.ok) return response.arrayBuffer();
    throw new SoundError(`The sound ${file} cannot be fetched: the server answered HTTP ${response.status}.`);
  }
  if (file instanceof Blob || file instanceof Response) return file.arrayBuffer();
  if (file instanceof ReadableStream) return new Response(file).arrayBuffer();
  if (file instanceof ArrayBuffer) return file.slice(0);
  if (ArrayBuffer.isView(file)) return new Uint8Array(file.buffer, file.byteOffset, file.byteLength).slice().buffer;
  const kinds = 'an address, ArrayBuffer, Uint8Array, Blob, Response or ReadableStream';
  throw new SoundError(`A sound is given as ${kinds}; got ${kindOf(file)}.`);
}

async function decoded(file: SoundSource, signal: AbortSignal | undefined): Promise<AudioBuffer> {
  const content = await bytesOf(file, signal);
  try {
    return await new OfflineAudioContext(1, 1, DECODING_RATE_HZ).decodeAudioData(content);
  } catch (cause) {
    const kind = file instanceof Blob && file.type ? ` (${file.type})` : '';
    const message = `This browser cannot decode the file${kind} as a sound. Try a WAV or MP3 file.`;
    throw new SoundError(message, { cause });
  }
}

function mono(context: BaseAudioContext, sound: AudioBuffer): AudioBuffer {
  const mixed = context.createBuffer(1, sound.length, sound.sampleRate);
  const target = mixed.getChannelData(0);
  for (let channel = 0; channel < sound.numberOfChannels; channel++) {
    const samples = sound.getChannelData(channel);
    for (let index = 0; index < target.length; index++) {
      target[index] = (target[index] as number) + (samples[index] as number) / sound.numberOfChannels;
    }
  }
  return mixed;
}

function check(sampleRate: number, signal: AbortSignal | undefined): void {
  checkArguments('readSound', { sampleRate, signal }, KINDS, SoundOptionError);
}
