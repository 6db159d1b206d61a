/**
 * From sound to the inputs of models.
 *
 * @module tflite-webnn/sound
 */

export { readSound, resampleSound, SoundError, type SoundOptions, type SoundSource } from './read_sound.js';
export { soundWindows, type WindowOptions } from './windows.js';
