/**
 * From a model's plan to the list of actions of one run: which tensor is copied where and when, which graph is
 * dispatched, which steps wasm runs. Everything is decided once; a run only walks the list. The three execution modes
 * are three shapes of such a list.
 */

import type { ModelDescription, PlanStep, WebnnGraph } from '../description.js';

/** Where the current value of a tensor may be: in the caller's array, in the wasm heap, in an MLTensor. */
export type Place = 'caller' | 'heap' | 'webnn';

/** How a model runs; see the README. */
export type ExecutionMode = 'direct' | 'stepped' | 'cpu';

/** A copy of a tensor. `port` is the position among the model's inputs or outputs where one side is the caller. */
export interface CopyAction {
  readonly kind: 'copy';
  readonly tensor: number;
  readonly from: Place;
  readonly to: Place;
  readonly port: number | null;
}

/** One thing that a run does. */
export type Action =
  | CopyAction
  | { readonly kind: 'dispatch'; readonly graph: number }
  | { readonly kind: 'invoke' }
  | { readonly kind: 'invoke-steps'; readonly first: number; readonly count: number };

/** What a run does, in order. */
export interface Schedule {
  readonly mode: ExecutionMode;
  readonly actions: readonly Action[];
  /** Whether wasm is needed at all after the graphs are built. */
  readonly usesHeap: boolean;
}

/** Makes the schedule of a model. */
export function makeSchedule(description: ModelDescription): Schedule {
  const residency = new Residency(description);
  for (const step of stepsOf(description)) residency.addStep(step, description.graphs);
  description.outputs.forEach(({ index }, port) => {
    residency.copyOut(index, port);
  });
  const { actions } = residency;
  const usesHeap = actions.some(
    (action) =>
      action.kind.startsWith('invoke') || (action.kind === 'copy' && [action.from, action.to].includes('heap')),
  );
  const dispatches = actions.filter((action) => action.kind === 'dispatch').length;
  const mode = dispatches === 0 ? 'cpu' : dispatches === 1 && !usesHeap ? 'direct' : 'stepped';
  return { mode, actions, usesHeap };
}

/** A plan without WebNN is one call of TFLite's own Invoke(), which can do what stepping cannot, e.g. control flow. */
type Step = PlanStep | { readonly kind: 'whole' };

function stepsOf({ plan }: ModelDescription): readonly Step[] {
  return plan.some((step) => step.kind === 'webnn') ? plan : [{ kind: 'whole' }];
}

/** Follows where each tensor's current value is, and adds a copy only where it is not yet where it is needed. */
class Residency {
  readonly actions: Action[] = [];
  readonly #places = new Map<number, Set<Place>>();
  readonly #inputPorts = new Map<number, number>();

  constructor({ inputs }: ModelDescription) {
    inputs.forEach(({ index }, port) => {
      this.#places.set(index, new Set(['caller']));
      this.#inputPorts.set(index, port);
    });
  }

  addStep(step: Step, graphs: readonly WebnnGraph[]): void {
    if (step.kind === 'whole') {
      for (const tensor of this.#inputPorts.keys()) this.#need(tensor, 'heap');
      this.actions.push({ kind: 'invoke' });
    } else if (step.kind === 'cpu') {
      for (const tensor of step.inputs) this.#need(tensor, 'heap');
      this.actions.push({ kind: 'invoke-steps', first: step.first, count: step.count });
      for (const tensor of step.outputs) this.#places.set(tensor, new Set(['heap']));
    } else {
      const graph = graphs[step.graph];
      for (const { tensor } of graph?.inputs ?? []) this.#need(tensor, 'webnn');
      this.actions.push({ kind: 'dispatch', graph: step.graph });
      for (const { tensor } of graph?.outputs ?? []) this.#places.set(tensor, new Set(['webnn']));
    }
  }

  copyOut(tensor: number, port: number): void {
    // An input that is also an output passes through the heap: nothing else is its current value's home.
    if (this.#placesOf(tensor).has('caller')) this.#need(tensor, 'heap');
    const from = this.#placesOf(tensor).has('heap') ? 'heap' : 'webnn';
    this.actions.push({ kind: 'copy', tensor, from, to: 'caller', port });
  }

  #need(tensor: number, to: Place): void {
    const places = this.#placesOf(tensor);
    if (places.has(to)) return;
    const [from = 'heap'] = (['caller', 'heap', 'webnn'] as const).filter((place) => places.has(place));
    const port = from === 'caller' ? (this.#inputPorts.get(tensor) ?? null) : null;
    this.actions.push({ kind: 'copy', tensor, from, to, port });
    places.add(to);
  }

  /** What no step has written and the caller does not give (constants, variables) is in the heap from the start. */
  #placesOf(tensor: number): Set<Place> {
    let places = this.#places.get(tensor);
    if (places === undefined) {
      places = new Set(['heap']);
      this.#places.set(tensor, places);
    }
    return places;
  }
}

/** One line per action, for reports and tests: "t3 caller -> webnn", "dispatch graph 0", "invoke steps 1..2". */
export function scheduleText({ actions }: Schedule): string {
  return actions.map(actionText).join('\n');
}

function actionText(action: Action): string {
  if (action.kind === 'copy') return `t${action.tensor} ${action.from} -> ${action.to}`;
  if (action.kind === 'dispatch') return `dispatch graph ${action.graph}`;
  if (action.kind === 'invoke') return 'invoke';
  return `invoke steps ${action.first}..${action.first + action.count - 1}`;
}
