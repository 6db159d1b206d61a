/** Checks of arguments, their kinds and errors. */

export { checkArguments, OptionError, OutputError, realNumbers, type ScoreCalibration } from 'tflite-webnn';
export * from '../../../core/src/argument_kinds.js';
