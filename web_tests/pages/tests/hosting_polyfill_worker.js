// @ts-check

/** A classic worker that has imported the polyfill: posts what that computes, or its error. */
webnnPolyfill
  .install({ force: true })
  .then(runOnWebnn)
  .then(
    ({ values }) => postMessage(values),
    (error) => postMessage(String(error)),
  );
