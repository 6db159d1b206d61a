/** Lets the visitor choose what computes: the browser's WebNN, the polyfill of it, or the CPU without either. */

import type { TFLiteModelOptions, WebnnDelegateOptions } from 'tflite-webnn';
import { type Capabilities, type Capability, capabilities } from './capabilities.js';
import { byId, create } from './dom.js';

/** What computes, by the names of `build.py matrix`; `cpu` is XNNPACK. */
export type Execution = 'webnn' | 'polyfill-tflite' | 'polyfill-webgpu' | 'polyfill-webgl' | 'cpu';

/** What is known of an execution. */
interface Choice {
  readonly title: string;
  readonly note: string;
  /** Whose WebNN is used; undefined for none. */
  readonly polyfill?: WebnnDelegateOptions['polyfill'];
  /** What the browser must have; its detail is told. */
  readonly needs?: keyof Capabilities;
}

const CHOICES: Readonly<Record<Execution, Choice>> = {
  webnn: {
    title: 'WebNN',
    note: 'The browser’s own neural-network engine.',
    polyfill: 'never',
    needs: 'webnn',
  },
  'polyfill-tflite': {
    title: 'WebNN polyfill',
    note: 'The WebNN API in JavaScript and WebAssembly, on the CPU.',
    polyfill: 'tflite',
  },
  'polyfill-webgpu': {
    title: 'WebNN polyfill on WebGPU',
    note: 'TensorFlow.js computes.',
    polyfill: 'webgpu',
    needs: 'webgpu',
  },
  'polyfill-webgl': {
    title: 'WebNN polyfill on WebGL',
    note: 'TensorFlow.js computes.',
    polyfill: 'webgl',
    needs: 'webgl',
  },
  cpu: {
    title: 'CPU (XNNPACK)',
    note: 'TensorFlow Lite in WebAssembly, without WebNN.',
  },
};

/** The options with which the package loads a model for an execution. */
export function executionOptions(execution: Execution): TFLiteModelOptions {
  const { polyfill } = CHOICES[execution];
  if (polyfill === undefined) return { enableWebnnDelegate: false };
  return { enableWebnnDelegate: true, webnnDelegateOptions: { polyfill } };
}

/** Radio buttons; those that this browser cannot do are disabled and say why. */
export class ExecutionSwitch extends EventTarget {
  readonly #inputs = new Map<Execution, HTMLInputElement>();

  private constructor(found: Capabilities) {
    super();
    const choices = (Object.keys(CHOICES) as Execution[]).map((execution) => this.#choice(execution, found));
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

  #choice(execution: Execution, found: Capabilities): HTMLElement {
    const { title, note, needs } = CHOICES[execution];
    const needed = needs === undefined ? null : found[needs];
    const id = `execution-${execution}`;
    const input = create('input', {
      type: 'radio',
      name: 'execution',
      id,
      value: execution,
      disabled: needed?.there === false,
      'aria-describedby': `${id}-note`,
    });
    input.addEventListener('change', () => this.dispatchEvent(new Event('change')));
    this.#inputs.set(execution, input);
    return create(
      'div',
      { class: 'choice' },
      input,
      create('label', { for: id, text: title }),
      create('span', { class: 'note', id: `${id}-note`, text: noteText(note, needed) }),
    );
  }
}

function noteText(note: string, needed: Capability | null): string {
  if (needed?.there === false) return `Not in this browser: ${needed.detail}.`;
  if (needed?.isSoftware) return `${note} Software stands in for the GPU here: expect it to be slow.`;
  return needed?.detail ? `${note} The GPU is ${needed.detail}.` : note;
}
