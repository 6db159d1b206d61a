// biome-ignore-all lint/complexity/noStaticOnlyClass: MediaPipe's name and form

/** MediaPipe's way to say where its wasm files are. Nothing is loaded from there. */

import { getWasmFeatures } from 'tflite-webnn';

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
 * Makes the first argument of a task's `createFrom...()`. The wasm module is this package's, from the folder of its scripts or
 * from where `setWasmPath()` says: a folder that is given here is not read, so that code written for MediaPipe's loads
 * none of its files.
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
