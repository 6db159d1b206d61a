/** Samples of a page. */

import { assets } from '../common/assets.js';
import { create } from '../common/dom.js';
import { DownloadError } from '../common/download.js';

/** Receives a sample and its title. */
export type FileListener = (file: Blob | Promise<Blob>, name: string) => void;

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
    const icon = assets('icons')[name]?.url ?? url;
    const image = create('img', { src: icon, alt: '', loading: 'lazy', width: 72, height: 72 });
    const button = create('button', { type: 'button', class: 'quiet sample', 'data-sample': name }, image, title);
    button.addEventListener('click', () => onFile(fetchSample(url), title));
    list.append(create('li', {}, button));
  }
}

/** Downloads a sample. */
export async function fetchSample(url: string): Promise<Blob> {
  const response = await fetch(url);
  if (!response.ok)
    throw new DownloadError(`${url} could not be fetched: the server responded with ${response.status}`);
  return response.blob();
}
