/** Which token comes next. */

/** How a token is chosen. */
export interface SamplingOptions {
  /** 0 for the likeliest token, 1 for chances as the model has them, more for surprises. Default: 0. */
  readonly temperature?: number;
  /** Only the likeliest tokens count, so many; at most 1000. Default: 40. */
  readonly topK?: number;
  /** Of them only the likeliest that together have this probability. Default: 1. */
  readonly topP?: number;
  /** Makes the choice repeatable: an integer from 0 to 2^32 - 1. Default: another one each time. */
  readonly seed?: number;
}

interface Candidate {
  readonly token: number;
  readonly logit: number;
}

const DEFAULT_TOP_K = 40;

/** Chooses tokens by their logits. */
export function sampler(options: SamplingOptions): (logits: ArrayLike<number>) => number {
  const { temperature = 0, topK = DEFAULT_TOP_K, topP = 1, seed } = options;
  const random = seed === undefined ? Math.random : mulberry32(seed);
  return (logits) => {
    const [best, ...others] = likeliest(logits, temperature > 0 ? topK : 1) as [Candidate, ...Candidate[]];
    if (others.length === 0) return best.token;
    const candidates = [best, ...others];
    const weights = candidates.map(({ logit }) => Math.exp((logit - best.logit) / temperature));
    let left = random() * nucleus(weights, topP);
    const chosen = candidates.find((_, index) => {
      left -= weights[index] as number;
      return left <= 0;
    });
    return (chosen ?? best).token;
  };
}

/** The largest logits, largest first. One pass: vocabularies have 250,000 tokens. */
function likeliest(logits: ArrayLike<number>, count: number): Candidate[] {
  const best: Candidate[] = [];
  let lowest = Number.NEGATIVE_INFINITY;
  for (let token = 0; token < logits.length; token++) {
    const logit = logits[token] as number;
    if (best.length === count && !(logit > lowest)) continue;
    let index = best.length;
    while (index > 0 && !((best[index - 1] as Candidate).logit >= logit)) index--;
    best.splice(index, 0, { token, logit });
    if (best.length > count) best.pop();
    lowest = (best.at(-1) as Candidate).logit;
  }
  return best;
}

/** The sum of the first weights that have the share `topP` of all; later ones become 0. */
function nucleus(weights: number[], topP: number): number {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let sum = 0;
  weights.forEach((weight, index) => {
    if (index > 0 && sum >= topP * total) weights[index] = 0;
    else sum += weight;
  });
  return sum;
}

/** Numbers from 0 to 1 that depend on the seed alone: Tommy Ettinger's Mulberry32. */
function mulberry32(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
