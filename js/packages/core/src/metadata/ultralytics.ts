/** What Ultralytics writes into its exports: metadata.json, before that a Python dict in place of labels. */

import { MetadataError } from '../errors.js';
import type { ModelMetadata } from './model_metadata.js';

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
  throw new MetadataError(
    'METADATA_MISMATCH',
    `The file ${file.name} in the model is no object in JSON or Python: it begins with ${start}.`,
  );
}

function nameOf(name: unknown, { name: file }: TextFile): string {
  if (typeof name !== 'object') return String(name);
  throw new MetadataError('METADATA_MISMATCH', `The file ${file} in the model has a class whose name is no text.`);
}

/** Whoever walks deeper values overruns the stack. */
function isShallow(value: object, depth = 0): boolean {
  const inner = Object.values(value).filter((part) => typeof part === 'object' && part !== null);
  return inner.length === 0 || (depth < MAX_DEPTH && inner.every((part) => isShallow(part, depth + 1)));
}

/** A dict, as Python prints it, as JSON. Each token is read once, also strings without an end. */
function jsonOf(text: string): string {
  const words: Readonly<Record<string, string>> = { True: 'true', False: 'false', None: 'null', '(': '[', ')': ']' };
  const token =
    /'((?:[^'\\]|\\[\s\S])*)(?:'|\\?$)|"((?:[^"\\]|\\[\s\S])*)(?:"|\\?$)|\b(?:True|False|None)\b|[()]|(-?\d+)(\s*:)?|,(?=\s*[)\]}])/g;
  return text.replace(token, (found, single?: string, double?: string, number?: string, colon?: string) => {
    const string = single ?? double;
    if (string !== undefined) return JSON.stringify(string.replace(/\\(['"\\])/g, '$1'));
    if (number !== undefined) return colon === undefined ? found : `"${number}"${colon}`;
    return found === ',' ? '' : (words[found] as string);
  });
}
