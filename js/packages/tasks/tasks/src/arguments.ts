/** Checks of arguments, and their kinds. */

export { checkArguments } from 'tflite-webnn';
export * from '../../../core/src/argument_kinds.js';
