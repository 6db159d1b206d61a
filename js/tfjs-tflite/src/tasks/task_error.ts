/** Errors of tasks, in the words and with the numbers of tfjs-tflite's module. */

/** TfLiteSupportStatus, by what is wrong. */
export const STATUS = {
  argument: 2,
  metadataInconsistent: 203,
  labelCounts: 205,
  noNormalization: 208,
  content: 209,
  noMetadata: 210,
  noLabels: 211,
  inputCount: 300,
  inputDimensions: 301,
  inputType: 302,
  outputDimensions: 400,
  outputType: 401,
  outputCount: 403,
} as const;

/** Why a task cannot be made, or cannot run. */
export class TaskError extends Error {
  override readonly name = 'TaskError';

  /** @param problem - For people; the message has the codes around it. */
  constructor(status: keyof typeof STATUS, problem: string) {
    const code = status === 'noNormalization' ? 'NOT_FOUND' : 'INVALID_ARGUMENT';
    super(`${code}: ${problem} [tflite::support::TfLiteSupportStatus='${STATUS[status]}']`);
  }
}
