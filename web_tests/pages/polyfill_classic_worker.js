/** A classic worker that installs the polyfill by importScripts(), and posts its results. */
importScripts('/package/webnn_polyfill.js', '/polyfill_run.js');
webnnPolyfill.ready.then(runOnWebnn).then(postMessage, (error) => postMessage(`${error}`));
