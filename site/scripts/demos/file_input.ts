/** File input: chosen, dropped anywhere on the page, pasted, or a sample. */

import { assets } from '../common/assets.js';
import { create } from '../common/dom.js';
import { DownloadError } from '../common/download.js';

/** Receives the file, or the promise of a sample, and its name. */
export type FileListener = (file: Blob | Promise<Blob>, name: string) => void;

/** Elements of the template. */
export interface FileInputParts {
  readonly input: HTMLInputElement;
  /** Highlighted while a file is dragged over the page. */
  readonly zone: HTMLElement;
  /** Accepted MIME types, up to the slash: `image`. */
  readonly kind: string;
}

/** Listens for chosen, dropped and pasted files. */
export function listenForFiles({ input, zone, kind }: FileInputParts, onFile: FileListener): void {
  const take = (files: FileList | undefined | null) => {
    const file = [...(files ?? [])].find(({ type }) => type === '' || type.startsWith(`${kind}/`)) ?? files?.[0];
    if (file) onFile(file, file.name);
    return file !== undefined;
  };
  input.addEventListener('change', () => {
    take(input.files);
    input.value = ''; // else choosing the same file again fires no event
  });
  document.addEventListener('paste', (event) => {
    if (take(event.clipboardData?.files)) event.preventDefault();
  });
  document.addEventListener('dragover', (event) => {
    event.preventDefault();
    zone.classList.add('over');
  });
  document.addEventListener('dragleave', ({ relatedTarget }) => {
    if (relatedTarget === null) zone.classList.remove('over');
  });
  document.addEventListener('drop', (event) => {
    event.preventDefault(); // else the browser navigates to the file
    zone.classList.remove('over');
    take(event.dataTransfer?.files);
  });
}

/** A sample: its name in pages.toml, and its title. */
export interface Sample {
  readonly kind: 'samples' | 'files';
  readonly name: string;
  readonly title: string;
}

/** Adds a button with a thumbnail for each sample to a list. */
export function offerSamples(list: HTMLElement, samples: readonly Sample[], onFile: FileListener): void {
  for (const { kind, name, title } of samples) {
    const url = assets(kind)[name]?.url;
    if (url === undefined) throw new Error(`pages.toml lists no ${kind} ${name} for this page`);
    const image = create('img', { src: url, alt: '', loading: 'lazy', width: 72, height: 72 });
    const button = create('button', { type: 'button', class: 'quiet sample', 'data-sample': name }, image, title);
    button.addEventListener('click', () => onFile(fetchSample(url), title));
    list.append(create('li', {}, button));
  }
}

/** Downloads a sample. */
export async function fetchSample(url: string): Promise<Blob> {
  const response = await fetch(url);
  if (!response.ok) throw new DownloadError(`${url} could not be fetched: the server answered ${response.status}`);
  return response.blob();
}
