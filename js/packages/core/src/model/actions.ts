/** The actions of a run. */

/** Where the current value of a tensor may be: in the caller's array, in the wasm heap, in an MLTensor. */
export type Place = 'caller' | 'heap' | 'webnn';

/** A copy of a tensor. */
export interface CopyAction {
  readonly kind: 'copy';
  readonly tensor: number;
  readonly from: Place;
  readonly to: Place;
  /** Position among the model's inputs or outputs where one side is the caller. */
  readonly port: number | null;
  /** Index into the slots where one side is WebNN. */
  readonly slot: number | null;
}

/** The tensors of a dispatch: indices into the slots, by the names of the graph's inputs or outputs. */
export type Bindings = Readonly<Record<string, number>>;

/** A dispatch of a graph. */
export interface DispatchAction {
  readonly kind: 'dispatch';
  readonly graph: number;
  readonly inputs: Bindings;
  readonly outputs: Bindings;
}

/** One thing that a run does. */
export type Action =
  | CopyAction
  | DispatchAction
  | { readonly kind: 'invoke' }
  | { readonly kind: 'invoke-steps'; readonly first: number; readonly count: number };
