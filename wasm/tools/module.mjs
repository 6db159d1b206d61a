// The compiled module in Node, without a browser. Shared by the tools in this directory.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const MAIN_SUBGRAPH = 0;

/** Returns a function that makes fresh instances of a module. */
export async function moduleFactory(modulePath) {
  const { default: createModule } = await import(pathToFileURL(modulePath).href);
  // Emscripten by itself would compile for each instance.
  const compiled = new WebAssembly.Module(readFileSync(modulePath.replace(/\.mjs$/, '.wasm')));
  const instantiateWasm = (imports, done) => done(new WebAssembly.Instance(compiled, imports), compiled);
  return (settings = {}) => createModule({ ...settings, instantiateWasm });
}

/** Returns whether bytes lie in the heap and, in the sanitizer's module, are all allocated. */
export function isReadable(module, address, sizeBytes) {
  if (sizeBytes === 0) return true;
  if (address === 0 || address + sizeBytes > module.HEAPU8.length) return false;
  return !module.___asan_region_is_poisoned || module.___asan_region_is_poisoned(address, sizeBytes) === 0;
}

/** A runner of wasm/runtime/module/bindings.cc. A call that fails throws a RunnerError. */
export class Runner {
  #module;
  #runner;

  constructor(module) {
    this.#module = module;
    this.#runner = module._tflite_runner_create();
  }

  setOption(key, value) {
    const [keyText, valueText] = [this.#text(key), this.#text(value)];
    this.#check(this.#module._tflite_runner_set_option(this.#runner, keyText, valueText));
    this.#module._free(keyText);
    this.#module._free(valueText);
  }

  init(model) {
    const address = this.#module._malloc(Math.max(model.length, 1));
    this.#module.HEAPU8.set(model, address);
    this.#check(this.#module._tflite_runner_init(this.#runner, address, model.length));
  }

  /** The description as unparsed JSON. */
  description() {
    const text = this.#module.UTF8ToString(this.#module._tflite_runner_description(this.#runner));
    this.#check(text === '' ? 1 : 0);
    return text;
  }

  /** Where the content of a graph's constant lies, until the next call. */
  constant({ address, byteLength }) {
    return this.#module._tflite_runner_constant(this.#runner, address, byteLength) >>> 0;
  }

  sizeBytes(tensor) {
    return this.#module._tflite_runner_tensor_size_bytes(this.#runner, tensor, MAIN_SUBGRAPH);
  }

  /** Whether a tensor has no memory before the model runs, since only then its shape is known. */
  isDynamic(tensor) {
    return this.#module._tflite_runner_tensor_data(this.#runner, tensor, MAIN_SUBGRAPH) === 0;
  }

  /** Fills a tensor with a byte; false if it has no memory. */
  fill(tensor, byte) {
    const address = this.#module._tflite_runner_tensor_data(this.#runner, tensor, MAIN_SUBGRAPH);
    const sizeBytes = this.sizeBytes(tensor);
    if (address !== 0) this.#module.HEAPU8.fill(byte, address, address + sizeBytes);
    return address !== 0 || sizeBytes === 0;
  }

  /** Resizes the inputs to other shapes, one for each; the runner has the option defer_allocation. */
  resize(inputs, shapes) {
    inputs.forEach(({ index }, position) => {
      const text = this.#text(shapes[position].join());
      this.#check(this.#module._tflite_runner_resize_input(this.#runner, index, MAIN_SUBGRAPH, text, 0));
      this.#module._free(text);
    });
  }

  allocate() {
    this.#check(this.#module._tflite_runner_allocate_subgraph(this.#runner, MAIN_SUBGRAPH));
  }

  write(tensor, bytes) {
    if (bytes.length !== this.sizeBytes(tensor)) throw new Error(`input ${tensor} has ${this.sizeBytes(tensor)} bytes`);
    this.#module.HEAPU8.set(bytes, this.#module._tflite_runner_tensor_data(this.#runner, tensor, MAIN_SUBGRAPH));
  }

  /** A tensor's shape, and its bytes as base64, which must all be allocated. */
  read(tensor) {
    const address = this.#module._tflite_runner_tensor_data(this.#runner, tensor, MAIN_SUBGRAPH);
    const sizeBytes = this.sizeBytes(tensor);
    if (!isReadable(this.#module, address, sizeBytes)) throw new Error(`tensor ${tensor} ends outside of its memory`);
    const shape = this.#module.UTF8ToString(
      this.#module._tflite_runner_tensor_shape(this.#runner, tensor, MAIN_SUBGRAPH),
    );
    const data = Buffer.from(this.#module.HEAPU8.subarray(address, address + sizeBytes)).toString('base64');
    return { shape: JSON.parse(shape), data };
  }

  invoke() {
    this.#check(this.#module._tflite_runner_invoke(this.#runner));
  }

  invokeSteps(first, count) {
    this.#check(this.#module._tflite_runner_invoke_steps(this.#runner, first, count));
  }

  delete() {
    this.#module._tflite_runner_delete(this.#runner);
  }

  #text(text) {
    const sizeBytes = this.#module.lengthBytesUTF8(text) + 1;
    const address = this.#module._malloc(sizeBytes);
    this.#module.stringToUTF8(text, address, sizeBytes);
    return address;
  }

  #check(status) {
    if (status !== 0) throw new RunnerError(this.#module.UTF8ToString(this.#module._tflite_runner_error(this.#runner)));
  }
}

/** An error of the runner; `json` is the text of tflite_runner_error. */
export class RunnerError extends Error {
  constructor(json) {
    super(json);
    this.json = json;
  }
}
