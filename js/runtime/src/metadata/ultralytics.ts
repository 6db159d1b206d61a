/** What Ultralytics writes into its exports: metadata.json, before that a Python dict in place of labels. */

import { MetadataMismatchError } from '../errors.js';
import type { ModelMetadata } from './model_metadata.js';

/** Files of Ultralytics' exports, the newest first. The older ones stand in place of labels. */
export const ULTRALYTICS_FILES: readonly string[] = ['metadata.json', 'temp_meta.txt', 'meta.txt'];

interface TextFile {
  readonly name: string;
  text(): string;
}

/**
 * Reads the file, where there is one.
 *
 * @throws MetadataMismatchError where it is neither JSON nor a Python dict.
 */
export function readUltralytics(files: readonly TextFile[]): Pick<ModelMetadata, 'ultralytics'> {
  const file = ULTRALYTICS_FILES.flatMap((name) => files.find((entry) => entry.name === name) ?? [])[0];
  if (file === undefined) return { ultralytics: null };
  const values = parse(file);
  const { task, names, imgsz } = values;
  if (typeof names !== 'object' || names === null) return { ultralytics: null }; // another's
  const ultralytics = {
    task: typeof task === 'string' ? task : null,
    names: Object.values(names).map(String),
    imageSize: Array.isArray(imgsz) && imgsz.every(Number.isInteger) ? imgsz : null,
    values,
  };
  return { ultralytics };
}

function parse(file: TextFile): Record<string, unknown> {
  const text = file.text();
  try {
    const values: unknown = JSON.parse(file.name.endsWith('.json') ? text : jsonOf(text));
    if (typeof values === 'object' && values !== null) return values as Record<string, unknown>;
  } catch {} // reported below
  const start = JSON.stringify(text.slice(0, 60));
  throw new MetadataMismatchError(
    `The file ${file.name} in the model is no object in JSON or Python: it begins with ${start}.`,
  );
}

/** A dict, as Python prints it, as JSON. */
function jsonOf(text: string): string {
  const words: Readonly<Record<string, string>> = { True: 'true', False: 'false', None: 'null', '(': '[', ')': ']' };
  const token = /'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|\b(?:True|False|None)\b|[()]|(-?\d+)(?=\s*:)|,(?=\s*[)\]}])/g;
  return text.replace(token, (found, single?: string, double?: string, key?: string) => {
    const string = single ?? double;
    if (string !== undefined) return JSON.stringify(string.replace(/\\(['"\\])/g, '$1'));
    if (key !== undefined) return `"${key}"`;
    return found === ',' ? '' : (words[found] as string);
  });
}
