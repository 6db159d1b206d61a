/** Checks of arguments, and their kinds. */

/** @internal */
export { checkArguments } from 'tflite-webnn';
export * from 'tflite-webnn/argument_kinds';
