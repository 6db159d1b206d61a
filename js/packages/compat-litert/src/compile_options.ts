/** Options of a model: LiteRT.js's names, and the corresponding options of tflite-webnn. */

import { OptionError, type TFLiteModelOptions, validateOptions } from 'tflite-webnn';
import type { Kind, OptionSchema } from 'tflite-webnn/option_schema';
import type { Environment } from './environment.js';

/** Options of the CPU. */
export interface CpuOptions {
  /** Threads that compute. Default: one, or with `loadLiteRt(path, { threads: true })` one for each processor core. */
  numThreads?: number;
}

/** Options of a GPU. */
export interface GpuOptions {
  /** Without effect: models keep the precision that they have. */
  precision?: 'fp16' | 'fp32';
}

/** Options of WebNN. */
export interface WebNNOptions {
  /** The device to request from the browser. Default: the browser's choice. */
  devicePreference?: 'cpu' | 'gpu' | 'npu';
  /** What the browser is to save. */
  powerPreference?: 'default' | 'high-performance' | 'low-power';
  /** Without effect: models keep the precision that they have. */
  precision?: 'fp32' | 'fp16';
}

/** Options of `loadAndCompile()`. */
export interface CompileOptions {
  /** Default: `webgpu` where the environment has a device or the browser a GPU, else `wasm`. */
  accelerator?: 'wasm' | 'webgpu' | 'webnn';
  /** Environment of the outputs. Default: that of `loadLiteRt()`. */
  environment?: Environment;
  /** Options of the CPU, also for the nodes that WebNN leaves to it. */
  cpuOptions?: CpuOptions;
  /** Options of a GPU. */
  gpuOptions?: GpuOptions;
  /** Options of WebNN. */
  webNNOptions?: WebNNOptions;
}

/** @internal What has this type. */
export const of = (type: string): Kind => [`a ${type}`, (value) => typeof value === type];
const SOME = of('object');
const COMPILE_SCHEMA: OptionSchema<CompileOptions> = {
  accelerator: of('string'),
  environment: SOME,
  cpuOptions: SOME,
  gpuOptions: SOME,
  webNNOptions: SOME,
};

/** @throws OptionError for an unknown name, with the nearest one there is, or a value of another kind. */
export function checkCompileOptions(options: CompileOptions): void {
  validateOptions('', options, COMPILE_SCHEMA);
}

/** All of them. */
export type FilledOptions = Required<CompileOptions>;

/**
 * The options for loadTFLiteModel().
 *
 * @throws OptionError for an unknown accelerator.
 */
export function modelOptions({ accelerator, cpuOptions, webNNOptions }: FilledOptions): TFLiteModelOptions {
  const { numThreads = 1 } = cpuOptions;
  switch (accelerator) {
    case 'wasm':
      return { numThreads, device: 'cpu' };
    case 'webgpu':
      return { numThreads, enableWebnnDelegate: true, webnnDelegateOptions: { devicePreference: 'gpu' } };
    case 'webnn':
      return {
        numThreads,
        enableWebnnDelegate: true,
        webnnDelegateOptions: {
          devicePreference: webNNOptions.devicePreference ?? 'default',
          powerPreference: webNNOptions.powerPreference ?? 'default',
        },
      };
  }
  throw new OptionError(`there is no accelerator "${accelerator}": it is wasm, webgpu or webnn`);
}
