/** The WebNN of a running program in wasm; wasm/programs/program_webnn.cc calls it. */

import type { WebnnDelegateOptions } from 'tflite-webnn';
import type { BlockingHelper, HelperContext } from 'tflite-webnn/blocking/blocking_helper';
import { WebnnHost } from 'tflite-webnn/blocking/webnn_host';
import { messageOf } from 'tflite-webnn/errors';
import { BROWSER_BUGS } from 'tflite-webnn/generated/browser_bugs';
import { DELEGATE_OPTIONS } from 'tflite-webnn/generated/delegate_options';
import { opSupportLimitsText, workaroundsFor } from 'tflite-webnn/webnn/delegate_context';

// In the order of TfLiteWebnnDelegateOptions.
const { choices: DEVICES } = DELEGATE_OPTIONS.devicePreference;
const { choices: POWERS } = DELEGATE_OPTIONS.powerPreference;

/** Opens contexts on demand; errors go to the program's standard error. */
export class ProgramHost extends WebnnHost {
  /** Number of computed graphs. */
  dispatchCount = 0;
  readonly #contexts = new Map<string, HelperContext>();

  constructor(
    private readonly helper: BlockingHelper,
    private readonly polyfill: NonNullable<WebnnDelegateOptions['polyfill']>,
    private readonly printError: (line: string) => void,
  ) {
    super();
  }

  /** @returns the context's number, 0 on failure. One per pair of preferences. */
  open(device: number, power: number): number {
    const devicePreference = DEVICES[device];
    const powerPreference = POWERS[power];
    if (devicePreference === undefined || powerPreference === undefined) {
      return this.#reject(`there is no device preference ${device} with power preference ${power}`);
    }
    const request = { devicePreference, powerPreference, polyfill: this.polyfill };
    const key = JSON.stringify(request);
    const context = this.#contexts.get(key) ?? this.helper.open(request);
    if (typeof context === 'string') return this.#reject(context);
    if (!this.#contexts.has(key)) this.add(context);
    this.#contexts.set(key, context);
    return context.number;
  }

  /** A context's limits, in the delegate's format. */
  limitsText(number: number): string {
    const context = this.#context(number);
    return context === undefined ? '' : opSupportLimitsText(context.limits);
  }

  /** The ids of the bugs to work around, in the delegate's format. */
  workarounds(number: number): string {
    const context = this.#context(number);
    return context === undefined ? '' : workaroundsFor(context.backend, BROWSER_BUGS);
  }

  override build(context: number, graphJson: string): number {
    const graph = super.build(context, graphJson);
    if (graph === 0) this.#printFailure();
    return graph;
  }

  override dispatch(number: number, inputs: number, outputs: number): number {
    this.dispatchCount++;
    const status = super.dispatch(number, inputs, outputs);
    if (status !== 0) this.#printFailure();
    return status;
  }

  #context(number: number): HelperContext | undefined {
    return [...this.#contexts.values()].find((candidate) => candidate.number === number);
  }

  #reject(reason: string): number {
    this.printError(`WebNN: ${reason}`);
    return 0;
  }

  #printFailure(): void {
    this.printError(`WebNN: ${messageOf(this.takeFailure())}`);
  }
}
