/** Times of a saved result of `build.py bench`, which the template writes into the page. */

/** Times on one machine. */
export interface StoredTimes {
  /** Processor, browser and day. */
  readonly machine: string;
  /** Median milliseconds per run, by model and by the runtime's name in `build.py bench`. */
  readonly ms: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** `build.py bench` names our CPU runtimes by their wasm variant. */
const STORED_NAMES: Readonly<Record<string, string>> = {
  'tflite-webnn/cpu': 'tflite-webnn/relaxed-simd',
  'tflite-webnn/cpu-threads': 'tflite-webnn/relaxed-simd-threads',
};

/** The page's stored times; null if none are committed. */
export function storedTimes(): StoredTimes | null {
  const text = document.getElementById('stored-times')?.textContent;
  return text ? (JSON.parse(text) as StoredTimes) : null;
}

/** A runtime's stored median on a model; null if there is none, as for a visitor's own model. */
export function storedMs({ ms }: StoredTimes, model: string, runtime: string): number | null {
  return ms[model]?.[STORED_NAMES[runtime] ?? runtime] ?? null;
}
