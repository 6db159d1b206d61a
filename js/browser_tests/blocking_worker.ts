/** Loads models in a worker, which may wait for WebNN; blocking.test.ts calls it by Comlink. */

import { expose, proxy } from 'comlink';
import { loadTFLiteModel, type RequestedShapes, type TensorResult, type TFLiteModelOptions } from 'tflite-webnn';

const cloneable = (results: readonly TensorResult[]) => results.map(({ shape, data }) => ({ shape, data }));

const api = {
  async load(source: string, options: TFLiteModelOptions) {
    const model = await loadTFLiteModel(source, options);
    return proxy({
      mode: () => model.executionMode,
      report: () => model.report(),
      run: async (x: Float32Array) => cloneable(await model.run(x)),
      runSync: (x: Float32Array) => cloneable(model.runSync(x)),
      resizeInputs: (shapes: RequestedShapes) => model.resizeInputs(shapes),
      dispose: () => model.dispose(),
    });
  },
};

export type BlockingWorker = typeof api;
expose(api);
