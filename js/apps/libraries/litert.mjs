import { inOrder } from './in_order.mjs';

const LITERT_JS = 'litert_core.js';
const THREADED_SCRIPT = 'litert_wasm_threaded_internal.js';

/**
 * LiteRT.js, or what has its API, in a page or in a classic worker.
 *
 * @param directory - The directory of its files: the script and its wasm modules.
 * @param script - The script's name.
 * @param options - Those of loadLiteRt().
 */
export async function open({ directory, script = LITERT_JS, ...options }) {
  const { loadLiteRt, loadAndCompile, Tensor } = await import(directory + script);
  if (globalThis.document === undefined && script === LITERT_JS) globalThis.Module = fileLocator(directory);
  await loadLiteRt(directory, options);
  return {
    async load({ url, inputs: infos, signature, residentNames = [], options: compileOptions }) {
      const model = await loadAndCompile(url, compileOptions);
      const { requested, outputNames, compute } = signature ? ofSignature(model, signature) : ofModel(model);
      const names = infos.map(({ name }) => name);
      const shapes = infos.map(({ shape }) => shape);
      let residentTensors = {};
      const runWithResident = async (inputs, kept) => {
        const tensors = inputs.map(
          (array, position) => residentTensors[names[position]] ?? new Tensor(array, shapes[position]),
        );
        const results = await compute(inOrder(requested, names, tensors));
        for (const tensor of tensors) tensor.delete();
        residentTensors = {};
        const outputs = [];
        for (const [position, result] of results.entries()) {
          const name = outputNames[position];
          if (kept.includes(name)) {
            residentTensors[name] = result;
            continue;
          }
          const onCpu = result.accelerator === 'wasm' ? result : await result.moveTo('wasm');
          outputs.push(onCpu.toTypedArray());
          onCpu.delete();
        }
        return outputs;
      };
      return {
        outputNames,
        report: { isFullyAccelerated: model.isFullyAccelerated },
        run: (inputs) => runWithResident(inputs, []),
        runAgain: (inputs) => runWithResident(inputs, residentNames),
        dispose() {
          for (const tensor of Object.values(residentTensors)) tensor.delete();
          model.delete();
        },
      };
    },
  };
}

const namesOf = (details) => details.map(({ name }) => name);

function ofModel(model) {
  return {
    requested: namesOf(model.getInputDetails()),
    outputNames: namesOf(model.getOutputDetails()),
    compute: (tensors) => model.run(tensors),
  };
}

function ofSignature(model, key) {
  const signature = model.signatures[key];
  const requested = namesOf(signature.getInputDetails());
  const outputNames = namesOf(signature.getOutputDetails());
  return {
    requested,
    outputNames,
    async compute(tensors) {
      const results = await signature.run(Object.fromEntries(requested.map((name, index) => [name, tensors[index]])));
      return outputNames.map((name) => results[name]);
    },
  };
}

/** In a worker, scripts look for their files next to the worker by default. */
function fileLocator(directory) {
  return { locateFile: (name) => directory + name, mainScriptUrlOrBlob: directory + THREADED_SCRIPT };
}
