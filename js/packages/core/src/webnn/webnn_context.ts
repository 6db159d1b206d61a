/** Getting an MLContext, or a plain answer why there is none. */

import { messageOf } from '../errors.js';
import { type DevicePreference, preferencesOf, type WebnnDelegateOptions } from '../options.js';
import type { ML, MLContext, MLContextOptions, MLGraphBuilderConstructor, MLOpSupportLimits } from '../webnn_types.js';
import { type FaultGuard, faultGuardHere } from './fault_guard.js';

/** What is known of every context. */
export interface WebnnContext {
  readonly context: { destroy?(): void };
  /** What the context promises to support. */
  readonly limits: MLOpSupportLimits;
  /** Whether the context was made here and is destroyed with the model. */
  readonly owned: boolean;
  /** What is behind the context, if known: the polyfill says, browsers do not. */
  readonly backend: string | null;
  /** Why the context was lost; null while it is not. */
  lostReason(): string | null;
}

/** A usable context in this thread. */
export interface PageWebnn extends WebnnContext {
  readonly context: MLContext;
  readonly Builder: MLGraphBuilderConstructor;
  /** Keeps from the browser what ends its GPU process; null where the browser is not what computes. */
  readonly guard: FaultGuard | null;
}

/** No WebNN, and why, in words for the user. */
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

/** Makes a context as the options ask, or takes the given one. Never throws. */
export async function openWebnn(
  options: WebnnDelegateOptions,
  globals: WebnnGlobals = globalThis as WebnnGlobals,
  guardHere = faultGuardHere,
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
    return { context, Builder: MLGraphBuilder, limits, owned, backend, guard, lostReason: watchLoss(context) };
  } catch (error) {
    if (owned) context?.destroy?.();
    return unavailable(`the browser gave no usable WebNN context: ${messageOf(error)}`);
  }
}

/** @returns the reason of the context's loss; null while it is not lost. */
function watchLoss({ lost }: MLContext): () => string | null {
  let reason: string | null = null;
  lost?.then(({ message }) => {
    reason = message || 'the browser gave no reason';
  });
  return () => reason;
}

/** How often contexts are shared: users beyond the first one. */
const sharing = new WeakMap<object, number>();

/** One more user of a context; it is to be closed by each of them. */
export function shareWebnn<Webnn extends WebnnContext>(webnn: Webnn): Webnn {
  sharing.set(webnn.context, (sharing.get(webnn.context) ?? 0) + 1);
  return webnn;
}

/** Destroys a context that was made here, when its last user closes it. */
export function closeWebnn({ context, owned }: WebnnContext): void {
  const others = sharing.get(context) ?? 0;
  if (others > 0) sharing.set(context, others - 1);
  else if (owned) context.destroy?.();
}

/** A browser whose GPU process has died gives no context until it has started another. */
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

/** Why there is no `navigator.ml`; null where it is there, which is no promise that it gives a context. */
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

/** What is asked of `navigator.ml.createContext`. */
export function contextOptions(options: WebnnDelegateOptions): MLContextOptions {
  const { devicePreference, powerPreference } = preferencesOf(options);
  return { ...DEVICE_OPTIONS[devicePreference], powerPreference };
}
