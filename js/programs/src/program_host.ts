/** The WebNN of a program in wasm, as wasm/programs/program_webnn.cc asks for it while the program runs. */

import {
  type BlockingHelper,
  DELEGATE_OPTIONS,
  type HelperContext,
  messageOf,
  opSupportLimitsText,
  type WebnnDelegateOptions,
  WebnnHost,
} from '../../runtime/src/internals.js';

// TfLiteWebnnDelegateOptions numbers them in this order.
const { choices: DEVICES } = DELEGATE_OPTIONS.devicePreference;
const { choices: POWERS } = DELEGATE_OPTIONS.powerPreference;

/** Contexts are opened when the program asks for them; it is told on its standard error what went wrong. */
export class ProgramHost extends WebnnHost {
  /** How many graphs were computed so far. */
  dispatchCount = 0;
  readonly #contexts = new Map<string, HelperContext>();

  constructor(
    private readonly helper: BlockingHelper,
    private readonly polyfill: NonNullable<WebnnDelegateOptions['polyfill']>,
    private readonly printError: (line: string) => void,
  ) {
    super();
  }

  /** @returns the context's number, 0 where there is none. One for each pair of preferences. */
  open(device: number, power: number): number {
    const devicePreference = DEVICES[device];
    const powerPreference = POWERS[power];
    if (devicePreference === undefined || powerPreference === undefined) {
      return this.#refuse(`there is no device preference ${device} with power preference ${power}`);
    }
    const wish = { devicePreference, powerPreference, polyfill: this.polyfill };
    const key = JSON.stringify(wish);
    const context = this.#contexts.get(key) ?? this.helper.open(wish);
    if (typeof context === 'string') return this.#refuse(context);
    if (!this.#contexts.has(key)) this.add(context);
    this.#contexts.set(key, context);
    return context.number;
  }

  /** What the delegate reads of a context's limits. */
  limitsText(number: number): string {
    const context = [...this.#contexts.values()].find((candidate) => candidate.number === number);
    return context === undefined ? '' : opSupportLimitsText(context.limits);
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

  #refuse(reason: string): number {
    this.printError(`WebNN: ${reason}`);
    return 0;
  }

  #printFailure(): void {
    this.printError(`WebNN: ${messageOf(this.takeFailure())}`);
  }
}
