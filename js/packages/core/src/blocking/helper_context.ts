/** An MLContext that lives in the helper worker. It has only what blocking mode needs. */

import { ContextLosses } from '../webnn/context_losses.js';
import type { GpuFault } from '../webnn/gpu_fault.js';
import type { MLOpSupportLimits } from '../webnn_types.js';
import type { ContextWish, HelperAnswer, HelperRequest } from './helper_protocol.js';

/** What a context and its graphs ask of their helper, see BlockingHelper. */
export interface HelperLine {
  number(): number;
  ask(request: HelperRequest, moved?: ArrayBuffer[]): HelperAnswer;
  askToOpen(context: number, wish: ContextWish, isAgain: boolean): HelperAnswer;
  post(request: HelperRequest & { readonly kind: 'release' | 'close' }): void;
  remember(faults: readonly GpuFault[]): void;
}

/** A context of a helper. */
export class HelperContext {
  readonly losses = new ContextLosses();
  /** Why there is no context any more; null while there is one. */
  failure: string | null = null;
  /** Hears once that the context was destroyed. */
  onDestroyed: () => void = () => {};
  readonly lost = undefined;
  /** How often it was replaced. What was built before is gone. */
  #generation = 0;
  #isDestroyed = false;

  constructor(
    readonly helper: HelperLine,
    /** The number by which helper and wasm know it. */
    readonly number: number,
    private readonly wish: ContextWish,
    readonly limits: MLOpSupportLimits,
    readonly backend: string | null,
  ) {}

  get generation(): number {
    return this.#generation;
  }

  /**
   * Replaces a lost context. If that fails, `failure` says why.
   *
   * @param isSuspect - Whether it was lost while a graph was built or run for the first time.
   */
  replace(reason: string, isSuspect = false): void {
    this.losses.add(reason, isSuspect && this.backend === null); // the browser computes, not the polyfill
    if (this.losses.tooMany) {
      this.failure = this.losses.text;
      return;
    }
    this.#generation++;
    const answer = this.helper.askToOpen(this.number, this.wish, true);
    if (answer.kind === 'open') return;
    this.failure = `${this.losses.text} and gave no other: ${'reason' in answer ? answer.reason : answer.kind}`;
  }

  /** Destroys the context with all of its graphs. */
  destroy(): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    this.helper.post({ kind: 'close', context: this.number });
    this.onDestroyed();
  }
}
