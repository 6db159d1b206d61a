// A language model whose cache stays where the model computes: prefill and decode share a state.
//
// For models of litert-torch: signatures `prefill_<count>` and `decode` with the inputs tokens, input_pos, perhaps mask,
// and caches that are inputs and outputs. language_model.html is a page around it.

/** What the signatures of a model need, found once. */
function shapeOf(model, state, contextLength) {
  const prefill = model.signatures.filter(({ key }) => key.startsWith('prefill'));
  const inputs = new Map(model.inputs.map((info) => [info.index, info]));
  const steps = prefill.map(({ key, subgraph, inputs: named }) => {
    const { tensor } = named.find(({ name }) => name === 'tokens') ?? {};
    const ownShape = subgraph === 0 ? inputs.get(tensor)?.shape : undefined;
    return { key, count: ownShape?.at(-1) ?? Number(/\d+$/.exec(key)?.[0]) };
  });
  const mask = model.inputs.find(({ name }) => /mask/.test(name));
  const decode = decodeOf(model);
  return {
    // The longest first.
    prefill: steps.filter(({ count }) => count > 0).sort((a, b) => b.count - a.count),
    hasMask: decode.inputs.some(({ name }) => name === 'mask'),
    maskType: mask?.dtype ?? 'float32',
    contextLength: contextLength ?? mask?.shape.at(-1) ?? Math.max(...state.tensors[0].shape),
  };
}

/** The signature that adds a token. @throws Error if the model is none of a language. */
function decodeOf(model) {
  const decode = model.signatures.find(({ key }) => key === 'decode');
  if (decode?.inputs.some(({ name }) => name === 'tokens')) return decode;
  throw new Error('This page needs a model with a signature `decode` that takes tokens.');
}

/** A generator of tokens. Its state is one conversation; `reset()` begins another. */
export class TextGenerator {
  #position = 0;

  /**
   * @param {import('../package/index.mjs').Model} model - Loaded in the page or in a worker.
   * @param {{ contextLength?: number }} options - Tokens that the cache holds; by default found in the model.
   */
  static async of(model, { contextLength } = {}) {
    decodeOf(model); // before what would fail with another message
    const state = await model.createState();
    return new TextGenerator(model, state, shapeOf(model, state, contextLength));
  }

  constructor(model, state, shape) {
    this.model = model;
    this.state = state;
    this.shape = shape;
  }

  /** Number of tokens that the cache holds. */
  get contextLength() {
    return this.shape.contextLength;
  }

  /** Forgets the conversation. */
  async reset() {
    this.#position = 0;
    await this.state.reset();
  }

  /**
   * Adds a prompt and continues it.
   *
   * @param {readonly number[]} prompt - Its tokens, at least one.
   * @param {{ signal?: AbortSignal, choose?: (logits: Float32Array) => number, onPrefill?: () => void }} options - When to
   *   stop; how a token is chosen, by default the likeliest one; called when the prompt was read.
   * @yields {number} Token after token, until the cache is full, or the loop is left.
   */
  async *generate(prompt, { signal, choose = likeliest, onPrefill } = {}) {
    let token = prompt.at(-1);
    await this.#read(prompt.slice(0, -1));
    onPrefill?.();
    while (this.#position < this.contextLength && !signal?.aborted) {
      token = choose(await this.#decode(token));
      yield token;
    }
  }

  async #read(tokens) {
    const rest = [...tokens];
    while (rest.length > 0) {
      const room = this.contextLength - this.#position;
      if (rest.length > room) throw new RangeError(`The cache holds ${this.contextLength} tokens: the prompt is too long.`);
      // What a longer step writes beyond the prompt is overwritten before it is seen, but it must lie in the cache.
      const step = this.shape.prefill.find(({ count }) => count <= room && count <= 2 * rest.length);
      if (step === undefined) await this.#decode(rest.shift());
      else await this.#prefill(step, rest.splice(0, step.count));
    }
  }

  async #prefill({ key, count }, tokens) {
    const padded = new Int32Array(count);
    padded.set(tokens);
    await this.model.runSignature(key, this.#inputs(padded), { state: this.state });
    this.#position += tokens.length;
  }

  async #decode(token) {
    const inputs = this.#inputs(Int32Array.of(token));
    const { logits } = await this.model.runSignature('decode', inputs, { state: this.state });
    this.#position++;
    return logits.dequantized();
  }

  #inputs(tokens) {
    const positions = Int32Array.from(tokens, (_, index) => this.#position + index);
    const { hasMask, maskType, contextLength } = this.shape;
    const inputs = { tokens, input_pos: positions };
    return hasMask ? { ...inputs, mask: causalMask(positions, contextLength, maskType) } : inputs;
  }
}

/** Each position sees itself and those before it. */
function causalMask(positions, length, type) {
  const Values = type === 'bool' ? Uint8Array : Float32Array;
  const [seen, unseen] = type === 'bool' ? [1, 0] : [0, -1e9];
  const mask = new Values(positions.length * length).fill(unseen);
  positions.forEach((position, row) => {
    mask.fill(seen, row * length, row * length + position + 1);
  });
  return mask;
}

/** The token with the largest logit. */
export function likeliest(logits) {
  return logits.reduce((best, value, index) => (value > logits[best] ? index : best), 0);
}

/** Chooses at random, by the softmax of the largest logits: a lower temperature is more predictable. */
export function sampled(temperature, count = 40, random = Math.random) {
  return (logits) => {
    const order = Array.from(logits, (value, index) => ({ value, index }))
      .sort((a, b) => b.value - a.value)
      .slice(0, count);
    const weights = order.map(({ value }) => Math.exp((value - order[0].value) / temperature));
    let rest = random() * weights.reduce((sum, weight) => sum + weight, 0);
    return order[weights.findIndex((weight) => (rest -= weight) <= 0)]?.index ?? order[0].index;
  };
}
