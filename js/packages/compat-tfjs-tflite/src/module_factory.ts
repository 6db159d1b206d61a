/** Sets the global by which the unmodified `@tensorflow/tfjs-tflite` starts its wasm module, to start this one. */

import { openWasmModule } from 'tflite-webnn/wasm/wasm_module';
import { chooseVariant, getWasmFeatures } from 'tflite-webnn/wasm/wasm_variants';
import createModule from 'wasm-module/tflite_webnn.mjs';
import { BlockingModels } from './blocking_models.js';
import { WebApiModule } from './web_api_module.js';

/** What the client passes to the factory. */
interface ModuleArguments {
  /** Returns a file's address for its name and the directory of this script. */
  locateFile?(name: string, directory: string): string;
}

const WASM_FILE = 'tflite_web_api_cc_simd.wasm';
const HELPER_FILE = 'webnn_helper.mjs';
const SCRIPT = new URL(import.meta.url);

async function moduleFactory({ locateFile }: ModuleArguments = {}): Promise<WebApiModule> {
  chooseVariant('simd', await getWasmFeatures()); // throws if the browser has no SIMD
  const directory = new URL('./', SCRIPT).href;
  const module = await openWasmModule('simd', {
    wasm: new URL(locateFile?.(WASM_FILE, directory) ?? WASM_FILE, directory),
    glue: SCRIPT,
    importGlue: async () => ({ default: createModule }), // it is part of this script
  });
  const helper = new URL(locateFile?.(HELPER_FILE, directory) ?? HELPER_FILE, directory);
  return new WebApiModule(await module.instantiate(), await BlockingModels.open(helper));
}

Object.assign(globalThis, { tflite_web_api_ModuleFactory: moduleFactory });
