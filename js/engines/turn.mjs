// A turn ends here even where a run takes no time.
const MAX_RUNS_PER_TURN = 1000;

/**
 * A model's turn in a round: runs once, so that it finds the caches as the others have left them, then for a while.
 *
 * @param leastMs - How long that is, at least.
 * @returns {Promise<number>} The milliseconds of a run.
 */
export async function turn(model, inputs, leastMs) {
  await model.run(inputs);
  const start = performance.now();
  let runs = 0;
  let ms = 0;
  do {
    await model.run(inputs);
    runs += 1;
    ms = performance.now() - start;
  } while (ms < leastMs && runs < MAX_RUNS_PER_TURN);
  return ms / runs;
}
