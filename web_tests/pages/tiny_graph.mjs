// Times a graph that hardly computes, on the polyfill's engine `tflite`: the cost of the WebNN calls alone.

import { turn } from '/libraries/turn.mjs';
import { tfliteEngine, webnnOf } from '/package/polyfill.mjs';

const WARMUP_TURNS = 5;

/**
 * Milliseconds of writeTensor, dispatch and readTensor, for each turn, with the engine in the thread `own`, `worker` or
 * `auto`.
 */
export async function time(thread, turns, leastTurnMs) {
  const { navigator, MLGraphBuilder } = webnnOf(tfliteEngine({ thread }));
  const context = await navigator.ml.createContext();
  const descriptor = { dataType: 'float32', shape: [4] };
  const builder = new MLGraphBuilder(context);
  const x = builder.input('x', descriptor);
  const graph = await builder.build({ y: builder.add(x, x) });
  const inputs = { x: await context.createTensor({ ...descriptor, writable: true }) };
  const outputs = { y: await context.createTensor({ ...descriptor, readable: true }) };
  const values = Float32Array.of(1, 2, 3, 4);
  const results = new Float32Array(4);
  const run = async () => {
    context.writeTensor(inputs.x, values);
    context.dispatch(graph, inputs, outputs);
    await context.readTensor(outputs.y, results);
  };
  const times = [];
  for (let count = -WARMUP_TURNS; count < turns; count++) {
    const ms = await turn({ run }, [], leastTurnMs);
    if (count >= 0) times.push(ms);
  }
  context.destroy();
  if (results.join() !== '2,4,6,8') throw new Error(`the tiny graph computes ${results}`);
  return times;
}
