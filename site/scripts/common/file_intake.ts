/** Files of the visitor's: chosen, pasted, or dropped anywhere on the page. Each goes to the handler of its kind. */

import { type FileKind, recognize } from './file_kinds.js';
import { formatBytes } from './format.js';

/** Handlers of files by kind. */
export type FileHandlers = Partial<Record<FileKind, (file: File) => void>>;

/** A page's use of files. */
export interface Intake {
  readonly handlers: FileHandlers;
  /** What the page accepts: `Choose a .tflite model.` Ends the message about a file of another kind. */
  readonly requested: string;
  /** Highlighted while a file is dragged over the page. */
  readonly zone: HTMLElement;
  /** Gets a {@link WrongFileError}. */
  readonly failed: (error: unknown) => void;
}

/** The page cannot use a file. */
export class WrongFileError extends Error {
  override readonly name = 'Error'; // visitors read the message
}

// The module has at most 4 GB of memory, and the page holds the file as well.
const MAX_MODEL_BYTES = 2 ** 31;

/**
 * Listens for files that are dropped or pasted, and for those of inputs.
 *
 * @returns What waits until the files so far have been recognized.
 */
export function acceptFiles(intake: Intake, ...inputs: readonly HTMLInputElement[]): () => Promise<void> {
  const { zone, failed } = intake;
  let last = Promise.resolve();
  const accept = (files: Iterable<File> | null | undefined) => {
    // Labels and tokenizers after the models that they belong to.
    const found = [...(files ?? [])].sort((one, other) => Number(isText(one)) - Number(isText(other)));
    for (const file of found) last = last.then(() => deliver(file, intake)).catch(failed);
    return found.length > 0;
  };
  for (const input of inputs) {
    input.addEventListener('change', () => {
      accept(input.files);
      input.value = ''; // else choosing the same file again fires no event
    });
  }
  document.addEventListener('paste', (event) => {
    if (accept(event.clipboardData?.files)) event.preventDefault();
  });
  // Dragged text goes where it is dropped.
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false;
  document.addEventListener('dragover', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    zone.classList.add('over');
  });
  document.addEventListener('dragleave', ({ relatedTarget }) => {
    if (relatedTarget === null) zone.classList.remove('over');
  });
  document.addEventListener('drop', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault(); // else the browser navigates to the file
    zone.classList.remove('over');
    accept(event.dataTransfer?.files);
  });
  return () => last;
}

function isText({ name }: File): boolean {
  return /\.(txt|json)$/i.test(name);
}

/** @throws WrongFileError */
async function deliver(file: File, { handlers, requested }: Intake): Promise<void> {
  const { kind, what, hint } = await recognize(file);
  const handler = handlers[kind];
  if (!handler) throw new WrongFileError(`${file.name} is ${what} (${formatBytes(file.size)}). ${hint || requested}`);
  if (kind === 'model' || kind === 'bundle') checkSize(file);
  handler(file);
}

function checkSize({ name, size }: File): void {
  if (size <= MAX_MODEL_BYTES) return;
  const limit = formatBytes(MAX_MODEL_BYTES);
  throw new WrongFileError(
    `${name} has ${formatBytes(size)}: a page can hold models of at most ${limit}. Quantize it, or split it.`,
  );
}
