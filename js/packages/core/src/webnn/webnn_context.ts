/** Getting an MLContext, the browser's or the polyfill's, or the reason why there is none; sharing and losing it. */

import { messageOf } from '../errors.js';
import type { DevicePreference, PolyfillEngine, WebnnDelegateOptions } from '../options.js';
import { SCRIPT_URL } from '../support/platform.js';
import type { ML, MLContext, MLContextOptions, MLGraphBuilderConstructor, MLOpSupportLimits } from '../webnn_types.js';
import { type BugGuard, bugGuardHere } from './context_losses.js';

/** What is known of every context. */
export interface WebnnContext {
  readonly context: { destroy?(): void };
  /** What the context promises to support. */
  readonly limits: MLOpSupportLimits;
  /** Whether the context was created here and is destroyed with the model. */
  readonly owned: boolean;
  /** What is behind the context, if known: the polyfill says, browsers do not. */
  readonly backend: string | null;
  /** Why the context was lost; null while it is not. */
  readonly lostReason: string | null;
}

/** A usable context in this thread. */
export interface PageWebnn extends WebnnContext {
  readonly context: MLContext;
  readonly Builder: MLGraphBuilderConstructor;
  /** Keeps from the browser what ends its GPU process; null where the browser is not what computes. */
  readonly guard: BugGuard | null;
}

/** No WebNN, and why, as text for the user. */
export interface WebnnUnavailable {
  readonly context: null;
  readonly reason: string;
}

/** The globals of WebNN: what a browser, a polyfill or a test provides. */
interface WebnnGlobals {
  readonly navigator?: { readonly ml?: ML };
  readonly MLGraphBuilder?: MLGraphBuilderConstructor;
  readonly isSecureContext?: boolean;
}

/** Creates a context as the options request, or returns the provided one. Never throws. */
export async function openWebnn(
  options: WebnnDelegateOptions,
  globals: WebnnGlobals = globalThis as WebnnGlobals,
  guardHere = bugGuardHere,
): Promise<PageWebnn | WebnnUnavailable> {
  const { MLGraphBuilder, navigator } = globals;
  const ml = navigator?.ml;
  const { polyfill } = ml ?? {};
  const owned = options.context === undefined;
  const missing = missingWebnn(globals);
  if (owned && missing !== null) return unavailable(missing);
  if (MLGraphBuilder === undefined) {
    return unavailable('this browser has an incomplete WebNN: MLGraphBuilder is missing');
  }
  const guard = polyfill === undefined ? guardHere : null;
  const backend = polyfill === undefined ? null : `polyfill ${polyfill.version}, ${polyfill.engine}`;
  let context: MLContext | undefined;
  try {
    [context] = await Promise.all([
      options.context ?? (ml as ML).createContext(contextOptions(options)),
      guard?.load(),
    ]);
    const limits = context.opSupportLimits();
    return watchLoss({ context, Builder: MLGraphBuilder, limits, owned, backend, guard, lostReason: null });
  } catch (error) {
    if (owned) context?.destroy?.();
    return unavailable(`the browser provided no usable WebNN context: ${messageOf(error)}`);
  }
}

function watchLoss(webnn: PageWebnn & { lostReason: string | null }): PageWebnn {
  webnn.context.lost?.then(({ message }) => {
    webnn.lostReason = message || 'the browser provided no reason';
  });
  return webnn;
}

/** How often contexts are shared: users beyond the first one. */
const sharing = new WeakMap<object, number>();

/** One more user of a context; it is to be closed by each of them. */
export function shareWebnn<Webnn extends WebnnContext>(webnn: Webnn): Webnn {
  sharing.set(webnn.context, (sharing.get(webnn.context) ?? 0) + 1);
  return webnn;
}

/** Destroys a context that was created here, when its last user closes it. */
export function closeWebnn({ context, owned }: WebnnContext): void {
  const others = sharing.get(context) ?? 0;
  if (others > 0) sharing.set(context, others - 1);
  else if (owned) context.destroy?.();
}

/** A browser whose GPU process has crashed provides no context until it has started another. */
const REOPEN_DELAYS_MS: readonly number[] = [0, 100, 400];

/** A context in place of a lost one, or why there is none. */
export async function openAgain<Backend extends WebnnContext>(
  open: () => Promise<Backend | WebnnUnavailable>,
): Promise<Backend | WebnnUnavailable> {
  let reason = '';
  for (const delayMs of REOPEN_DELAYS_MS) {
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
    const webnn = await open();
    if (webnn.context !== null) return webnn;
    reason = webnn.reason;
  }
  return unavailable(reason);
}

/** No WebNN, for this reason. */
export function unavailable(reason: string): WebnnUnavailable {
  return { context: null, reason };
}

/** Why there is no `navigator.ml`; null where it is there, which does not guarantee that it provides a context. */
export function missingWebnn(globals: WebnnGlobals = globalThis as WebnnGlobals): string | null {
  const { navigator, isSecureContext } = globals;
  if (navigator?.ml !== undefined) return null;
  if (isSecureContext === false) {
    return 'this page is not in a secure context: browsers offer WebNN (navigator.ml) only over https or on localhost';
  }
  return 'this browser has no WebNN: navigator.ml is missing (some browsers have it behind a flag)';
}

/** The standard has dropped deviceType for accelerated; browsers still read deviceType. Both are sent. */
const DEVICE_OPTIONS: Readonly<Record<DevicePreference, MLContextOptions>> = {
  default: {},
  gpu: { deviceType: 'gpu', accelerated: true },
  cpu: { deviceType: 'cpu', accelerated: false },
  npu: { deviceType: 'npu', accelerated: true },
};

/** Which device a context is requested for. */
export type ContextPreferences = Required<Pick<WebnnDelegateOptions, 'devicePreference' | 'powerPreference'>>;

/** The preferences in the options, or the browser's choice. */
export function preferencesOf(options: WebnnDelegateOptions = {}): ContextPreferences {
  const { devicePreference = 'default', powerPreference = 'default' } = options;
  return { devicePreference, powerPreference };
}

/** Options for `navigator.ml.createContext`. */
export function contextOptions(options: WebnnDelegateOptions): MLContextOptions {
  const { devicePreference, powerPreference } = preferencesOf(options);
  return { ...DEVICE_OPTIONS[devicePreference], powerPreference };
}

/** An object that has what browsers have as globals. */
export interface WebnnScope {
  readonly navigator: { readonly ml: ML };
  readonly MLGraphBuilder: MLGraphBuilderConstructor;
}

/**
 * Loads the polyfill with one of its engines. Nothing is installed: what the page finds on `navigator.ml` stays.
 *
 * @param wasmPath - Where the engine `tflite` finds the wasm module.
 */
export type LoadPolyfill = (engine: PolyfillEngine, wasmPath: string | undefined) => Promise<WebnnScope>;

export const loadPolyfill: LoadPolyfill = async (engine, wasmPath) => {
  const { tfliteEngine, webnnOf } = registeredPolyfill() ?? (await importPolyfill());
  return webnnOf(engine === 'tflite' ? tfliteEngine({ wasmPath }) : engine);
};

const POLYFILL: unique symbol = Symbol.for('tflite-webnn.polyfill');

/** What is used of the polyfill's exports. */
interface Polyfill {
  /** TensorFlow Lite in wasm, from this directory. */
  tfliteEngine(options: { readonly wasmPath?: string | undefined }): object;
  /** WebNN as an engine computes it, without installing it. */
  webnnOf(engine: string | object): WebnnScope;
}

/** The polyfill's script puts its exports there: in a bundle, it is not a file next to this script. */
function registeredPolyfill(): Polyfill | undefined {
  return (globalThis as { [POLYFILL]?: Polyfill })[POLYFILL];
}

/** By address, so that only bundles of pages that import the polyfill contain it. */
function importPolyfill(): Promise<Polyfill> {
  const script = new URL('./polyfill.mjs', SCRIPT_URL);
  return import(/* @vite-ignore */ /* webpackIgnore: true */ script.href).catch((error: Error) => {
    error.message += '. Bundles import tflite-webnn/polyfill.';
    console.warn(error.message); // the model may run on the CPU instead
    throw error;
  });
}

/** What the choice depends on; tests have their own. */
interface Environment {
  readonly openWebnn: typeof openWebnn;
  readonly gpuEngines: typeof gpuEngines;
  readonly loadPolyfill: LoadPolyfill;
}

const HERE: Environment = { openWebnn, gpuEngines, loadPolyfill };

/**
 * Creates a context on the browser's WebNN; where it provides none, and a GPU is requested and there, on the polyfill.
 * What the polyfill does on the CPU, XNNPACK does better without it: that way is only taken when it is requested. Never
 * throws.
 *
 * @param wasmPath - Where the polyfill finds the wasm module, see the option of this name.
 */
export async function chooseWebnn(
  options: WebnnDelegateOptions,
  wasmPath?: string,
  here: Environment = HERE,
): Promise<PageWebnn | WebnnUnavailable> {
  const { polyfill = 'auto', context, devicePreference } = options;
  if (context === undefined && polyfill !== 'auto' && polyfill !== 'never') {
    return openPolyfill(polyfill, options, wasmPath, here);
  }
  const webnn = await here.openWebnn(options);
  if (webnn.context !== null || context !== undefined || polyfill === 'never' || devicePreference !== 'gpu')
    return webnn;
  const reasons = [webnn.reason];
  for (const engine of await here.gpuEngines()) {
    const standIn = await openPolyfill(engine, options, wasmPath, here);
    if (standIn.context !== null) return standIn;
    reasons.push(standIn.reason);
  }
  return unavailable(reasons.join('; '));
}

async function openPolyfill(
  engine: PolyfillEngine,
  options: WebnnDelegateOptions,
  wasmPath: string | undefined,
  here: Environment,
): Promise<PageWebnn | WebnnUnavailable> {
  try {
    return await here.openWebnn(options, await here.loadPolyfill(engine, wasmPath));
  } catch (error) {
    return unavailable(`the polyfill (${engine}) is not available: ${messageOf(error)}`);
  }
}

/** What is used of WebGPU. */
interface GpuAdapter {
  readonly info?: { readonly isFallbackAdapter?: boolean };
  /** Where browsers had it first. */
  readonly isFallbackAdapter?: boolean;
}

/** The engines of the polyfill that a GPU would run, the better one first. */
export async function gpuEngines(): Promise<('webgpu' | 'webgl')[]> {
  const engines = [(await hasWebgpu()) && 'webgpu', hasWebgl() && 'webgl'] as const;
  return engines.filter((engine) => engine !== false);
}

async function hasWebgpu(): Promise<boolean> {
  const { gpu } = navigatorHere() as { gpu?: { requestAdapter(): Promise<GpuAdapter | null> } };
  const adapter = (await gpu?.requestAdapter().catch(() => null)) ?? null;
  return adapter !== null && !(adapter.info?.isFallbackAdapter ?? adapter.isFallbackAdapter ?? false);
}

function hasWebgl(): boolean {
  if (typeof OffscreenCanvas === 'undefined') return false;
  const webgl = new OffscreenCanvas(1, 1).getContext('webgl2', { failIfMajorPerformanceCaveat: true });
  webgl?.getExtension('WEBGL_lose_context')?.loseContext(); // browsers allow few at a time
  return webgl !== null;
}

function navigatorHere(): object {
  return (globalThis as { navigator?: object }).navigator ?? {};
}
