/** Decodes sound files to mono at a given sample rate. */

/** A sound cannot be decoded, or has no usable length. */
export class SoundError extends Error {
  override readonly name = 'SoundError';
}

/** Longer sounds would take minutes and hundreds of megabytes. */
export const MAX_SECONDS = 300;

// Decoding needs a context; nothing is played, so any rate works.
const DECODING_RATE_HZ = 44_100;

/**
 * Decodes a sound file, resamples it and mixes its channels.
 *
 * @throws SoundError if the browser does not support the format, or the sound is empty or too long.
 */
export async function readSound(file: Blob, rateHz: number): Promise<Float32Array> {
  const content = await file.arrayBuffer();
  let sound: AudioBuffer;
  try {
    sound = await new OfflineAudioContext(1, 1, DECODING_RATE_HZ).decodeAudioData(content);
  } catch (error) {
    const kind = file.type ? ` (${file.type})` : '';
    throw new SoundError(`This browser cannot decode the file${kind} as a sound. Try a WAV or MP3 file.`, {
      cause: error,
    });
  }
  if (sound.duration > MAX_SECONDS) {
    const minutes = (sound.duration / 60).toFixed(1);
    throw new SoundError(`The sound lasts ${minutes} minutes. Choose one of at most ${MAX_SECONDS / 60} minutes.`);
  }
  return resample(sound, rateHz);
}

/** Resamples a sound and averages its channels. */
export async function resample(sound: AudioBuffer, rateHz: number): Promise<Float32Array> {
  const length = Math.floor(sound.duration * rateHz);
  if (length === 0) throw new SoundError('The sound is empty.');
  const context = new OfflineAudioContext(1, length, rateHz);
  const source = context.createBufferSource();
  source.buffer = mono(context, sound);
  source.connect(context.destination);
  source.start();
  const rendered = await context.startRendering();
  return rendered.getChannelData(0);
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
