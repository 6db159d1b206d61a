/** Checks of arguments, and their kinds. */

/** @internal */
export { checkArguments } from 'tflite-webnn';
export * from '../../../core/src/argument_kinds.js';
