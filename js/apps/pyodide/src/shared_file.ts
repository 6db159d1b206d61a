/** The model's file, shared with models prepared next to the interpreter's own. */

import { HeapFile, type ModelFile } from 'tflite-webnn/wasm/wasm_memory';

/** In the interpreter's heap, which outlives it: nobody needs a copy. */
export class SharedFile extends HeapFile {
  override takeInstance(): null {
    return null;
  }

  override compact(): ModelFile {
    return this;
  }
}
