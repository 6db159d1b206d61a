/** Whose WebNN the model is explained for: this browser's, or one whose limits were saved. */

import type { MLOpSupportLimits } from 'tflite-webnn';
import { asset, assets } from '../common/assets.js';
import { byId, create } from '../common/dom.js';

/** The parts of WebNN that are asked; TypeScript's DOM library has none. */
interface NavigatorWithMl {
  readonly ml?: { createContext(): Promise<{ opSupportLimits(): MLOpSupportLimits; destroy?(): void }> };
}

const HERE = 'here';

/** The `<select id="limits">` of the template. */
export class LimitsChoice {
  readonly #select = byId('limits', HTMLSelectElement);
  #own: MLOpSupportLimits | null = null;

  /** Offers this browser's limits, where it has WebNN, and the saved ones of the page. */
  static async make(onChange: () => void): Promise<LimitsChoice> {
    const choice = new LimitsChoice();
    choice.#own = await limitsHere();
    if (choice.#own !== null) choice.#offer(HERE, 'this browser');
    for (const name of Object.keys(assets('files'))) choice.#offer(name, `${name} (saved)`);
    choice.#select.addEventListener('change', onChange);
    return choice;
  }

  /** What is chosen, in words. */
  get title(): string {
    return this.#select.selectedOptions[0]?.text ?? '';
  }

  /** What is chosen. */
  async limits(): Promise<MLOpSupportLimits> {
    const { value } = this.#select;
    if (value === HERE && this.#own !== null) return this.#own;
    const response = await fetch(asset('files', value).url);
    if (!response.ok) throw new Error(`The saved limits cannot be had: the server answers ${response.status}.`);
    return ((await response.json()) as { opSupportLimits: MLOpSupportLimits }).opSupportLimits;
  }

  #offer(value: string, text: string): void {
    this.#select.append(create('option', { value, text }));
  }
}

async function limitsHere(): Promise<MLOpSupportLimits | null> {
  try {
    const context = await (navigator as NavigatorWithMl).ml?.createContext();
    const limits = context?.opSupportLimits() ?? null;
    context?.destroy?.();
    return limits;
  } catch {
    return null; // a browser that promises WebNN and has none
  }
}
