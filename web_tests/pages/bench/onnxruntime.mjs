/** onnxruntime-web: its wasm execution provider, or WebNN's, which is another build. */
export async function open({ directory = '/programs/', bundle, numThreads }) {
  const ort = await import(directory + bundle);
  ort.env.wasm.wasmPaths = directory;
  ort.env.wasm.numThreads = numThreads;
  return {
    async load({ url, inputs: infos, options }) {
      const session = await ort.InferenceSession.create(url, { ...options, executionProviders: await providersOf(options) });
      return {
        outputNames: session.outputNames,
        async run(inputs) {
          const feeds = {};
          infos.forEach(({ dtype, shape }, position) => {
            feeds[session.inputNames[position]] = new ort.Tensor(dtype, inputs[position], shape);
          });
          const results = await session.run(feeds);
          return session.outputNames.map((name) => results[name].data);
        },
        dispose: () => session.release(),
      };
    },
  };
}

/** By itself it creates a context only in browsers with WebGPU, whose GPUDevice it names. */
async function providersOf({ executionProviders }) {
  if ('GPUDevice' in globalThis) return executionProviders;
  const withContext = async (provider) =>
    provider.name === 'webnn' ? { ...provider, context: await navigator.ml.createContext() } : provider;
  return Promise.all(executionProviders.map(withContext));
}
