/**
 * Loading of the wasm module. The compiled WebAssembly.Module is shared; each model gets an instance of its own, so
 * that dispose() gives all of its memory back and a trap spoils no other model.
 */

import { messageOf, WasmLoadError } from './errors.js';
import type { WasmBindings, WasmModuleArguments, WasmModuleFactory } from './wasm_binding_types.js';
import { chooseVariant, getWasmFeatures, type WasmVariant } from './wasm_features.js';
import { type WasmFiles, wasmFiles } from './wasm_files.js';

/** Which wasm module to load, and from where. */
export interface WasmModuleOptions {
  /** Folder of the variants' folders; relative to the page. Default: that of {@link setWasmPath}. */
  wasmPath?: string | undefined;
  variant?: WasmVariant | 'auto' | undefined;
}

/** A compiled module from which instances can be made. */
export interface WasmModule {
  readonly variant: WasmVariant;
  /** A fresh instance with an empty heap. */
  instantiate(): Promise<WasmInstance>;
}

/** One instance of the module. */
export interface WasmInstance {
  readonly bindings: WasmBindings;
  /** The last lines that C++ wrote to its standard output and error: the context of a trap. */
  readonly log: readonly string[];
}

const LOG_LINES = 20;

let defaultWasmPath: string | undefined;

/**
 * Sets the folder that has the wasm variants' folders, for all models that are loaded from now on without the option
 * `wasmPath`. Relative to the page; without a call it is the folder of this script.
 *
 * @param path - The folder's address.
 */
export function setWasmPath(path: string): void {
  defaultWasmPath = path;
}

/** @internal What setWasmPath() has set, for a worker that shall load from there, too. */
export function wasmPathNow(): string | undefined {
  return defaultWasmPath;
}

const compiled = new Map<string, Promise<WebAssembly.Module>>();

/**
 * Chooses a variant and compiles it.
 *
 * @throws WasmLoadError naming the file that could not be loaded.
 */
export async function loadWasmModule({ wasmPath, variant = 'auto' }: WasmModuleOptions): Promise<WasmModule> {
  const chosen = chooseVariant(variant, await getWasmFeatures());
  return openWasmModule(chosen, wasmFiles(chosen, wasmPath ?? defaultWasmPath));
}

/**
 * Compiles the files of a variant (streaming, once per URL).
 *
 * @throws WasmLoadError naming the file that could not be loaded.
 */
export async function openWasmModule(variant: WasmVariant, files: WasmFiles): Promise<WasmModule> {
  const [module, factory] = await Promise.all([compileOnce(files.wasm), importFactory(files)]);
  return { variant, instantiate: () => instantiate(module, factory) };
}

function compileOnce(url: URL): Promise<WebAssembly.Module> {
  let module = compiled.get(url.href);
  if (module === undefined) {
    module = compile(url).catch((error: unknown) => {
      compiled.delete(url.href); // so that a later try may succeed
      throw error instanceof WasmLoadError ? error : loadError(url, messageOf(error), error);
    });
    compiled.set(url.href, module);
  }
  return module;
}

async function compile(url: URL): Promise<WebAssembly.Module> {
  if (url.protocol === 'file:') return WebAssembly.compile(await readLocalFile(url));
  const response = await fetch(url);
  if (!response.ok) throw loadError(url, `HTTP ${response.status} ${response.statusText}`.trim());
  // Servers that do not know the type .wasm are common; streaming insists on it.
  if (response.headers.get('Content-Type')?.split(';')[0] === 'application/wasm') {
    return WebAssembly.compileStreaming(response);
  }
  return WebAssembly.compile(await response.arrayBuffer());
}

/** fetch() knows no file URLs in Node. Asking `process` keeps Node's modules out of browser bundles. */
async function readLocalFile(url: URL): Promise<Uint8Array<ArrayBuffer>> {
  interface NodeProcess {
    getBuiltinModule?(name: string): { readFile(url: URL): Promise<Uint8Array<ArrayBuffer>> } | undefined;
  }
  const files = (globalThis as { process?: NodeProcess }).process?.getBuiltinModule?.('node:fs/promises');
  if (files === undefined) throw loadError(url, 'pages opened from a file cannot load wasm; use an HTTP server');
  return files.readFile(url);
}

async function importFactory(files: WasmFiles): Promise<WasmModuleFactory> {
  try {
    return (await files.importGlue()).default;
  } catch (error) {
    throw loadError(files.glue, messageOf(error), error);
  }
}

function loadError(url: URL, why: string, cause?: unknown): WasmLoadError {
  return new WasmLoadError(
    `Could not load ${url.href} (${why}). Serve the package's variant folders beside its index.mjs, ` +
      'or tell their parent folder with the option wasmPath.',
    { cause, details: { url: url.href } },
  );
}

function instantiate(module: WebAssembly.Module, factory: WasmModuleFactory): Promise<WasmInstance> {
  const { log, print } = makeLog();
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => reject(startError(error));
    factory({
      print,
      printErr: print,
      instantiateWasm(imports, done) {
        WebAssembly.instantiate(module, imports).then((instance) => done(instance, module), fail);
        return {}; // Emscripten's way to say: done() will be called later
      },
    }).then((bindings) => resolve({ bindings, log }), fail);
  });
}

/**
 * Makes an instance before it returns, for callers that cannot wait. The factory must be one that waits for nothing else:
 * in Node, Emscripten's does, unless it takes the place for another one.
 *
 * @throws WasmLoadError
 */
export function instantiateNow(module: WebAssembly.Module, factory: WasmModuleFactory): WasmInstance {
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
  // Emscripten makes the bindings of the very object that it is given.
  const bindings = moduleArguments as Partial<WasmBindings>;
  if (failure === null && bindings.HEAPU8 !== undefined) return { bindings: bindings as WasmBindings, log };
  throw startError(failure ?? "Emscripten's part did not start at once");
}

function makeLog(): { readonly log: string[]; print(line: string): void } {
  const log: string[] = [];
  const print = (line: string) => {
    log.push(line);
    if (log.length > LOG_LINES) log.shift();
  };
  return { log, print };
}

function startError(cause: unknown): WasmLoadError {
  return new WasmLoadError(`WebAssembly could not be started: ${messageOf(cause)}`, { cause });
}
