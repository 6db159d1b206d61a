import { Environment } from '@tflite-webnn/compat-litert';
import { OptionError } from 'tflite-webnn';
import { describe, expect, it } from 'vitest';
import { type FilledOptions, modelOptions } from '../src/compile_options.js';

function filled(options: Partial<FilledOptions>): FilledOptions {
  const environment = new Environment({ webGpuDevice: null });
  return { environment, accelerator: 'wasm', cpuOptions: {}, gpuOptions: {}, webNNOptions: {}, ...options };
}

describe('modelOptions()', () => {
  it.each([
    [{}, { numThreads: 1, device: 'cpu' }],
    [{ cpuOptions: { numThreads: 4 } }, { numThreads: 4, device: 'cpu' }],
    [
      { accelerator: 'webgpu' },
      { numThreads: 1, enableWebnnDelegate: true, webnnDelegateOptions: { devicePreference: 'gpu' } },
    ],
    [
      { accelerator: 'webnn', cpuOptions: { numThreads: 2 } },
      {
        numThreads: 2,
        enableWebnnDelegate: true,
        webnnDelegateOptions: { devicePreference: 'default', powerPreference: 'default' },
      },
    ],
    [
      { accelerator: 'webnn', webNNOptions: { devicePreference: 'npu', powerPreference: 'low-power' } },
      {
        numThreads: 1,
        enableWebnnDelegate: true,
        webnnDelegateOptions: { devicePreference: 'npu', powerPreference: 'low-power' },
      },
    ],
  ] as const)('%o is %o', (provided, expected) => {
    expect(modelOptions(filled(provided))).toEqual(expected);
  });

  it('rejects an unknown accelerator', () => {
    expect(() => modelOptions(filled({ accelerator: 'tpu' as never }))).toThrow(OptionError);
    expect(() => modelOptions(filled({ accelerator: 'tpu' as never }))).toThrow('"tpu": it is wasm, webgpu or webnn');
  });
});
