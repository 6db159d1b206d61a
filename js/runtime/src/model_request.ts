/** The request for a model file. It is made before the script that reads the answer is there. */

import { hasLocalFiles } from './local_files.js';
import type { ModelSource } from './model_source.js';

/**
 * Asks for a model. Whoever waits for the answer hears of a failure.
 *
 * @returns Null where the source is no address that can be asked: bytes, or a file of this machine.
 */
export function requestModel(source: ModelSource, signal: AbortSignal | null = null): Promise<Response> | null {
  if (typeof source !== 'string' && !(source instanceof URL)) return null;
  const url = modelAddress(source);
  if (url.startsWith('file:') && hasLocalFiles()) return null;
  const answer = send(url, signal);
  answer.catch(() => {});
  return answer;
}

/** The address that is asked. */
export function modelAddress(source: string | URL): string {
  return withHubFormat(String(source));
}

async function send(url: string, signal: AbortSignal | null): Promise<Response> {
  return fetch(url, signal === null ? {} : { signal });
}

/** TF Hub gives the file itself only where it is asked for; tfjs-tflite adds this too. */
function withHubFormat(url: string): string {
  const format = '?lite-format=tflite';
  return url.includes('tfhub.dev') && url.includes('lite-model') && !url.endsWith(format) ? url + format : url;
}
