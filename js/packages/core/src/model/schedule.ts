/**
 * From a model's plan to the list of actions of one run: which tensor is copied where and when, which graph is
 * dispatched, which steps wasm runs. Everything is decided once; a run only walks the list. The execution modes
 * are shapes of such a list.
 */

import type { ModelDescription, PlanStep, WebnnGraph } from '../description.js';
import type { TensorSlot } from '../tensors/tensor_slots.js';
import type { Action } from './actions.js';
import { Residency } from './residency.js';

/** How a model runs; see the README. */
export type ExecutionMode = 'direct' | 'stepped' | 'blocking' | 'cpu';

/** What a run does, in order. */
export interface Schedule {
  readonly mode: ExecutionMode;
  readonly actions: readonly Action[];
  /** The MLTensors that the actions use. */
  readonly slots: readonly TensorSlot[];
  /** Whether wasm is needed at all after the graphs are built. */
  readonly usesHeap: boolean;
}

/**
 * Makes the schedule of a model. Its variables are further inputs and outputs, behind those of the caller.
 *
 * @param isHosted - Whether wasm has its WebNN steps computed by a host, while it waits.
 */
export function makeSchedule(description: ModelDescription, isHosted = false): Schedule {
  const { variables } = description;
  const residency = new Residency([...description.inputs, ...variables.map(({ input }) => input)]);
  for (const step of stepsOf(description, isHosted)) addStep(step, description.graphs, residency);
  [...description.outputs, ...variables.map(({ output }) => output)].forEach(({ index }, port) => {
    residency.copyOut(index, port);
  });
  residency.saveState();
  const { actions, slots } = residency;
  const usesHeap = actions.some(touchesHeap);
  const dispatches = actions.filter((action) => action.kind === 'dispatch').length;
  const isBlocking = isHosted && description.graphs.length > 0;
  const mode = isBlocking
    ? 'blocking'
    : dispatches === 0
      ? 'cpu'
      : dispatches === 1 && !usesHeap
        ? 'direct'
        : 'stepped';
  return { mode, actions, slots, usesHeap };
}

/**
 * A plan without WebNN, or with a host for it, is one call of TFLite's own Invoke(), which can do what stepping cannot,
 * e.g. control flow.
 */
type Step = PlanStep | { readonly kind: 'whole' };

function stepsOf({ plan }: ModelDescription, isHosted: boolean): readonly Step[] {
  return !isHosted && plan.some((step) => step.kind === 'webnn') ? plan : [{ kind: 'whole' }];
}

function addStep(step: Step, graphs: readonly WebnnGraph[], residency: Residency): void {
  if (step.kind === 'whole') residency.invoke();
  else if (step.kind === 'cpu') residency.invokeSteps(step);
  else residency.dispatch(step.graph, graphs[step.graph] as WebnnGraph);
}

/** Why the delegate, though it was asked, has left WebNN nothing to do. */
export function whyNothing({ delegate }: ModelDescription): string {
  return delegate.error ?? 'WebNN gets no node of this model; the report says why, for each node';
}

function touchesHeap(action: Action): boolean {
  if (action.kind === 'copy') return [action.from, action.to].includes('heap');
  return action.kind !== 'dispatch';
}
