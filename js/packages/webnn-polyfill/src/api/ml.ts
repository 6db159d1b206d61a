/** ML, the class of `navigator.ml`. */

import type { Engine, EngineContext } from '../engine.js';
import { exception } from '../errors.js';
import type { MLContextOptions } from '../generated/webnn_types.js';
import { Context } from './context.js';

/** Converted options; the IDL has dropped `deviceType`, but pages and browsers still use it. */
type Options = Required<MLContextOptions> & { readonly deviceType?: 'cpu' | 'gpu' | 'npu' };

/** Opens contexts of one engine. */
export class ML {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async createContext(options: Options | GPUDevice): Promise<Context> {
    try {
      return new Context(await this.#open(options));
    } catch (error) {
      throw exception('NotSupportedError', `The ${this.#engine.name} engine creates no context`, error);
    }
  }

  async #open(options: Options | GPUDevice): Promise<EngineContext> {
    if ('powerPreference' in options) {
      const { deviceType, powerPreference, accelerated } = options;
      return await this.#engine.open({ powerPreference, accelerated: accelerated && deviceType !== 'cpu' });
    }
    if (this.#engine.openOnDevice === undefined) throw new Error('it does not compute on a GPUDevice');
    return await this.#engine.openOnDevice(options);
  }
}
