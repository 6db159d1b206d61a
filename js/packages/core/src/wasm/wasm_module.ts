/**
 * Loading of the wasm module. The compiled WebAssembly.Module is shared; instances are for one model, or for small
 * ones.
 */

import { InterpreterError, MEMORY_HINT, messageOf, type TFLiteWebnnError, WasmLoadError } from '../errors.js';
import { TEXT } from '../option_schema.js';
import type { WasmVariant } from '../options.js';
import { type CacheOptions, fetchKept } from '../support/file_cache.js';
import { hasLocalFiles, readLocalFile } from '../support/platform.js';
import { checkArguments } from '../support/validate_options.js';
import type {
  CompiledModule,
  RunnerPointer,
  WasmBindings,
  WasmModuleArguments,
  WasmModuleFactory,
} from './wasm_binding_types.js';
import {
  chooseVariant,
  defaultThreadCount,
  getWasmFeatures,
  hasThreads,
  WASM_INTEGRITY,
  type WasmFiles,
  wasmFiles,
} from './wasm_variants.js';

/** Which wasm module to load, and from where. */
export interface WasmModuleOptions {
  /** Directory of the variants' directories; relative to the page. Default: that of {@link setWasmPath}. */
  wasmPath?: string | undefined;
  variant?: WasmVariant | 'auto' | undefined;
  /** Threads of an instance; default: 1. If threads are not available, it has one. */
  numThreads?: number | undefined;
  /** Whether to keep the module in the browser. */
  cache?: boolean | CacheOptions | undefined;
}

/** Gets a file. */
type FetchFile = (url: URL) => Promise<Response>;

/** A compiled module from which instances can be created. */
export interface WasmModule {
  /** What the instances are. */
  readonly variant: WasmVariant;
  /** Threads of an instance, with the one that calls it. */
  readonly threads: number;
  /** Why there is one thread though more were requested; null where there are more, or were not requested. */
  readonly threadsReason: string | null;
  /** The same for all modules of the same instances; without it, models do not share instances. */
  readonly key?: string | undefined;
  /** A fresh instance with an empty heap. Its threads may still start: a computation does not wait for them. */
  instantiate(): Promise<WasmInstance>;
}

/** Known once the threads have started, or one has failed. */
export type ThreadsReason = string | undefined | Promise<string | undefined>;

/** One instance of the module. */
export interface WasmInstance {
  readonly bindings: WasmBindings;
  /** The last lines that C++ wrote to its standard output and error: the context of a trap. */
  readonly log: readonly string[];
  /** Threads that compute, with the one that calls. */
  readonly threads: number;
  /** Why its threads could not be started: the one that calls then computes alone. Undefined once they have started. */
  readonly threadsReason?: ThreadsReason;
  /** The same instance as the model has it that was there first; none unless this is a borrower's. */
  readonly host?: WasmInstance;
  /** The runners that a model has in an instance which it shares with others; they are deleted with it. */
  readonly runners?: Set<RunnerPointer>;
  /** Ends its threads, or leaves it to the models that share it. */
  close(): void;
}

/** As in `@tensorflow/tfjs-tflite`: the number is up to this module. */
const DEFAULT_THREADS = -1;
const LOG_LINES = 20;
const THREADS_START_MS = 10_000;
const NO_THREADS = 'WebAssembly has no threads here: a page has to be cross-origin isolated';

let defaultWasmPath: string | undefined;

/**
 * Sets the directory above those of the wasm variants, for all models that are loaded from now on without the option
 * `wasmPath`. Relative to the page; without a call it is the directory of this script.
 *
 * @param path - The directory's address.
 * @throws OptionError
 */
export function setWasmPath(path: string): void {
  checkArguments('setWasmPath', { path }, { path: TEXT });
  defaultWasmPath = path;
}

/** @internal What setWasmPath() has set, for a worker that loads from the same address. */
export function wasmPathNow(): string | undefined {
  return defaultWasmPath;
}

const compiled = new Map<string, Promise<WebAssembly.Module>>();

/**
 * Chooses a variant and compiles it.
 *
 * @throws WasmLoadError naming the file that could not be loaded.
 */
export function loadWasmModule({ cache, ...options }: WasmModuleOptions): Promise<WasmModule> {
  return loadUncached(options, (variant) => fetchFor(variant, cache));
}

/**
 * The same without the option `cache`: bundles leave its code out.
 *
 * @param fetchFor - Chooses how the variant is fetched.
 */
export async function loadUncached(
  options: Omit<WasmModuleOptions, 'cache'>,
  fetchFor: (variant: WasmVariant) => FetchFile = () => (url) => fetch(url),
): Promise<WasmModule> {
  const { wasmPath = defaultWasmPath, variant = 'auto', numThreads = 1 } = options;
  const features = await getWasmFeatures();
  const chosen = chooseVariant(variant, features, numThreads);
  const module = await openWasmModule(chosen, wasmFiles(chosen, wasmPath), numThreads, fetchFor(chosen));
  return numThreads > 1 && !features.threads ? { ...module, threadsReason: NO_THREADS } : module;
}

/**
 * Loads the module for a model with these options.
 *
 * @throws WasmLoadError
 */
export function compileFor({
  wasmPath,
  variant,
  numThreads = DEFAULT_THREADS,
  cache,
}: WasmModuleOptions): Promise<WasmModule> {
  const threads = numThreads === DEFAULT_THREADS ? defaultThreadCount() : numThreads;
  return loadWasmModule({ wasmPath, variant, numThreads: threads, cache });
}

/**
 * Compiles the files of a variant (streaming, once per URL).
 *
 * @throws WasmLoadError naming the file that could not be loaded.
 */
export async function openWasmModule(
  variant: WasmVariant,
  files: WasmFiles,
  numThreads = 1,
  fetchFile: FetchFile = (url) => fetch(url),
): Promise<WasmModule> {
  const [module, factory] = await Promise.all([compileOnce(files.wasm, fetchFile), importFactory(files)]);
  const threads = hasThreads(variant) ? numThreads : 1;
  const threadsReason = threads < numThreads ? `the variant ${variant} has one thread` : null;
  const instantiate = () =>
    startInstance(module, factory, threads).catch(async (error: unknown) => {
      if (threads === 1) throw error;
      return { ...(await startInstance(module, factory, 1)), threadsReason: messageOf(error) };
    });
  return { variant, threads, threadsReason, key: `${threads} ${files.wasm.href}`, instantiate };
}

/** How a variant's module is fetched: with `cache`, from the browser's, where this package can verify it. */
function fetchFor(variant: WasmVariant, cache: boolean | CacheOptions = false): FetchFile {
  const integrity = WASM_INTEGRITY[variant];
  if (cache === false || !integrity) return (url) => fetch(url);
  return (url) => fetchKept({ url: url.href, integrity, kind: 'wasm' }, cache === true ? {} : cache);
}

function compileOnce(url: URL, fetchFile: FetchFile): Promise<WebAssembly.Module> {
  let module = compiled.get(url.href);
  if (module === undefined) {
    module = compile(url, fetchFile).catch((error: unknown) => {
      compiled.delete(url.href); // so that a later try may succeed
      throw error instanceof WasmLoadError ? error : loadError(url, messageOf(error), error);
    });
    compiled.set(url.href, module);
  }
  return module;
}

async function compile(url: URL, fetchFile: FetchFile): Promise<WebAssembly.Module> {
  if (url.protocol === 'file:') {
    if (!hasLocalFiles()) throw loadError(url, 'pages opened from a file cannot load wasm; use an HTTP server');
    return WebAssembly.compile(await readLocalFile(url));
  }
  const response = await fetchFile(url);
  if (!response.ok) throw loadError(url, `HTTP ${response.status} ${response.statusText}`.trim());
  // Servers that do not know the type .wasm are common; streaming insists on it.
  if (response.headers.get('Content-Type')?.split(';')[0] === 'application/wasm') {
    return WebAssembly.compileStreaming(response);
  }
  return WebAssembly.compile(await response.arrayBuffer());
}

async function importFactory(files: WasmFiles): Promise<WasmModuleFactory> {
  try {
    return (await files.importGlue()).default;
  } catch (error) {
    throw loadError(files.glue, messageOf(error), error);
  }
}

function loadError(url: URL, why: string, cause?: unknown): WasmLoadError {
  const isForbidden = /Content Security Policy|unsafe-eval|disallowed by embedder/i.test(why);
  const hint = isForbidden
    ? "The page's policy forbids WebAssembly: add 'wasm-unsafe-eval' to its script-src."
    : 'Serve the variant directories next to index.mjs, or their parent as the option wasmPath; check CORS, connect-src.';
  return new WasmLoadError('WASM_LOAD_FAILED', `Could not load ${url.href} (${why}). ${hint}`, {
    cause,
    details: { url: url.href },
  });
}

async function startInstance(
  module: WebAssembly.Module,
  factory: WasmModuleFactory,
  threads: number,
): Promise<WasmInstance> {
  const { log, print } = makeLog();
  let fail: ((error: unknown) => void) | undefined;
  const failing = new Promise<never>((_, reject) => {
    fail = reject;
  });
  const moduleArguments: WasmModuleArguments & Partial<WasmBindings> = {
    print,
    printErr: print,
    threadPoolSize: threads - 1,
    instantiateWasm(imports, done) {
      WebAssembly.instantiate(module, imports).then((instance) => done(instance, module), fail);
      return {}; // Emscripten's way to say: done() will be called later
    },
  };
  const making = factory(moduleArguments);
  const failureOfOne = failureOfThreads(moduleArguments);
  try {
    const bindings = await Promise.race([making, failing]);
    const started = bindings.pthreadPoolReady?.then(() => undefined);
    return openInstance(bindings, log, threads, Promise.race([started, failureOfOne]));
  } catch (error) {
    endThreads(moduleArguments);
    throw startError(error);
  }
}

/**
 * Creates an instance before it returns, for callers that cannot wait. The factory must be one that waits for nothing
 * else: in Node, Emscripten's does, unless it mistakes the environment for another.
 *
 * @throws WasmLoadError
 */
export function instantiateNow(module: CompiledModule, factory: WasmModuleFactory): WasmInstance {
  const { log, print } = makeLog();
  let failure: unknown = null;
  const moduleArguments: WasmModuleArguments = {
    print,
    printErr: print,
    instantiateWasm(imports, done) {
      try {
        return done(new WebAssembly.Instance(module, imports), module);
      } catch (error) {
        failure = error;
        throw error;
      }
    },
  };
  factory(moduleArguments).catch((error: unknown) => {
    failure ??= error;
  });
  // Emscripten makes the bindings of the very object that it gets.
  const bindings = moduleArguments as Partial<WasmBindings>;
  if (failure === null && bindings.HEAPU8 !== undefined) return openInstance(bindings as WasmBindings, log, 1);
  throw startError(failure ?? "Emscripten's part did not start synchronously");
}

function makeLog(): { readonly log: string[]; print(line: string): void } {
  const log: string[] = [];
  const print = (line: string) => {
    log.push(line);
    if (log.length > LOG_LINES) log.shift();
  };
  return { log, print };
}

function startError(cause: unknown): TFLiteWebnnError {
  const why = `WebAssembly could not be started: ${messageOf(cause)}`;
  return cause instanceof RangeError
    ? new InterpreterError('OUT_OF_MEMORY', `${why}. ${MEMORY_HINT}`, { cause })
    : new WasmLoadError('WASM_LOAD_FAILED', why, { cause });
}

function openInstance(
  bindings: WasmBindings,
  log: readonly string[],
  threads: number,
  threadsReason?: ThreadsReason,
): WasmInstance {
  const instance: WasmInstance = {
    bindings,
    log,
    threads,
    threadsReason,
    close: () => {
      if (threads > 1) closeInstance(instance);
    },
  };
  if (threads > 1) closeWhenForgotten(instance);
  return instance;
}

/**
 * Waits until the threads of an instance have started, at most ten seconds. The timer keeps Node's process alive: the
 * workers of threads do not, so that it would end while a report waits for them.
 *
 * @param reason - The instance's `threadsReason`.
 * @returns Why the instance has one thread, undefined once all have started.
 */
export async function waitForThreads(reason: ThreadsReason): Promise<string | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, THREADS_START_MS, 'the threads have not started yet');
  });
  try {
    return await Promise.race([reason, late]);
  } finally {
    clearTimeout(timer);
  }
}

type Threads = Pick<Partial<WasmBindings>, 'PThread'>;

/** Running workers keep their memory alive; they end when their instance is forgotten without having been closed. */
const forgotten = new FinalizationRegistry<Threads>(endThreads);

/** Ends the threads of an instance; without threads nothing happens. */
export function endThreads({ PThread }: Threads): void {
  PThread?.terminateAllThreads();
}

interface ThreadedInstance {
  readonly bindings: WasmBindings;
}

/** Ends the threads when nothing refers to the instance any more. */
export function closeWhenForgotten(instance: ThreadedInstance): void {
  const { PThread } = instance.bindings;
  if (PThread !== undefined) forgotten.register(instance, { PThread }, instance);
}

/** Ends the threads now. What waits for the instance to be forgotten would keep its memory. */
export function closeInstance(instance: ThreadedInstance): void {
  forgotten.unregister(instance);
  endThreads(instance.bindings);
}

/**
 * Waits for a worker that cannot be started, as where the page's policy forbids it, or its script is not there:
 * Emscripten would wait for it for ever.
 *
 * @param starting - What Emscripten's factory was called with: the pool is there when the call has returned.
 * @returns why, once a worker has failed; for ever pending where none does.
 */
export function failureOfThreads({ PThread }: Threads): Promise<string> {
  return new Promise((resolve) => {
    const fail = (why: string) => resolve(`a thread could not be started: ${why}`);
    for (const worker of PThread?.unusedWorkers ?? []) {
      worker.addEventListener?.('error', (event) => {
        event.stopImmediatePropagation?.(); // Emscripten's listener would throw the event, at nobody
        fail(event.message || 'its script could not be loaded');
      });
      worker.on?.('error', (error) => fail(messageOf(error)));
    }
  });
}
