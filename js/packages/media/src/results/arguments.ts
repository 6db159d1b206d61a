/** Checks of arguments, their kinds and errors. */

/** @internal */
export { checkArguments, OptionError, OutputError, realNumbers } from 'tflite-webnn';
export * from 'tflite-webnn/argument_kinds';
