// Concurrent calls on a model. Each function returns plain data.

import { loadTFLiteModel } from '/package/index.mjs';

const outcome = (promise) => promise.then(() => 'fulfilled', (error) => error?.name ?? String(error));

/** float32 inputs, a different wave for each number. */
function inputsOf(model, number) {
  return model.inputs.map(({ sizeBytes }) =>
    Float32Array.from({ length: sizeBytes / Float32Array.BYTES_PER_ELEMENT }, (_, at) => Math.sin(at * (number + 1))),
  );
}

const isSame = (some, others) =>
  some.every(({ data }, position) => data.every((value, at) => Object.is(value, others[position].data[at])));

/** Runs with different inputs, one after the other and then all in parallel. -> whether each answer is the same again */
export async function parallelRuns(url, options, count) {
  const model = await loadTFLiteModel(url, options);
  const inputs = Array.from({ length: count }, (_, number) => inputsOf(model, number));
  const expected = [];
  for (const arrays of inputs) expected.push(await model.run(arrays));
  const found = await Promise.all(inputs.map((arrays) => model.run(arrays)));
  const differ = !isSame(expected[0], expected[1]);
  const { executionMode } = model;
  model.dispose();
  return { executionMode, differ, same: found.map((outputs, number) => isSame(outputs, expected[number])) };
}

/** Disposes of a model during one run, while others wait. -> the outcomes of the runs */
export async function disposeWhileRunsWait(url, options, count) {
  const model = await loadTFLiteModel(url, options);
  const runs = Array.from({ length: count }, (_, number) => outcome(model.run(inputsOf(model, number))));
  model.dispose();
  return Promise.all(runs);
}

/** Runs a model on the page's own context, and destroys the context during the run. -> outcome, a run afterwards */
export async function destroyContextWhileRunning(url) {
  const context = await navigator.ml.createContext();
  const model = await loadTFLiteModel(url, { enableWebnnDelegate: true, webnnDelegateOptions: { context } });
  const inputs = inputsOf(model, 0);
  const expected = await model.run(inputs);
  const run = model.run(inputs);
  context.destroy();
  const answer = await run.then((outputs) => (isSame(outputs, expected) ? 'fulfilled' : 'another result'), (e) => e.name);
  const again = isSame(await model.run(inputs), expected);
  const { executionMode } = model;
  const report = await model.report();
  model.dispose();
  return { answer, again, executionMode, losses: report.webnn.contextLosses };
}

/** Aborts loading while the browser builds the graph. -> the outcome, after the browser has finished the build */
export async function abortWhileBuilding(url, options) {
  const { build } = MLGraphBuilder.prototype;
  const controller = new AbortController();
  const built = [];
  MLGraphBuilder.prototype.build = function (...args) {
    const building = build.apply(this, args);
    built.push(building);
    queueMicrotask(() => controller.abort(new RangeError('no longer wanted')));
    return building;
  };
  try {
    const answer = await outcome(loadTFLiteModel(url, { ...options, signal: controller.signal }));
    await Promise.allSettled(built);
    return { answer, builds: built.length };
  } finally {
    MLGraphBuilder.prototype.build = build;
  }
}

/** Aborts a download midway. -> the outcome, and the cancel reason that the sender received */
export async function abortWhileDownloading(url, options) {
  const bytes = new Uint8Array(await (await fetch(url)).arrayBuffer());
  const controller = new AbortController();
  const canceled = [];
  const stream = new ReadableStream({
    start: (sender) => sender.enqueue(bytes.subarray(0, bytes.length >> 1)),
    pull: () => controller.abort(new RangeError('no longer wanted')),
    cancel: (reason) => void canceled.push(reason.name),
  });
  const source = new Response(stream, { headers: { 'Content-Length': String(bytes.length) } });
  const answer = await outcome(loadTFLiteModel(source, { ...options, signal: controller.signal }));
  return { answer, canceled };
}
