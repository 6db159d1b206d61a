/** Models on WebNN for a synchronous client: TFLite's Invoke() waits for a helper worker. */

import { BlockingHelper, type HelperContext, whyCannotBlock } from 'tflite-webnn/blocking/blocking_helper';
import { WebnnHost } from 'tflite-webnn/blocking/webnn_host';
import { messageOf } from 'tflite-webnn/errors';
import { onWebnn, runnerOptions } from 'tflite-webnn/model/runner_options';
import { whyNothing } from 'tflite-webnn/model/schedule';
import type { WasmInstance } from 'tflite-webnn/wasm/wasm_module';
import { WasmRunner } from 'tflite-webnn/wasm/wasm_runner';
import { excludeAndRetry, isWebnnFailure } from 'tflite-webnn/webnn/excluded_nodes';
import type { TFLiteWebModelRunnerOptions } from './options.js';

/** A model that uses WebNN. */
export interface BlockingModel {
  readonly runner: WasmRunner;
  /** To destroy with the model. */
  readonly context: HelperContext;
}

/** Creates models in one wasm instance, each on its own context. */
export class BlockingModels {
  readonly #helper: BlockingHelper | null;
  /** Why there is no helper; null if there is one. */
  readonly #reason: string | null;
  readonly #host = new WebnnHost();

  private constructor(helper: BlockingHelper | null, reason: string | null) {
    this.#helper = helper;
    this.#reason = reason;
  }

  /**
   * Starts the helper worker if it may be useful, because a later synchronous call cannot wait for it. Never rejects.
   *
   * @param url - Address of webnn_helper.mjs.
   */
  static async open(url: URL): Promise<BlockingModels> {
    if (((globalThis as { navigator?: { ml?: unknown } }).navigator?.ml ?? null) === null) {
      return new BlockingModels(null, 'this browser has no WebNN: navigator.ml is missing');
    }
    const reason = whyCannotBlock();
    if (reason !== null) return new BlockingModels(null, reason);
    return BlockingHelper.start(url).then(
      (helper) => new BlockingModels(helper, null),
      (error: unknown) => new BlockingModels(null, messageOf(error)),
    );
  }

  /**
   * Creates a model with its supported nodes on WebNN.
   *
   * @param isAgain - Whether the model has just lost WebNN.
   * @returns the model, or why WebNN gets no node.
   * @throws if the model fails on the CPU, too.
   */
  create(
    instance: WasmInstance,
    bytes: Uint8Array,
    options: TFLiteWebModelRunnerOptions,
    isAgain: boolean,
  ): BlockingModel | string {
    if (this.#helper === null) return this.#reason as string;
    const context = this.#helper.open(options.webnnDelegateOptions ?? {}, isAgain);
    if (typeof context === 'string') return context;
    this.#host.attach(instance.bindings);
    this.#host.add(context);
    try {
      const runner = runnerOn(context, instance, bytes, options);
      const { description } = runner;
      if (description.graphs.length > 0) return { runner, context };
      runner.delete();
      context.destroy();
      return whyNothing(description);
    } catch (error) {
      context.destroy();
      if (!isWebnnFailure(error)) throw error;
      return messageOf(error);
    }
  }
}

function runnerOn(
  context: HelperContext,
  instance: WasmInstance,
  bytes: Uint8Array,
  options: TFLiteWebModelRunnerOptions,
): WasmRunner {
  const onCpu = runnerOptions(options);
  return excludeAndRetry((excludedNodes) => {
    const requested = onWebnn(onCpu, context, excludedNodes);
    return new WasmRunner(instance, bytes, { ...requested, webnn_host_context: context.number });
  });
}
