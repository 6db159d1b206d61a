/** Options of tasks, labels of their models, and errors with the messages and numbers of tfjs-tflite's module. */

import { type ClassOptions as ClassChoice, classNames } from '@tflite-webnn/media/results/unchecked';
import type { Labels, TensorMetadata } from 'tflite-webnn/metadata';
import { Message } from './protobuf.js';

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

/** Why a task cannot be created, or cannot run. */
export class TaskError extends Error {
  override readonly name = 'TaskError';

  /** @param problem - For people; the message has the codes around it. */
  constructor(status: keyof typeof STATUS, problem: string) {
    const code = CODES[status] ?? 'INVALID_ARGUMENT';
    super(`${code}: ${problem} [tflite::support::TfLiteSupportStatus='${STATUS[status]}']`);
  }
}

/** How many results, and which. */
export interface ResultOptions {
  /** Negative for all. */
  getMaxResults(): number;
  hasScoreThreshold(): boolean;
  getScoreThreshold(): number;
  /** -1 leaves the number to the module. */
  getNumThreads(): number;
  /** Language of names to show. */
  getDisplayNamesLocale(): string;
}

/** @throws TaskError where they cannot be followed. */
export function checkResultOptions(options: Pick<ResultOptions, 'getMaxResults' | 'getNumThreads'>): void {
  if (options.getMaxResults() === 0)
    throw new TaskError('argument', 'Invalid `max_results` option: value must be != 0');
  checkThreads(options);
}

/** @throws TaskError where it is no number of threads. */
export function checkThreads(options: Pick<ResultOptions, 'getNumThreads'>): void {
  const threads = options.getNumThreads();
  if (threads > 0 || threads === -1) return;
  throw new TaskError('argument', '`num_threads` must be greater than 0 or equal to -1.');
}

/** A class. Empty where it has no such name. */
export interface Label {
  readonly name: string;
  /** In the language of the options. */
  readonly displayName: string;
}

/** Options about classes: a list of those that are requested, or of those that are not. */
export interface ClassOptions {
  getClassNameWhitelistList(): readonly string[];
  getClassNameBlacklistList(): readonly string[];
}

const NO_LABEL: Label = { name: '', displayName: '' };

/** The labels of a tensor: the first file has the names, the one of the language the names to show. */
export function labelsOf(tensor: TensorMetadata | null, of: Labels['of'], locale: string): Label[] {
  const files = tensor?.labels.filter((file) => file.of === of);
  const { names = [], displayNames: shown } = classNames(files, locale || undefined);
  if (shown !== undefined && shown.length !== names.length) {
    const counts = `labels (${names.length}) and display names (${shown.length})`;
    throw new TaskError('labelCounts', `Mismatch between number of ${counts}.`);
  }
  return names.map((name, index) => ({ name, displayName: shown?.[index] ?? '' }));
}

/** Labels without names. */
export function noLabels(count: number): Label[] {
  return Array.from({ length: count }, () => NO_LABEL);
}

/** @throws TaskError where both lists are provided. */
export function checkClassOptions(options: ClassOptions): void {
  if (options.getClassNameWhitelistList().length === 0 || options.getClassNameBlacklistList().length === 0) return;
  throw new TaskError('argument', '`class_name_whitelist` and `class_name_blacklist` are mutually exclusive options.');
}

/**
 * Which classes a task may return; unknown names are ignored.
 *
 * @throws TaskError where none of the names is known.
 */
export function allowedClasses(options: ClassOptions, labels: readonly Label[]): Omit<ClassChoice, 'labels'> {
  const requested = options.getClassNameWhitelistList();
  const isWhitelist = requested.length > 0;
  const provided = isWhitelist ? requested : options.getClassNameBlacklistList();
  if (provided.length === 0) return {};
  const names = provided.filter((name) => labels.some((label) => label.name === name));
  if (names.length > 0) return isWhitelist ? { allow: names } : { deny: names };
  const list = isWhitelist ? 'whitelist' : 'blacklist';
  throw new TaskError(
    'argument',
    `Invalid class names specified via \`class_name_${list}\`: none match with model labels.`,
  );
}

/** The message Class. */
export function classMessage(index: number, score: number, { name, displayName }: Label = NO_LABEL): Message {
  return new Message().int(1, index).float(2, score).string(3, name).string(4, displayName);
}
