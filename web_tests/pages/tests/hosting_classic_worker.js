// @ts-check

/**
 * A classic worker that has imported the package of another origin: receives that origin, runs its model, and posts
 * numbers of outputs and the execution mode, or the error.
 */
addEventListener('message', ({ data: cdn }) => {
  const url = `${cdn}/exchange/sin`;
  const x = new Float32Array(8);
  const lengths = async () => {
    const here = await tfliteWebnn.loadTFLiteModel(url);
    const there = await new tfliteWebnn.TFLiteWorker().loadTFLiteModel(url);
    const webnnDelegateOptions = { blocking: true, ignorePartitionCost: true };
    const blocking = { enableWebnnDelegate: true, webnnDelegateOptions };
    const { executionMode } = await tfliteWebnn.loadTFLiteModel(url, blocking);
    return [(await here.run(x))[0].data.length, (await there.run(x))[0].data.length, executionMode];
  };
  lengths().then(postMessage, (error) => postMessage(String(error)));
});
