// A program for LiteRT.js. It does not know whose `@litertjs/core` it gets: web_tests/tests/browser/test_litert.py
// compares what it returns.

import * as litert from '@litertjs/core';
import { fetchInputs, outcome, putArrays } from './called.mjs';

const { CompiledModel, Environment, loadAndCompile, loadLiteRt, Tensor, TensorBufferType, unloadLiteRt } = litert;
const WASM = '/programs/';

const rowOf = ({ name, index, dtype, shape }) => ({ name, index, dtype, shape: [...shape] });
const sizeOf = (shape) => shape.reduce((product, size) => product * size, 1);
const ARRAYS = { float32: Float32Array, int32: Int32Array, uint8: Uint8Array };

/** Zeros for each input. */
function zerosFor(details) {
  return details.map(({ dtype, shape }) => new Tensor(new ARRAYS[dtype](sizeOf(shape)), shape));
}

const programs = {
  names: async () => Object.keys(litert).filter((name) => litert[name] !== undefined),

  /** As the README of @litertjs/core does it; the outputs are PUT to /exchange/KEY/INDEX. */
  async run({ url, inputs, options, loading, key }) {
    if (litert.getGlobalLiteRtPromise() === undefined) await loadLiteRt(WASM, loading);
    const model = await loadAndCompile(url, options);
    const tensors = (await fetchInputs(inputs)).map(({ data, shape }) => new Tensor(data, shape));
    const results = await model.run(tensors);
    for (const tensor of tensors) tensor.delete();
    const arrays = [];
    const shapes = [];
    for (const result of results) {
      const onCpu = await result.moveTo('wasm');
      arrays.push(onCpu.toTypedArray());
      shapes.push([...onCpu.type.layout.dimensions]);
      onCpu.delete();
    }
    await putArrays(arrays, key);
    const described = {
      key: model.key,
      inputs: model.getInputDetails().map(rowOf),
      outputs: model.getOutputDetails().map(rowOf),
      isFullyAccelerated: model.isFullyAccelerated,
      shapes,
    };
    model.delete();
    return described;
  },

  /** Every signature, by name and by position. */
  async signatures({ url }) {
    await loadLiteRt(WASM);
    const model = await loadAndCompile(url, { accelerator: 'wasm' });
    const found = {};
    for (const [key, signature] of Object.entries(model.signatures)) {
      const [inputs, outputs] = [signature.getInputDetails(), signature.getOutputDetails()];
      const tensors = inputs.map(({ dtype, shape }) => new Tensor(new ARRAYS[dtype](sizeOf(shape)).fill(3), shape));
      const named = await model.run(key, Object.fromEntries(inputs.map(({ name }, i) => [name, tensors[i]])));
      const listed = await signature.run(tensors);
      found[key] = {
        key: signature.key,
        inputs: inputs.map(rowOf),
        outputs: outputs.map(rowOf),
        named: Object.entries(named).map(([name, tensor]) => [name, [...tensor.toTypedArray()]]),
        listed: listed.map((tensor) => [...tensor.toTypedArray()]),
      };
    }
    return { first: model.key, found };
  },

  async tensors() {
    const before = await outcome(() => new Tensor(Float32Array.of(1)));
    const runtime = await loadLiteRt(WASM);
    const provided = Float32Array.of(1, 2, 3, 4);
    const tensor = Tensor.fromTypedArray(provided, [2, 2]);
    provided[0] = 100;
    const copy = await tensor.copyTo('wasm');
    const values = copy.toTypedArray();
    values[1] = 100;
    const moved = await tensor.moveTo(TensorBufferType.HOST_MEMORY);
    let deletions = 0;
    const watched = new Tensor(Int32Array.of(7), undefined, undefined, () => deletions++);
    watched.delete();
    watched.delete();
    const environment = await Environment.create({ webGpuDevice: null });
    const elsewhere = new Tensor(Uint8Array.of(1, 2), Int32Array.of(1, 2), environment);
    return {
      before,
      isGlobal: runtime === litert.getGlobalLiteRt() && (await litert.getGlobalLiteRtPromise()) === runtime,
      device: litert.getWebGpuDevice(),
      values: [[...(await copy.data())], [...moved.toTypedArray()]],
      isDeleted: [tensor.deleted, copy.deleted, moved.deleted, watched.deleted],
      storage: [copy.accelerator, copy.bufferType, copy.getBufferType()],
      types: [copy, elsewhere, new Tensor(new Float32Array(3)), new Tensor(new Float32Array(1), [])].map(({ type }) => type),
      environments: [elsewhere.environment === environment, copy.environment === litert.getDefaultEnvironment()],
      deletions,
      destinations: [...Tensor.copyFunctions.get(TensorBufferType.HOST_MEMORY).keys()],
    };
  },

  /** What is rejected, by either; `url` is a model with one float32 input. */
  async rejections({ url }) {
    const notLoaded = await outcome(() => loadAndCompile(url));
    await loadLiteRt(WASM);
    const model = await loadAndCompile(url, { accelerator: 'wasm' });
    const [{ name, shape }] = model.getInputDetails();
    const size = sizeOf(shape);
    const right = () => new Tensor(new Float32Array(size), shape);
    const deleted = right();
    deleted.delete();
    const found = {
      notLoaded,
      notLoadedClass: notLoaded === 'rejected',
      dtype: await outcome(() => model.run(new Tensor(new Int32Array(size), shape))),
      shape: await outcome(() => model.run(new Tensor(new Float32Array(size), [size]))),
      size: await outcome(() => model.run(new Tensor(new Float32Array(4), [4]))),
      none: await outcome(() => model.run([])),
      tooMany: await outcome(() => model.run([right(), right()])),
      name: await outcome(() => model.run({ [`not ${name}`]: right() })),
      anArray: await outcome(() => model.run(new Float32Array(size))),
      nothing: await outcome(() => model.run(undefined)),
      signature: await outcome(() => model.run('no signature', right())),
      signatureWithoutInput: await outcome(() => model.run(model.key)),
      deletedTensor: await outcome(() => model.run(deleted)),
      deletedValues: await outcome(() => deleted.toTypedArray()),
      deletedData: await outcome(() => deleted.data()),
      deletedCopy: await outcome(() => deleted.copyTo('wasm')),
      elements: await outcome(() => new Tensor(new Float32Array(3), [2])),
      notAnArray: await outcome(() => new Tensor([1, 2], [2])),
      noData: await outcome(() => new Tensor()),
      destination: await outcome(() => right().copyTo('webnn')),
      bufferType: await outcome(() => right().copyTo(TensorBufferType.WEB_GPU_BUFFER)),
      gpuBuffer: await outcome(() => right().toGpuBuffer()),
      accelerator: await outcome(() => loadAndCompile(url, { accelerator: 'tpu' })),
      missing: await outcome(() => loadAndCompile('/models/missing.tflite')),
      model: await outcome(() => loadAndCompile(42)),
      weights: await outcome(() => litert.loadModelAndWeights(new Uint8Array(4), new ReadableStream())),
      feature: await outcome(() => litert.supportsFeature('magic')),
      stillRuns: await outcome(async () => (await model.run({ [name]: right(), unknown: right() })) && 'ran'),
    };
    const signature = model.signatures[model.key];
    model.delete();
    model.delete();
    return {
      ...found,
      deletedModel: [
        model.deleted,
        await outcome(() => model.run(right())),
        await outcome(() => model.getInputDetails()),
        await outcome(() => model.signatures),
        await outcome(() => signature.getInputDetails()),
        await outcome(() => model.isFullyAccelerated),
      ],
    };
  },

  /** Loading by address, bytes and a reader; unloading, and loading again. */
  async loading({ url }) {
    await loadLiteRt(WASM);
    const bytes = new Uint8Array(await (await fetch(url)).arrayBuffer());
    const reader = (await fetch(url)).body.getReader();
    const models = [];
    for (const source of [url, new URL(url, location.href), bytes, reader]) models.push(await loadAndCompile(source));
    const ran = [];
    for (const model of models) ran.push((await model.run(zerosFor(model.getInputDetails()))).length);
    const [{ options }] = models;
    unloadLiteRt();
    unloadLiteRt();
    const unloaded = await outcome(() => litert.getGlobalLiteRt());
    await loadLiteRt(WASM);
    const again = await loadAndCompile(bytes, { accelerator: 'wasm', cpuOptions: { numThreads: 1 } });
    return {
      ran,
      areModels: models.map((model) => model instanceof CompiledModel),
      areDeleted: models.map(({ deleted }) => deleted),
      options: { ...options, environment: options.environment.webGpuDevice },
      unloaded,
      again: [again.options.cpuOptions, (await again.run(zerosFor(again.getInputDetails()))).length],
    };
  },

  features: async () => {
    const names = ['relaxedSimd', 'threads', 'jspi', 'webnn'];
    return [litert.isWebGPUSupported(), ...(await Promise.all(names.map((name) => litert.supportsFeature(name))))];
  },
};

globalThis.run = (name, args) => programs[name](args);
