/** Names of classes, and which of them a task may answer. */

import type { Labels, TensorMetadata } from 'tflite-webnn/metadata/model_metadata';
import { Message } from './protobuf.js';
import { TaskError } from './task_error.js';

/** A class. Empty where it has no such name. */
export interface Label {
  readonly name: string;
  /** In the language of the options. */
  readonly displayName: string;
}

/** Options about classes: a list of those that are wanted, or of those that are not. */
export interface ClassOptions {
  getClassNameWhitelistList(): readonly string[];
  getClassNameBlacklistList(): readonly string[];
}

const NO_LABEL: Label = { name: '', displayName: '' };

/** The labels of a tensor: the first file has the names, the one of the language the names to show. */
export function labelsOf(tensor: TensorMetadata | null, of: Labels['of'], locale: string): Label[] {
  const files = (tensor?.labels ?? []).filter((file) => file.of === of);
  const [first] = files;
  const shown = files.find((file) => file.locale === locale)?.names;
  if (first !== undefined && shown !== undefined && shown.length !== first.names.length) {
    const counts = `labels (${first.names.length}) and display names (${shown.length})`;
    throw new TaskError('labelCounts', `Mismatch between number of ${counts}.`);
  }
  return (first?.names ?? []).map((name, index) => ({ name, displayName: shown?.[index] ?? '' }));
}

/** Labels without names. */
export function noLabels(count: number): Label[] {
  return Array.from({ length: count }, () => NO_LABEL);
}

/** @throws TaskError where both lists are given. */
export function checkClassOptions(options: ClassOptions): void {
  if (options.getClassNameWhitelistList().length === 0 || options.getClassNameBlacklistList().length === 0) return;
  throw new TaskError('argument', '`class_name_whitelist` and `class_name_blacklist` are mutually exclusive options.');
}

/**
 * Which classes a task may answer; unknown names are ignored.
 *
 * @throws TaskError where none of the names is known.
 */
export function allowedClasses(options: ClassOptions, labels: readonly Label[]): (label: Label) => boolean {
  const wanted = options.getClassNameWhitelistList();
  const isWhitelist = wanted.length > 0;
  const given = isWhitelist ? wanted : options.getClassNameBlacklistList();
  if (given.length === 0) return () => true;
  const names = new Set(given.filter((name) => labels.some((label) => label.name === name)));
  if (names.size > 0) return ({ name }) => names.has(name) === isWhitelist;
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
