/**
 * From sound to the inputs of models.
 *
 * @module tflite-webnn/sound
 */

export * from './errors.js';
export { readSound, resampleSound, type SoundOptions, type SoundSource } from './read_sound.js';
export { soundWindows, type WindowOptions } from './windows.js';
