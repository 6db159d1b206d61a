/** What loading begins with: the downloads. They do not wait for the script that goes on with them. */

import { requestModel } from './model_request.js';
import type { ModelSource } from './model_source.js';
import type { TFLiteModelOptions } from './options.js';
import { type CompilingModule, compileFor } from './wasm_module.js';

/** What has begun. Whoever waits for a part of it hears of its failure. */
export interface HeadStart {
  readonly module: CompilingModule;
  /** The server's answer to the request for the model; null where nothing is requested. */
  readonly answer: Promise<Response> | null;
}

/** Begins to load a model. */
export function headStart(source: ModelSource, options: TFLiteModelOptions): HeadStart {
  return { module: compileFor(options), answer: requestModel(source, options.signal) };
}
