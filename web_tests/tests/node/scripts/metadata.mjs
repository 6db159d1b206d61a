// @ts-check

/** What is read of models' metadata, for test_metadata.py. */

import { copyFile, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { addressOf, library } from './package.mjs';

/** All of it for JSON, with bytes as lists, or null. @param {string} file */
export async function read(file) {
  const metadata = await library.readModelMetadata(file);
  if (metadata === null) return null;
  const custom = metadata.custom.map(({ name, data }) => [name, [...data]]);
  const files = Object.fromEntries(metadata.files.map((entry) => [entry.name, [...entry.bytes()]]));
  return { ...metadata, custom, files };
}

/** Of all models of a directory. @param {string} directory */
export async function readAll(directory) {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.tflite')).sort();
  return Promise.all(names.map((name) => read(join(directory, name))));
}

/** Reads by index.mjs alone, as where import() is forbidden. -> code and message of each error */
export async function readAlone(/** @type {string} */ file) {
  const copy = join(dirname(file), 'index.mjs');
  await copyFile(addressOf('index.mjs'), copy);
  /** @type {typeof import('tflite-webnn')} */
  const { openTaskBundle, readModelMetadata } = await import(pathToFileURL(copy).href);
  const errors = [openTaskBundle, readModelMetadata].map((open) => open(new Uint8Array(8)).catch((error) => error));
  return (await Promise.all(errors)).map(({ code, message }) => [code, message]);
}
