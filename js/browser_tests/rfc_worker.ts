/** Runs the RFC's example in a worker, and posts its result, or the error as text. */

import { orangeImage, runExample } from './rfc_example.js';

runExample(orangeImage()).then(postMessage, (error) => postMessage(`${error}`));
