/** A program for LiteRT.js: it compiles against `@litertjs/core` and against tflite-webnn/litert. */

import {
  type Accelerator,
  type CompiledModel,
  type CompileOptions,
  type CopyOptions,
  type Dimensions,
  type DType,
  Environment,
  type EnvironmentOptions,
  getDefaultEnvironment,
  getGlobalLiteRt,
  getGlobalLiteRtPromise,
  getWebGpuDevice,
  isWebGPUSupported,
  type LiteRt,
  LiteRtNotLoadedError,
  type LoadLiteRtOptions,
  loadAndCompile,
  loadLiteRt,
  loadModelAndWeights,
  type SignatureRunner,
  setWebGpuDevice,
  supportsFeature,
  Tensor,
  TensorBufferType,
  type TensorCopyFn,
  type TensorDetails,
  type TensorType,
  type TypedArray,
  unloadLiteRt,
} from '@litertjs/core';

const loading: LoadLiteRtOptions = { threads: true, jspi: false };

export async function start(bytes: Uint8Array, reader: ReadableStreamDefaultReader<Uint8Array>): Promise<LiteRt> {
  const runtime: LiteRt = await loadLiteRt('/wasm/', loading);
  const promise: Promise<LiteRt> | undefined = getGlobalLiteRtPromise();
  const options: CompileOptions = {
    accelerator: 'webnn',
    environment: getDefaultEnvironment(),
    cpuOptions: { numThreads: 2 },
    gpuOptions: { precision: 'fp16' },
    webNNOptions: { devicePreference: 'npu', powerPreference: 'low-power', precision: 'fp32' },
  };
  for (const source of ['model.tflite', new URL('https://a.example/'), bytes, reader]) {
    const model: CompiledModel = await loadAndCompile(source, options);
    model.delete();
  }
  const model = await runtime.loadAndCompile(bytes, { accelerator: 'webgpu' });
  const accelerator: 'wasm' | 'webgpu' | 'webnn' = model.options.accelerator;
  console.log(accelerator, model.options.cpuOptions.numThreads, await promise);
  await loadModelAndWeights(bytes, new ReadableStream<Uint8Array>(), options);
  return getGlobalLiteRt();
}

export async function run(model: CompiledModel, pixels: Float32Array): Promise<number[]> {
  const [input]: readonly TensorDetails[] = model.getInputDetails();
  if (input === undefined) return [];
  const { name, index, dtype, shape, supportedBufferTypes } = input;
  const size = shape.reduce((product, length) => product * length, 1);
  const isOnCpu: boolean = supportedBufferTypes.has(TensorBufferType.HOST_MEMORY);
  console.log(name, index.toFixed(), size, isOnCpu, model.getOutputDetails().length);

  const tensor = new Tensor(pixels, [1, 224, 224, 3]);
  const same = Tensor.fromTypedArray(pixels, shape);
  const [first]: Tensor[] = await model.run(tensor);
  const listed: Tensor[] = await model.run([tensor, same]);
  const named: Record<string, Tensor> = await model.run({ [name]: tensor });
  const signed: Tensor[] = await model.run('serving_default', tensor);
  const signedByName: Record<string, Tensor> = await model.run('serving_default', { [name]: tensor });
  console.log(listed, signed, signedByName[name], named[name]?.deleted);
  if (first === undefined) return [];

  const onCpu: Tensor = await first.moveTo('wasm');
  const values: TypedArray = onCpu.toTypedArray();
  let sum = 0;
  for (const value of values) sum += value;
  const best: number = values[0] ?? 0;
  const again: TypedArray = await onCpu.data();
  const known: Float32Array | Int32Array | Uint8Array = again;
  const floats = onCpu.toTypedArray() as Float32Array;
  onCpu.delete();
  return [sum, best, known.length, ...floats.map((value) => value * 2), dtype === 'float32' ? 1 : 0];
}

export async function describe(tensor: Tensor, options: CopyOptions): Promise<TensorType> {
  const accelerator: Accelerator = tensor.accelerator;
  const kinds: TensorBufferType[] = [tensor.bufferType, tensor.getBufferType(), TensorBufferType.WEB_GPU_BUFFER_PACKED];
  const copy = await tensor.copyTo(accelerator === 'wasm' ? 'webgpu' : TensorBufferType.HOST_MEMORY, options);
  const dimensions: Dimensions = copy.type.layout.dimensions;
  const dtype: DType = copy.type.dtype;
  const copying: TensorCopyFn | undefined = Tensor.copyFunctions
    .get(TensorBufferType.HOST_MEMORY)
    ?.get(TensorBufferType.HOST_MEMORY)?.copyTo;
  console.log(kinds, copying?.(tensor, options), tensor.environment === options.environment);
  return { dtype, layout: { dimensions } };
}

export function signaturesOf(model: CompiledModel): string[] {
  const signatures: Record<string, SignatureRunner> = model.signatures;
  const first: SignatureRunner | undefined = signatures[model.key];
  const runner: SignatureRunner = model;
  console.log(first?.getInputDetails(), runner.run, model.isFullyAccelerated, model.deleted);
  return Object.values(signatures).map(({ key }) => key);
}

export async function environments(device: GPUDevice, buffer: GPUBuffer): Promise<void> {
  const options: EnvironmentOptions = { webGpuDevice: device };
  const environment: Environment = await Environment.create(options);
  const shared: GPUDevice | null = environment.webGpuDevice;
  setWebGpuDevice(device);
  const now: GPUDevice | null = getWebGpuDevice();
  const tensor = new Tensor(buffer, [2, 2], 'float32', environment, () => buffer.destroy());
  const back: GPUBuffer = tensor.toGpuBuffer();
  getGlobalLiteRt().setDefaultEnvironment(environment);
  console.log(shared?.limits, now?.queue, back.size, new Tensor(new Int32Array(2), undefined, environment));
  environment.delete();
}

export async function features(error: Error): Promise<boolean> {
  const isKnown = error instanceof LiteRtNotLoadedError || new LiteRtNotLoadedError() instanceof Error;
  const isThere: boolean = isWebGPUSupported() && (await supportsFeature('relaxedSimd'));
  unloadLiteRt();
  return isKnown && isThere && (await supportsFeature('jspi')) && (await supportsFeature('webnn'));
}
