/** Selects the execution: the browser's WebNN, the WebNN polyfill, or the CPU without WebNN. */

import type { TFLiteModelOptions, WebnnDelegateOptions } from 'tflite-webnn';
import { capability, type Feature } from './capabilities.js';
import type { Capability } from './capability.js';
import { byId, create } from './dom.js';

/** Executions as tools/matrix/axes.py names them; `cpu` is XNNPACK. */
export type Execution = 'webnn' | 'polyfill-tflite' | 'polyfill-webgpu' | 'polyfill-webgl' | 'cpu';

/** Description of an execution. */
interface Choice {
  readonly title: string;
  readonly note: string;
  /** The polyfill option; undefined for no WebNN. */
  readonly polyfill?: WebnnDelegateOptions['polyfill'];
  /** The feature that the browser must have; the note shows its detail. */
  readonly needs?: Feature;
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

/** Returns the package's options for loading a model with an execution. */
export function executionOptions(execution: Execution): TFLiteModelOptions {
  const { polyfill } = CHOICES[execution];
  if (polyfill === undefined) return { enableWebnnDelegate: false };
  return { enableWebnnDelegate: true, webnnDelegateOptions: { polyfill, ignorePartitionCost: true } };
}

/** Radio buttons; unsupported executions are disabled and give the reason. */
export class ExecutionSwitch extends EventTarget {
  readonly #inputs = new Map<Execution, HTMLInputElement>();

  private constructor(offered: ReadonlyMap<Execution, Capability | null>) {
    super();
    const choices = Array.from(offered, ([execution, needed]) => this.#choice(execution, needed));
    this.element = create(
      'fieldset',
      { class: 'execution-switch' },
      create('legend', { text: 'Compute on' }),
      create('div', { class: 'choices' }, ...choices),
    );
    this.value = 'cpu';
    this.value = 'webnn';
  }

  /** The fieldset. */
  readonly element: HTMLFieldSetElement;

  /**
   * Replaces the element `id` of the template with a switch. WebNN is preselected if the browser has it.
   * Dispatches `change` when the visitor selects another execution.
   *
   * @param offered - The choices. Default: all.
   */
  static async replace(
    id: string,
    offered: readonly Execution[] = Object.keys(CHOICES) as Execution[],
  ): Promise<ExecutionSwitch> {
    const found = await Promise.all(offered.map(async (execution) => [execution, await neededFor(execution)] as const));
    const created = new ExecutionSwitch(new Map(found));
    created.element.id = id;
    byId(id, HTMLElement).replaceWith(created.element);
    return created;
  }

  /** The selected execution. */
  get value(): Execution {
    for (const [execution, input] of this.#inputs) if (input.checked) return execution;
    return 'cpu';
  }

  set value(execution: Execution) {
    const input = this.#inputs.get(execution);
    if (input && !input.disabled) input.checked = true;
  }

  /** Disables the switch while a model loads. */
  set disabled(disabled: boolean) {
    this.element.disabled = disabled;
  }

  #choice(execution: Execution, needed: Capability | null): HTMLElement {
    const { title, note } = CHOICES[execution];
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

/** The feature that an execution needs; null if it needs none. */
async function neededFor(execution: Execution): Promise<Capability | null> {
  const { needs } = CHOICES[execution];
  return needs === undefined ? null : capability(needs);
}

function noteText(note: string, needed: Capability | null): string {
  if (needed?.there === false) return `Not available in this browser: ${needed.detail}.`;
  if (needed?.isSoftware) return `${note} This browser emulates the GPU in software: expect it to be slow.`;
  return needed?.detail ? `${note} The GPU is ${needed.detail}.` : note;
}
