/** A context as its tensors and graphs see it. */
export interface Owner {
  readonly accelerated: boolean;
  readonly isLost: boolean;
  /** @throws where a tensor is of another context, or destroyed; `what` names it. */
  checkOwn(tensor: Owned, what: string): void;
}

/** A tensor as its context sees it. */
export interface Owned {
  readonly context: Owner;
  readonly isDestroyed: boolean;
}
