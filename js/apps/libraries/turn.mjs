// A turn ends after so many runs, even if the clock does not advance.
const MAX_RUNS_PER_TURN = 1000;

/**
 * A model's turn in a round: one run on the caches that the others left, then timed runs.
 *
 * @param minMs - The minimum duration of the timed runs.
 * @returns {Promise<number>} The milliseconds of a run.
 */
export async function turn(model, inputs, minMs) {
  const run = model.runAgain ?? model.run;
  await run(inputs);
  const start = performance.now();
  let runs = 0;
  let ms = 0;
  do {
    await run(inputs);
    runs += 1;
    ms = performance.now() - start;
  } while (ms < minMs && runs < MAX_RUNS_PER_TURN);
  return ms / runs;
}
