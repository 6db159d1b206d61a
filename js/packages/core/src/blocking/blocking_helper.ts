/** The helper worker and the contexts in it, as the thread that waits for them sees them. */

import { BlockingError, messageOf, WorkerFailedError } from '../errors.js';
import type { HelperSource, HelperWorker } from '../options.js';
import { nodeModule } from '../support/platform.js';
import { startWorker } from '../support/start_worker.js';
import { ContextLosses } from '../webnn/context_losses.js';
import type { GpuBug } from '../webnn/excluded_nodes.js';
import type { MLOpSupportLimits } from '../webnn_types.js';
import { type ContextRequest, type HelperRequest, type HelperResponse, Mailbox } from './helper_protocol.js';

// By another name: a bundler that mistook the worker for an asset would bundle it with everybody's page.
const SCRIPT_URL = import.meta.url;

/** What the helper is sent first. */
export interface HelperHandshake {
  readonly mailbox: SharedArrayBuffer;
}

/** How long a script may take to load. */
const START_MS = 30_000;
const START_POLL_MS = 2;

/** What the helpers of this thread have found: the next one may begin before it is stored. */
const bugsFound: GpuBug[] = [];

/** Sends a request, and sleeps until the response is there. Only in threads that may sleep. */
export class BlockingHelper {
  readonly #worker: HelperWorker;
  readonly #box: Mailbox;
  #failure: WorkerFailedError | null = null;
  #lastNumber = 0;

  private constructor(worker: HelperWorker, box: Mailbox) {
    this.#worker = worker;
    this.#box = box;
  }

  /**
   * Starts a helper.
   *
   * @throws BlockingError where this thread must not sleep; WorkerFailedError where the worker does not start.
   */
  static async start(source: HelperSource = new URL('./webnn_helper.mjs', SCRIPT_URL)): Promise<BlockingHelper> {
    const reason = whyCannotBlock();
    if (reason !== null) throw new BlockingError(`Blocking mode is not available here: ${reason}.`);
    const box = new Mailbox();
    box.empty();
    const worker = isAddress(source) ? startHelperWorker(source) : source;
    const helper = new BlockingHelper(worker, box);
    await shakeHands(worker, box, source);
    return helper;
  }

  /**
   * Creates an MLContext in the helper.
   *
   * @param isAgain - Whether one was just lost: then the browser may need a while to provide another.
   * @returns the context, or the reason why there is none.
   * @throws WorkerFailedError
   */
  open(request: ContextRequest, isAgain = false): HelperContext | string {
    const number = this.number();
    const response = this.requestOpen(number, request, isAgain);
    if (response.kind === 'open') return new HelperContext(this, number, request, response.limits, response.backend);
    return response.kind === 'unavailable' ? response.reason : `the helper worker responded with "${response.kind}"`;
  }

  /** Has the helper create a context; `isAgain` where one of this number was lost. */
  requestOpen(context: number, request: ContextRequest, isAgain: boolean): HelperResponse {
    return this.request({ kind: 'open', context, request, isAgain, bugs: bugsFound });
  }

  /** Keeps bugs for the helpers after this one. */
  remember(bugs: readonly GpuBug[]): void {
    bugsFound.push(...bugs);
  }

  /** A number that no context or graph of this helper has had. */
  number(): number {
    return ++this.#lastNumber;
  }

  /**
   * Sends a request and waits for the response.
   *
   * @throws WorkerFailedError where the helper has ended.
   */
  request(request: HelperRequest, moved: ArrayBuffer[] = []): HelperResponse {
    if (this.#failure !== null) throw this.#failure;
    this.#box.empty();
    this.#worker.postMessage(request, moved);
    try {
      return this.#box.wait();
    } catch (error) {
      this.terminate(messageOf(error));
      throw error;
    }
  }

  /** Sends a request that needs no response. */
  post(request: HelperRequest & { readonly kind: 'release' | 'close' }): void {
    if (this.#failure === null) this.#worker.postMessage(request, []);
  }

  /** Ends the helper, and every context in it. */
  terminate(why = 'The helper worker of blocking mode was ended.'): void {
    this.#failure ??= new WorkerFailedError(why);
    this.#worker.terminate();
  }
}

/** Whether a helper has to be started; else the caller has done that. */
export function isAddress(source: HelperSource): source is string | URL {
  return typeof source === 'string' || source instanceof URL;
}

/** Starts a worker, in browsers and in Node. */
export function startHelperWorker(address: string | URL): HelperWorker {
  return startWorker<HelperWorker>(address, SCRIPT_URL, 'tflite-webnn helper', nodeThreads()?.Worker);
}

interface NodeThreads {
  readonly Worker: new (url: URL) => HelperWorker;
}

/** What Node's workers have in place of a browser's events. */
interface NodeWorker extends HelperWorker {
  on(event: 'error', listener: (error: Error) => void): void;
  unref(): void;
}

function isNodeWorker(worker: HelperWorker): worker is NodeWorker {
  return 'unref' in worker;
}

/** Node has its workers in a module. Asking `process` keeps Node's modules out of browser bundles. */
function nodeThreads(): NodeThreads | null {
  if (typeof Worker !== 'undefined') return null;
  return nodeModule<NodeThreads>('node:worker_threads') ?? null;
}

/** The first response shows that the helper runs. A script that cannot be loaded sends an event instead. */
async function shakeHands(worker: HelperWorker, box: Mailbox, source: HelperSource): Promise<void> {
  let failure: string | null = null;
  const onError = ({ message }: { readonly message?: string }) => {
    failure = message || 'its script cannot be loaded';
  };
  if (isNodeWorker(worker)) {
    worker.on('error', onError);
    worker.unref(); // a process may end while it has models
  } else {
    (worker as Worker).addEventListener('error', onError);
  }
  worker.postMessage({ mailbox: box.memory } satisfies HelperHandshake, []);
  const end = performance.now() + START_MS;
  while (!box.isFull) {
    if (failure === null && performance.now() > end) failure = 'it has not responded in time';
    if (failure !== null) {
      worker.terminate();
      const where = isAddress(source) ? ` at ${String(source)}` : '';
      throw new WorkerFailedError(
        `The helper worker of blocking mode${where} did not start: ${failure}. Serve the package's webnn_helper.mjs ` +
          "next to its index.mjs, where the page's policy (worker-src) allows it, or pass it as blockingHelper.",
      );
    }
    await new Promise((resolve) => setTimeout(resolve, START_POLL_MS));
  }
}

/** A context of a helper. */
export class HelperContext {
  readonly losses = new ContextLosses();
  /** Why there is no context any more; null while there is one. */
  failure: string | null = null;
  /** Called once, when the context was destroyed. */
  onDestroyed: () => void = () => {};
  declare readonly lost?: undefined;
  /** How often it was replaced. What was built before is gone. */
  generation = 0;
  #isDestroyed = false;

  constructor(
    readonly helper: BlockingHelper,
    /** The number by which helper and wasm know it. */
    readonly number: number,
    private readonly request: ContextRequest,
    readonly limits: MLOpSupportLimits,
    readonly backend: string | null,
  ) {}

  /**
   * Replaces a lost context. If that fails, `failure` says why.
   *
   * @param isFirstUse - Whether it was lost while a graph was built or run for the first time.
   */
  replace(reason: string, isFirstUse = false): void {
    this.losses.add(reason, isFirstUse && this.backend === null); // the browser computes, not the polyfill
    if (this.losses.tooMany) {
      this.failure = this.losses.text;
      return;
    }
    this.generation++;
    const response = this.helper.requestOpen(this.number, this.request, true);
    if (response.kind === 'open') return;
    const why = 'reason' in response ? response.reason : response.kind;
    this.failure = `${this.losses.text} and provided no other: ${why}`;
  }

  /** Destroys the context with all of its graphs. */
  destroy(): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    this.helper.post({ kind: 'close', context: this.number });
    this.onDestroyed();
  }
}

/** Why this thread cannot wait for another one, as text for the user; null where it can. */
export function whyCannotBlock(): string | null {
  const { crossOriginIsolated } = globalThis as { crossOriginIsolated?: boolean };
  if (typeof SharedArrayBuffer === 'undefined' || crossOriginIsolated === false) {
    return (
      'the page is not cross-origin isolated, so it has no SharedArrayBuffer: serve it, and the worker, with the headers ' +
      'Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp'
    );
  }
  try {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 1, 0); // the value is another one: it returns immediately
    return null;
  } catch {
    return "this is the page's own thread, which browsers do not let sleep: load the model in a worker";
  }
}
