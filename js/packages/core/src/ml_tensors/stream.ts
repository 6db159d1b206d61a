/** Inferences in a row, several of them in flight at the same time, with results in order. */

import { orAbort } from '../support/tasks.js';
import type { ModelInputs } from '../tensors/inputs_outputs.js';
import type { ResultsOf } from '../tensors/results.js';

/** Inputs of a stream, one model input (or all of a model's inputs) after the other. */
export type StreamSource<Inputs extends ModelInputs = ModelInputs> = AsyncIterable<Inputs> | Iterable<Inputs>;

/** What a stream runs on. */
export interface Pipeline {
  /** How many inferences may be in flight now; it may change while a stream runs. */
  readonly limit: number;
  /** Starts one inference. Never throws synchronously: whatever fails is the inference's rejection. */
  start<Inputs extends ModelInputs>(inputs: Inputs): Promise<ResultsOf<Inputs>>;
  /** Frees everything, after what is in flight. */
  close(): void;
}

/** One inference at a time, by ordinary runs. */
export function oneByOne(start: Pipeline['start']): Pipeline {
  return { limit: 1, start, close: () => undefined };
}

type Step<Inputs extends ModelInputs> =
  | { readonly result: ResultsOf<Inputs> }
  | { readonly item: IteratorResult<Inputs> };

/**
 * Runs all items of a source and yields their results in order.
 *
 * Items are taken from the source only while there is space, so a slow consumer slows the source down. A result that is
 * there is not held back by a source that has nothing new yet. An error, the source's or an inference's, comes after
 * the results before it, and ends the stream. However the stream ends, the source is closed and the pipeline freed.
 * The signal's abort is such an error, but comes immediately.
 */
export function runThrough<Inputs extends ModelInputs>(
  source: StreamSource<Inputs>,
  pipeline: Pipeline,
  signal?: AbortSignal,
): AsyncGenerator<ResultsOf<Inputs>, void, undefined> {
  const results = inferences(source, pipeline, signal);
  // Up to the first yield: return() before that would skip `finally`, and free nothing.
  void results.next();
  return results;
}

async function* inferences<Inputs extends ModelInputs>(
  source: StreamSource<Inputs>,
  pipeline: Pipeline,
  signal: AbortSignal | undefined,
): AsyncGenerator<ResultsOf<Inputs>, void, undefined> {
  let items: ItemSource<Inputs> | null = null;
  const inFlight: Promise<ResultsOf<Inputs>>[] = [];
  try {
    yield undefined as never;
    items = new ItemSource(source);
    while (!items.ended || inFlight.length > 0) {
      const waiting: Promise<Step<Inputs>>[] = [];
      if (inFlight[0] !== undefined) waiting.push(inFlight[0].then((result) => ({ result })));
      if (!items.ended && inFlight.length < pipeline.limit) waiting.push(items.next().then((item) => ({ item })));
      const step = await orAbort(Promise.race(waiting), signal);
      if ('item' in step) {
        if (items.take(step.item)) inFlight.push(start(pipeline, step.item.value as Inputs, signal));
      } else {
        inFlight.shift();
        yield step.result;
      }
    }
    items.throwFailure();
  } finally {
    await items?.close();
    await Promise.allSettled(inFlight);
    pipeline.close();
  }
}

/** An inference behind the first may fail long before its turn: that is no unhandled rejection. */
function start<Inputs extends ModelInputs>(
  pipeline: Pipeline,
  inputs: Inputs,
  signal: AbortSignal | undefined,
): Promise<ResultsOf<Inputs>> {
  const inference = orAbort(pipeline.start(inputs), signal);
  inference.catch(() => undefined);
  return inference;
}

const END = { done: true, value: undefined } as const;

/** The items of a source: one request at a time, and a failure kept for its turn. */
class ItemSource<Inputs extends ModelInputs> {
  ended = false;
  #iterator: AsyncIterator<Inputs> | Iterator<Inputs>;
  #asked: Promise<IteratorResult<Inputs>> | null = null;
  #failure: { readonly error: unknown } | null = null;

  constructor(source: StreamSource<Inputs>) {
    this.#iterator = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
  }

  /** The item that was asked for and not taken yet, else another one. */
  next(): Promise<IteratorResult<Inputs>> {
    this.#asked ??= this.#ask();
    return this.#asked;
  }

  /** @returns whether there is an item. */
  take({ done }: IteratorResult<Inputs>): boolean {
    this.#asked = null;
    this.ended = done === true;
    return !this.ended;
  }

  throwFailure(): void {
    if (this.#failure !== null) throw this.#failure.error;
  }

  /** Closes the source, without waiting for an item that it is still making. */
  async close(): Promise<void> {
    if (this.ended) return;
    const isBusy = this.#asked !== null;
    this.ended = true;
    const closing = (async () => this.#iterator.return?.())();
    if (isBusy) closing.catch(() => undefined);
    else await closing;
  }

  async #ask(): Promise<IteratorResult<Inputs>> {
    try {
      return await this.#iterator.next();
    } catch (error) {
      this.#failure = { error };
      return END;
    }
  }
}
