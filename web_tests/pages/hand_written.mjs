import { ARRAY_OF } from './called.mjs';

let lastImport = { text: '', script: null };

/** A module remains in memory, weights included, until its page is closed: import each only once. */
async function importScript(url) {
  const text = await (await fetch(url)).text();
  if (text !== lastImport.text) {
    lastImport = { text, script: await import(URL.createObjectURL(new Blob([text], { type: 'text/javascript' }))) };
  }
  return lastImport.script;
}

/** The first graph of a script from `build.py explain --export`, used as if written by hand: write, dispatch, read. */
export class HandWritten {
  static async load(url) {
    const { build, describe: descriptorsOf } = await importScript(url);
    const context = await navigator.ml.createContext();
    const [graph] = await build(context);
    const [{ inputs, outputs }] = descriptorsOf();
    return new HandWritten(context, graph, await tensorsOf(inputs, 'writable'), await tensorsOf(outputs, 'readable'));

    async function tensorsOf(descriptors, flag) {
      const tensors = {};
      for (const [name, descriptor] of Object.entries(descriptors)) {
        tensors[name] = await context.createTensor({ ...descriptor, [flag]: true });
      }
      return tensors;
    }
  }

  constructor(context, graph, inputTensors, outputTensors) {
    Object.assign(this, { context, graph, inputTensors, outputTensors });
    this.names = { inputs: Object.keys(inputTensors), outputs: Object.keys(outputTensors) };
    /** The results, by name. */
    this.outputs = {};
    for (const [name, { dataType, shape }] of Object.entries(outputTensors)) {
      this.outputs[name] = new ARRAY_OF[dataType](shape.reduce((product, size) => product * size, 1));
    }
  }

  /** Runs once with arrays by name. */
  async run(inputs) {
    const { context, inputTensors, outputTensors } = this;
    for (const name of this.names.inputs) context.writeTensor(inputTensors[name], inputs[name]);
    context.dispatch(this.graph, inputTensors, outputTensors);
    if (this.names.outputs.length === 1) {
      const [name] = this.names.outputs;
      await context.readTensor(outputTensors[name], this.outputs[name]);
    } else {
      await Promise.all(this.names.outputs.map((name) => context.readTensor(outputTensors[name], this.outputs[name])));
    }
  }

  destroy() {
    this.context.destroy();
  }
}
