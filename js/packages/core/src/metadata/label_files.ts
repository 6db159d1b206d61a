/** Files that are packed into a model: labels and score calibration, one line a class, and what Ultralytics writes. */

import { MetadataError } from '../errors.js';
import { listOf, OBJECT, optional, TEXT } from '../option_schema.js';
import { checkValues } from '../support/validate_options.js';
import { type ArchiveEntry, filesByName } from './archive.js';
import type { ModelMetadata, Sigmoid, TensorMetadata } from './model_metadata.js';

const MAX_LINES = 500_000;
const MAX_TEXT_LENGTH = 2 ** 24;

/** The error for metadata that contradicts the model or itself. */
export function mismatch(problem: string): MetadataError {
  return new MetadataError('METADATA_MISMATCH', problem);
}

/** Packed files that metadata names; what they have together has the limits of one, however often it is named. */
export class NamedFiles {
  readonly #files: ReadonlyMap<string, ArchiveEntry>;
  #lines = 0;
  #characters = 0;

  constructor(files: readonly ArchiveEntry[]) {
    this.#files = filesByName(files);
  }

  /**
   * What `parse` makes of a file.
   *
   * @param owner - What names it, for messages.
   * @throws MetadataError where it is not there, or all files have too much.
   */
  read<Line>(name: string, owner: string, parse: (text: string, file: string) => Line[]): Line[] {
    const file = this.#files.get(name);
    if (file === undefined) {
      const names = [...this.#files.keys()].join(', ') || 'none';
      throw mismatch(
        `The metadata of ${owner} names the file ${name}, which is not packed into the model file: it has ${names}.`,
      );
    }
    const text = file.text();
    const lines = parse(text, name);
    this.#lines += lines.length;
    this.#characters += text.length;
    if (this.#lines <= MAX_LINES && this.#characters <= MAX_TEXT_LENGTH) return lines;
    throw mismatch(
      `The files that the metadata names have more than ${MAX_LINES} lines or ${MAX_TEXT_LENGTH} characters together.`,
    );
  }
}

/** The lines of a file; the last one may end with a line break. */
function linesOf(text: string, file: string): string[] {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0 && count <= MAX_LINES; at = text.indexOf('\n', at + 1)) count++;
  if (count > MAX_LINES || text.length > MAX_TEXT_LENGTH) {
    throw mismatch(
      `The file ${file} has more than ${MAX_LINES} lines or ${MAX_TEXT_LENGTH} characters: it cannot be of classes.`,
    );
  }
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/**
 * Names of classes, one a line.
 *
 * @throws MetadataError where there is none.
 */
export function parseLabels(text: string, file: string): string[] {
  const labels = linesOf(text, file);
  if (labels.length === 0) throw mismatch(`The file of labels ${file} is empty.`);
  return labels;
}

/**
 * Parameters of classes: a line has scale, slope, offset and perhaps the minimum score, or nothing.
 *
 * @throws MetadataError where a line has something else.
 */
export function parseCalibration(text: string, file: string): (Sigmoid | null)[] {
  return linesOf(text, file).map((line, index) => {
    if (line.trim() === '') return null;
    const numbers = line.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
    const [scale = 0, slope = 0, offset = 0, minScore = null] = numbers;
    if ((numbers.length === 3 || numbers.length === 4) && numbers.every(Number.isFinite) && scale >= 0) {
      return { scale, slope, offset, minScore };
    }
    throw mismatch(
      `Line ${index + 1} of the score calibration ${file} is ${JSON.stringify(line.slice(0, 80))}; expected nothing, or ` +
        'scale (0 or more), slope, offset and perhaps the minimum score, separated by commas.',
    );
  });
}

/**
 * Chooses the names of a tensor's classes.
 *
 * @group metadata.mjs
 * @param tensor - An output.
 * @param locale - Language, as in BCP 47. Without it, or where the file lacks it: names of no language, else the
 *   first ones.
 * @throws OptionError
 * @returns Names by index of the class; null where the file has none.
 */
export function labelsFor(tensor: Pick<TensorMetadata, 'labels'>, locale?: string): readonly string[] | null {
  const kinds = { tensor: { labels: listOf(OBJECT) }, locale: optional(TEXT) };
  checkValues('labelsFor', { tensor, locale }, kinds);
  const { labels } = tensor;
  const requested = labels.find((row) => locale !== undefined && row.locale === locale);
  const neutral = labels.find((row) => row.locale === null);
  return (requested ?? neutral ?? labels[0])?.names ?? null;
}

/** Files of Ultralytics' exports, the newest first. The older ones stand in place of labels. */
export const ULTRALYTICS_FILES: readonly string[] = ['metadata.json', 'temp_meta.txt', 'meta.txt'];

const MAX_DEPTH = 100;

interface TextFile {
  readonly name: string;
  text(): string;
}

/**
 * Reads the file, where there is one.
 *
 * @throws MetadataError where it is neither JSON nor a Python dict.
 */
export function readUltralytics(files: readonly TextFile[]): Pick<ModelMetadata, 'ultralytics'> {
  const file = ULTRALYTICS_FILES.flatMap((name) => files.find((entry) => entry.name === name) ?? [])[0];
  if (file === undefined) return { ultralytics: null };
  const values = parse(file);
  const { task, names, imgsz } = values;
  if (typeof names !== 'object' || names === null) return { ultralytics: null }; // another's
  const ultralytics = {
    task: typeof task === 'string' ? task : null,
    names: Object.values(names).map((name) => nameOf(name, file)),
    imageSize: Array.isArray(imgsz) && imgsz.every(Number.isInteger) ? imgsz : null,
    values,
  };
  return { ultralytics };
}

function parse(file: TextFile): Record<string, unknown> {
  const text = file.text();
  try {
    const values: unknown = JSON.parse(file.name.endsWith('.json') ? text : jsonOf(text));
    if (typeof values === 'object' && values !== null && isShallow(values)) return values as Record<string, unknown>;
  } catch {} // reported below
  const start = JSON.stringify(text.slice(0, 60));
  throw mismatch(`The file ${file.name} in the model is no object in JSON or Python: it begins with ${start}.`);
}

function nameOf(name: unknown, { name: file }: TextFile): string {
  if (typeof name !== 'object') return String(name);
  throw mismatch(`The file ${file} in the model has a class whose name is no text.`);
}

/** Whoever walks deeper values overruns the stack. */
function isShallow(value: object, depth = 0): boolean {
  const inner = Object.values(value).filter((part) => typeof part === 'object' && part !== null);
  return inner.length === 0 || (depth < MAX_DEPTH && inner.every((part) => isShallow(part, depth + 1)));
}

/** A dict, as Python prints it, as JSON. Each token is read once, also strings without an end. */
function jsonOf(text: string): string {
  const literals: Readonly<Record<string, string>> = { True: 'true', False: 'false', None: 'null', '(': '[', ')': ']' };
  const token =
    /'((?:[^'\\]|\\[\s\S])*)(?:'|\\?$)|"((?:[^"\\]|\\[\s\S])*)(?:"|\\?$)|\b(?:True|False|None)\b|[()]|(-?\d+)(\s*:)?|,(?=\s*[)\]}])/g;
  return text.replace(token, (found, single?: string, double?: string, number?: string, colon?: string) => {
    const string = single ?? double;
    if (string !== undefined) return JSON.stringify(string.replace(/\\(['"\\])/g, '$1'));
    if (number !== undefined) return colon === undefined ? found : `"${number}"${colon}`;
    return found === ',' ? '' : (literals[found] as string);
  });
}
