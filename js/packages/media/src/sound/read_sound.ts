/** Sound files as mono samples at the rate of a model. It needs a page: only a page has an OfflineAudioContext. */

import { checkArguments, kindOf, orAbort, TFLiteWebnnError } from 'tflite-webnn';
import { type InstanceOf, type Kind, optional, SIGNAL } from 'tflite-webnn/option_schema';
import { soundSeconds } from './sound_length.js';

/** A sound cannot be decoded, is empty or too long. */
export class SoundError extends TFLiteWebnnError {
  override readonly name = 'SoundError';
  override readonly code = 'SOUND';
}

/** How sound is read. */
export interface SoundOptions {
  /** Samples per second of the result, from 3,000 to 768,000: the model's. */
  readonly sampleRate: number;
  /** Longer sounds are rejected, and files of more than 16 MB and 1.5 MB a second. Default: 300. */
  readonly maxSeconds?: number;
  /** Ends the call: it rejects immediately with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** A sound file: its address, its bytes, a Blob, the response to a request, or a stream. */
export type SoundSource = string | URL | ArrayBuffer | Uint8Array | Blob | Response | ReadableStream<Uint8Array>;

const DEFAULT_MAX_SECONDS = 300;
/** A second of two channels of 192 kHz in 32 bits, and images next to the sound. */
const [MAX_BYTES_PER_SECOND, MAX_OTHER_BYTES] = [1_536_000, 2 ** 24];
// Decoding needs a context; nothing is played, so any rate works.
const DECODING_RATE_HZ = 44_100;
// The rates that browsers must support.
const RATE: Kind = [
  'a number from 3000 to 768000',
  (value) => typeof value === 'number' && value >= 3_000 && value <= 768_000,
];
const POSITIVE: Kind = ['a number above 0', (value) => Number(value) > 0];
const CALL_OPTIONS = { signal: optional(SIGNAL) };
const OPTIONS = { ...CALL_OPTIONS, sampleRate: RATE, maxSeconds: optional(POSITIVE) };

/**
 * Decodes a sound file, resamples it and averages its channels.
 *
 * @param file - In a format that the browser plays: its address, its bytes, a Blob, the response to a request, or a
 *   stream.
 * @param options - The model's rate, and a signal.
 * @returns Samples from -1 to 1.
 * @throws SoundError where the browser does not support the format, or the sound is empty or too long; OptionError.
 *
 * @example
 * const samples = await readSound(await (await fetch('bird.wav')).blob(), { sampleRate: 16_000 });
 */
export async function readSound(file: SoundSource, options: SoundOptions): Promise<Float32Array> {
  checkArguments('readSound', { options }, { options: OPTIONS });
  const { maxSeconds = DEFAULT_MAX_SECONDS, sampleRate, signal } = options;
  signal?.throwIfAborted();
  return resampleSound(await orAbort(decoded(file, maxSeconds, signal), signal), sampleRate, { signal });
}

function checkLength(seconds: number, maxSeconds: number): void {
  if (seconds <= maxSeconds) return;
  throw new SoundError(`The sound lasts ${seconds.toFixed(1)} seconds: choose one of at most ${maxSeconds}.`);
}

/**
 * Resamples a sound and averages its channels.
 *
 * @param sound - As the Web Audio API has it.
 * @param sampleRate - Samples per second of the result.
 * @param options - A signal.
 * @returns Samples from -1 to 1.
 * @throws SoundError where it is empty; OptionError.
 */
export async function resampleSound(
  sound: InstanceOf<'AudioBuffer'>,
  sampleRate: number,
  options: Pick<SoundOptions, 'signal'> = {},
): Promise<Float32Array> {
  checkArguments('resampleSound', { sampleRate, options }, { sampleRate: RATE, options: CALL_OPTIONS });
  const { signal } = options;
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
async function bytesOf(file: SoundSource, maxBytes: number, signal: AbortSignal | undefined): Promise<ArrayBuffer> {
  if (typeof file === 'string' || file instanceof URL) {
    const response = await fetch(file, { signal: signal ?? null }).catch((cause: unknown) => {
      throw new SoundError(`The sound ${file} cannot be fetched.`, { cause });
    });
    if (response.ok) return collected(response.body, maxBytes);
    throw new SoundError(`The sound ${file} cannot be fetched: the server responded with HTTP ${response.status}.`);
  }
  if (file instanceof Response) return collected(file.body, maxBytes);
  if (file instanceof ReadableStream) return collected(file, maxBytes);
  if (file instanceof Blob) return collected(file.stream(), maxBytes);
  if (file instanceof ArrayBuffer || ArrayBuffer.isView(file)) {
    if (file.byteLength > maxBytes) throw tooLarge(maxBytes);
    return file instanceof ArrayBuffer ? file.slice(0) : copyOf(file).buffer;
  }
  const kinds = 'an address, ArrayBuffer, Uint8Array, Blob, Response or ReadableStream';
  throw new SoundError(`A sound is provided as ${kinds}; got ${kindOf(file)}.`);
}

function copyOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buffer, byteOffset, byteLength).slice();
}

/** Ends the download of too much. */
async function collected(body: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<ArrayBuffer> {
  let left = maxBytes;
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      left -= chunk.byteLength;
      if (left < 0) throw tooLarge(maxBytes);
      controller.enqueue(chunk);
    },
  });
  try {
    return await new Response(body?.pipeThrough(counting) ?? null).arrayBuffer();
  } catch (cause) {
    if (cause instanceof SoundError) throw cause;
    throw new SoundError('The sound cannot be read to its end: fetch it again.', { cause });
  }
}

function tooLarge(maxBytes: number): SoundError {
  return new SoundError(`The sound has more than ${maxBytes} bytes: choose a shorter one, or set maxSeconds.`);
}

async function decoded(file: SoundSource, maxSeconds: number, signal: AbortSignal | undefined): Promise<AudioBuffer> {
  const content = await bytesOf(file, MAX_OTHER_BYTES + MAX_BYTES_PER_SECOND * maxSeconds, signal);
  checkLength(soundSeconds(new Uint8Array(content)) ?? 0, maxSeconds);
  const sound = await decodedBytes(content, file);
  checkLength(sound.duration, maxSeconds);
  return sound;
}

async function decodedBytes(content: ArrayBuffer, file: SoundSource): Promise<AudioBuffer> {
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
