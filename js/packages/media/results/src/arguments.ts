/** Checks of arguments, their kinds and errors. */

export { OptionError, OutputError, type ScoreCalibration } from 'tflite-webnn';
/** @internal */
export { checkArguments, realNumbers } from 'tflite-webnn';
export * from '../../../core/src/argument_kinds.js';
