// A language model's cache as a state, and by hand. The same program in pages, in workers and in Node.

const positions = (first, count) => Int32Array.from({ length: count }, (_, index) => first + index);

const largest = (values) => values.indexOf(values.reduce((a, b) => Math.max(a, b)));

/** Greedy decoding, from the last token of the prompt again: `run(key, inputs)` runs a signature -> the logits of each step. */
async function decoded(run, prompt, steps) {
  await run('prefill', { tokens: Int32Array.from(prompt), input_pos: positions(0, prompt.length) });
  const logits = [];
  let token = prompt.at(-1);
  for (let step = 0; step < steps; step++) {
    const inputs = { tokens: Int32Array.of(token), input_pos: positions(prompt.length + step, 1) };
    logits.push([...(await run('decode', inputs)).logits.data]);
    token = largest(logits.at(-1));
  }
  return logits;
}

/** Decodes with a state, with the caches of the results as inputs, and with the state again -> logits, modes. */
export async function threeWays(model, prompt, steps) {
  const state = await model.createState();
  const withState = (key, inputs) => model.runSignature(key, inputs, { state });
  const resident = await decoded(withState, prompt, steps);
  const caches = {};
  for (const { name, sizeBytes } of state.tensors) caches[name] = new Float32Array(sizeBytes / 4);
  const byHand = await decoded(
    async (key, inputs) => {
      const results = await model.runSignature(key, { ...inputs, ...caches });
      for (const name of Object.keys(caches)) caches[name] = results[name].data;
      return results;
    },
    prompt,
    steps,
  );
  let distance = 0;
  for (const { name } of state.tensors) {
    const values = await state.read(name);
    values.forEach((value, index) => {
      distance = Math.max(distance, Math.abs(value - caches[name][index]));
    });
  }
  await state.reset();
  const again = await decoded(withState, prompt, steps);
  const { executionMode, subgraphs } = await model.report();
  const { tensors } = state;
  await state.dispose();
  return { resident, byHand, again, distance, tensors, modes: [executionMode, subgraphs[0].executionMode] };
}

/** Decodes with a state that loses its context after two steps -> the error, and the logits after reset(). */
export async function withLoss(model, prompt, steps, lose) {
  const state = await model.createState();
  const run = (key, inputs) => model.runSignature(key, inputs, { state });
  await decoded(run, prompt, 2);
  await lose(model);
  const error = await run('decode', { tokens: Int32Array.of(1), input_pos: positions(6, 1) }).catch((reason) => reason);
  await state.reset();
  return { name: error.name, message: error.message, logits: await decoded(run, prompt, steps) };
}

/** What wrong uses of a state say -> [name, message] of each error. */
export async function wrongUses(model, other) {
  const [state, foreign, disposed] = [await model.createState(), await other.createState(), await model.createState()];
  await disposed.dispose();
  const inputs = { tokens: Int32Array.of(1), input_pos: Int32Array.of(0) };
  const uses = [
    () => model.createState(['kv_cache_z_0']),
    () => model.createState(['nothing*']),
    () => model.createState({ tokens: 'logits' }),
    () => model.runSignature('decode', inputs, { state: foreign }),
    () => model.runSignature('decode', inputs, { state: disposed }),
    () => model.runSignature('decode', { ...inputs, kv_cache_k_0: new Float32Array(4) }, { state }),
    () => state.write('kv_cache_k_0', new Float32Array(4)),
    () => state.read('tokens'),
  ];
  const outcomes = [];
  for (const use of uses) {
    outcomes.push(await use().then(() => ['none', ''], ({ code, message }) => [code, message]));
  }
  return outcomes;
}
