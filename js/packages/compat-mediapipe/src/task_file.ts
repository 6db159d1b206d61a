// biome-ignore-all lint/complexity/noStaticOnlyClass: MediaPipe's name and form

/**
 * Files of tasks: MediaPipe's way to say where its wasm files are, of which nothing is loaded; `.task` bundles, and
 * models.
 */

import { TaskModelError } from '@tflite-webnn/tasks';
import { getWasmFeatures, isArchive, ModelFetchError, OptionError, prepareMetadata } from 'tflite-webnn';
import { openTaskBundle, type TaskBundle } from 'tflite-webnn/metadata';
import type { BaseOptions } from './options.js';

/** Where MediaPipe's wasm files are. The tasks of this package do not look at it. */
export interface WasmFileset {
  /** Address of the script that loads the wasm file. */
  wasmLoaderPath: string;
  /** Address of the wasm file. */
  wasmBinaryPath: string;
  /** Address of the script that loads further files. */
  assetLoaderPath?: string;
  /** Address of further files. */
  assetBinaryPath?: string;
}

/**
 * Creates the first argument of a task's `createFrom...()`. The wasm module is this package's, from the directory of
 * its scripts or from where `setWasmPath()` says: a directory that is provided here is not read, so that code written
 * for MediaPipe's loads none of its files.
 */
export class FilesetResolver {
  private constructor() {}

  /**
   * Whether this browser runs wasm with SIMD, without which no model runs here.
   *
   * @param _useModule - Without effect.
   */
  static async isSimdSupported(_useModule = false): Promise<boolean> {
    return (await getWasmFeatures()).simd;
  }

  /**
   * A fileset for the vision tasks.
   *
   * @param basePath - Not read.
   * @param _useModule - Without effect: this package's scripts are modules.
   */
  static async forVisionTasks(basePath = '', _useModule = false): Promise<WasmFileset> {
    return { wasmLoaderPath: basePath, wasmBinaryPath: basePath };
  }
}

/** An open file. */
export interface TaskFile {
  /** All of its bytes. */
  readonly bytes: Uint8Array;
  /** What is in it; null for a `.tflite` file. */
  readonly bundle: TaskBundle | null;
}

/**
 * Fetches or reads the file that options name.
 *
 * @throws OptionError where they name none; ModelFetchError; ArchiveError for a damaged bundle.
 */
export async function openTaskFile(options: BaseOptions): Promise<TaskFile> {
  prepareMetadata();
  const bytes = await bytesOf(options);
  return { bytes, bundle: isArchive(bytes) ? await openTaskBundle(bytes) : null };
}

/**
 * The bytes of the only model: the file itself, or what a bundle has.
 *
 * @throws TaskModelError where the bundle has several models, or none.
 */
export function onlyModel({ bytes, bundle }: TaskFile): Uint8Array {
  if (bundle === null) return bytes;
  const [name, ...others] = bundle.models;
  if (name !== undefined && others.length === 0) return bundle.bytes(name);
  const files = bundle.files.map((file) => file.name).join(', ');
  throw new TaskModelError(`The bundle has ${bundle.models.length} models; the task runs one. Its files: ${files}.`);
}

/**
 * The bundle of a task.
 *
 * @throws TaskModelError where the file is one model.
 */
export function bundleOf({ bundle }: TaskFile, task: string): TaskBundle {
  if (bundle) return bundle;
  throw new TaskModelError(`${task} runs several models: it needs a .task bundle of them, and the file is one model.`);
}

async function bytesOf({ modelAssetPath, modelAssetBuffer: provided }: BaseOptions): Promise<Uint8Array> {
  if (modelAssetPath != null) return fetched(modelAssetPath);
  if (provided instanceof Uint8Array) return provided.slice();
  if ('read' in Object(provided)) return readAll(provided as ReadableStreamDefaultReader);
  throw new OptionError(
    'No model is provided: set baseOptions.modelAssetPath, or modelAssetBuffer to a Uint8Array or a reader.',
  );
}

async function fetched(path: string): Promise<Uint8Array> {
  let why = 'is the address right, and does its server allow this page (CORS)?';
  let [status, cause]: [number | null, unknown] = [null, undefined];
  try {
    const response = await fetch(path);
    const bytes = await response.arrayBuffer();
    if (response.ok) return new Uint8Array(bytes);
    status = response.status;
    why = `the server responded with HTTP ${status}.`;
  } catch (error) {
    cause = error;
  }
  throw new ModelFetchError(`Could not fetch the model ${path}: ${why}`, status, { cause, details: { url: path } });
}

async function readAll(reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>): Promise<Uint8Array> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
    if (value) chunks.push(value);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
