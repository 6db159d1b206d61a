/** ML, the class of `navigator.ml`, and the interface objects of WebNN, for pages. */

import type { Engine, EngineContext } from '../engine.js';
import { INTERFACES } from '../generated/webnn_idl.js';
import type { MLContextOptions } from '../generated/webnn_types.js';
import { exception } from '../webidl/conversions.js';
import { defineInterface } from '../webidl/interfaces.js';
import { Context, Graph, Tensor } from './context.js';
import { GraphBuilder } from './graph_builder.js';
import { Operand } from './recording.js';

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

/** The interface objects by their global names. */
export const INTERFACE_OBJECTS = {
  ML: defineInterface(INTERFACES.ML, ML),
  MLContext: defineInterface(INTERFACES.MLContext, Context),
  MLGraph: defineInterface(INTERFACES.MLGraph, Graph),
  MLOperand: defineInterface(INTERFACES.MLOperand, Operand),
  MLTensor: defineInterface(INTERFACES.MLTensor, Tensor),
  MLGraphBuilder: defineInterface(INTERFACES.MLGraphBuilder, GraphBuilder),
};
