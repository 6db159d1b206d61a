/** A module worker that installs the polyfill, and posts its results. */
import { install } from '/package/polyfill.mjs';
import '/polyfill_run.js';

install().then(runOnWebnn).then(postMessage, (error) => postMessage(`${error}`));
