/** Errors of tasks, in the words and with the numbers of tfjs-tflite's module. */

/** TfLiteSupportStatus, by what is wrong. */
const STATUS = {
  error: 1,
  argument: 2,
  metadataInconsistent: 203,
  labelCounts: 205,
  noNormalization: 208,
  content: 209,
  noMetadata: 210,
  noLabels: 211,
  tokenizer: 212,
  inputCount: 300,
  inputDimensions: 301,
  inputRank: 301,
  inputType: 302,
  inputSize: 303,
  inputMissing: 304,
  outputDimensions: 400,
  outputType: 401,
  outputMissing: 402,
  outputCount: 403,
} as const;

/** Codes of absl's, where they are not INVALID_ARGUMENT. */
const CODES: Readonly<Partial<Record<keyof typeof STATUS, string>>> = {
  noNormalization: 'NOT_FOUND',
  inputRank: 'INTERNAL',
  inputSize: 'INTERNAL',
};

/** Why a task cannot be made, or cannot run. */
export class TaskError extends Error {
  override readonly name = 'TaskError';

  /** @param problem - For people; the message has the codes around it. */
  constructor(status: keyof typeof STATUS, problem: string) {
    const code = CODES[status] ?? 'INVALID_ARGUMENT';
    super(`${code}: ${problem} [tflite::support::TfLiteSupportStatus='${STATUS[status]}']`);
  }
}
