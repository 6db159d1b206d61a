import { inOrder } from './in_order.mjs';

const LITERT_JS = 'litert_core.js';
const THREADED_SCRIPT = 'litert_wasm_threaded_internal.js';

/**
 * LiteRT.js, or what has its API, in a page or in a classic worker.
 *
 * @param folder - The folder of its files: the script and its wasm modules.
 * @param script - The script's name.
 * @param options - Those of loadLiteRt().
 */
export async function open({ folder, script = LITERT_JS, ...options }) {
  const { loadLiteRt, loadAndCompile, Tensor } = await import(folder + script);
  if (globalThis.document === undefined && script === LITERT_JS) globalThis.Module = fileLocator(folder);
  await loadLiteRt(folder, options);
  return {
    async load({ url, inputs: infos, options: compileOptions }) {
      const model = await loadAndCompile(url, compileOptions);
      const details = model.getInputDetails();
      const names = infos.map(({ name }) => name);
      const shapes = infos.map(({ shape }) => shape);
      const wanted = details.map(({ name }) => name);
      return {
        outputNames: model.getOutputDetails().map(({ name }) => name),
        report: { isFullyAccelerated: model.isFullyAccelerated },
        async run(inputs) {
          const tensors = inputs.map((array, position) => new Tensor(array, shapes[position]));
          const results = await model.run(inOrder(wanted, names, tensors));
          const outputs = [];
          for (const result of results) {
            const onCpu = result.accelerator === 'wasm' ? result : await result.moveTo('wasm');
            outputs.push(onCpu.toTypedArray());
            onCpu.delete();
          }
          for (const tensor of tensors) tensor.delete();
          return outputs;
        },
        dispose: () => model.delete(),
      };
    },
  };
}

/** In a worker, scripts look for their files beside the worker by default. */
function fileLocator(folder) {
  return { locateFile: (name) => folder + name, mainScriptUrlOrBlob: folder + THREADED_SCRIPT };
}
