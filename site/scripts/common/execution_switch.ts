/** Lets the visitor choose what computes: the browser's WebNN, the polyfill of it, or the CPU without either. */

import type { TFLiteModelOptions } from 'tflite-webnn';
import { type Capabilities, capabilities } from './capabilities.js';
import { byId, create } from './dom.js';

/** What computes. */
export type Execution = 'webnn' | 'polyfill' | 'cpu';

/** What each is called. */
export const EXECUTION_TITLES: Readonly<Record<Execution, string>> = {
  webnn: 'WebNN',
  polyfill: 'WebNN polyfill',
  cpu: 'CPU (XNNPACK)',
};

const NOTES: Readonly<Record<Execution, string>> = {
  webnn: 'The browser’s own neural-network engine.',
  polyfill: 'The WebNN API in JavaScript and WebAssembly, on the CPU.',
  cpu: 'TensorFlow Lite in WebAssembly, without WebNN.',
};

/** The options with which the package loads a model for an execution. */
export function executionOptions(execution: Execution): TFLiteModelOptions {
  if (execution === 'cpu') return { enableWebnnDelegate: false };
  return {
    enableWebnnDelegate: true,
    webnnDelegateOptions: { polyfill: execution === 'polyfill' ? 'tflite' : 'never' },
  };
}

/** Radio buttons; those that this browser cannot do are disabled and say why. */
export class ExecutionSwitch extends EventTarget {
  readonly #inputs = new Map<Execution, HTMLInputElement>();

  private constructor(found: Capabilities) {
    super();
    const choices = (Object.keys(EXECUTION_TITLES) as Execution[]).map((execution) => this.#choice(execution, found));
    this.element = create(
      'fieldset',
      { class: 'execution-switch' },
      create('legend', { text: 'Compute on' }),
      create('div', { class: 'choices' }, ...choices),
    );
    this.value = found.webnn.there ? 'webnn' : 'cpu';
  }

  /** The fieldset. */
  readonly element: HTMLFieldSetElement;

  /**
   * Makes the switch in place of the element `id` of the template; the fastest that is there is chosen.
   * `change` is dispatched when the visitor chooses another.
   */
  static async replace(id: string): Promise<ExecutionSwitch> {
    const made = new ExecutionSwitch(await capabilities());
    made.element.id = id;
    byId(id, HTMLElement).replaceWith(made.element);
    return made;
  }

  /** What is chosen. */
  get value(): Execution {
    for (const [execution, input] of this.#inputs) if (input.checked) return execution;
    return 'cpu';
  }

  set value(execution: Execution) {
    const input = this.#inputs.get(execution);
    if (input && !input.disabled) input.checked = true;
  }

  /** While a model loads, nothing is to be chosen. */
  set disabled(disabled: boolean) {
    this.element.disabled = disabled;
  }

  #choice(execution: Execution, { webnn }: Capabilities): HTMLElement {
    const there = execution !== 'webnn' || webnn.there;
    const id = `execution-${execution}`;
    const input = create('input', {
      type: 'radio',
      name: 'execution',
      id,
      value: execution,
      disabled: !there,
      'aria-describedby': `${id}-note`,
    });
    input.addEventListener('change', () => this.dispatchEvent(new Event('change')));
    this.#inputs.set(execution, input);
    const note = there ? NOTES[execution] : `Not in this browser: ${webnn.detail}.`;
    return create(
      'div',
      { class: 'choice' },
      input,
      create('label', { for: id, text: EXECUTION_TITLES[execution] }),
      create('span', { class: 'note', id: `${id}-note`, text: note }),
    );
  }
}
