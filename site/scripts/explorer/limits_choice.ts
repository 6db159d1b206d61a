/** Selects the WebNN limits: this browser's or saved ones. */

import type { MLOpSupportLimits } from 'tflite-webnn';
import { asset } from '../common/assets.js';
import { byId, create } from '../common/dom.js';

/** The parts of WebNN used here; TypeScript's DOM library has none. */
interface NavigatorWithMl {
  readonly ml?: { createContext(): Promise<{ opSupportLimits(): MLOpSupportLimits; destroy?(): void }> };
}

const HERE = 'here';

/** The `<select id="limits">` of the template. */
export class LimitsChoice {
  readonly #select = byId('limits', HTMLSelectElement);
  #own: MLOpSupportLimits | null = null;

  /** Offers this browser's limits, if it has WebNN, besides the saved ones of the template. */
  static async create(onChange: () => void): Promise<LimitsChoice> {
    const choice = new LimitsChoice();
    choice.#own = await limitsHere();
    if (choice.#own !== null) {
      choice.#select.prepend(create('option', { value: HERE, text: 'this browser' }));
      choice.#select.value = HERE;
    }
    choice.#select.addEventListener('change', onChange);
    return choice;
  }

  /** Name of the selected limits. */
  get title(): string {
    return this.#select.selectedOptions[0]?.text ?? '';
  }

  /** The selected limits. */
  async limits(): Promise<MLOpSupportLimits> {
    const { value } = this.#select;
    if (value === HERE && this.#own !== null) return this.#own;
    const response = await fetch(asset('files', value).url);
    if (!response.ok)
      throw new Error(`The saved limits could not be fetched: the server responded with ${response.status}.`);
    return ((await response.json()) as { opSupportLimits: MLOpSupportLimits }).opSupportLimits;
  }
}

async function limitsHere(): Promise<MLOpSupportLimits | null> {
  try {
    const context = await (navigator as NavigatorWithMl).ml?.createContext();
    const limits = context?.opSupportLimits() ?? null;
    context?.destroy?.();
    return limits;
  } catch {
    return null; // navigator.ml exists, but WebNN does not work
  }
}
