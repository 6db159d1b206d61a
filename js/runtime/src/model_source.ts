/** Where a model comes from. */

import { ModelFetchError, messageOf } from './errors.js';

/** A model file: its address, its bytes, or the answer to a request for it. */
export type ModelSource = string | URL | ArrayBuffer | Uint8Array | Response;

/**
 * Gets the bytes of a model.
 *
 * @throws ModelFetchError where the request fails or the server's answer is not a success.
 */
export async function fetchModel(source: ModelSource): Promise<Uint8Array> {
  if (source instanceof Uint8Array) return source;
  if (source instanceof ArrayBuffer) return new Uint8Array(source);
  if (source instanceof Response) return readBody(source, source.url || 'the given Response');
  if (typeof source !== 'string' && !(source instanceof URL)) {
    throw new ModelFetchError('A model is given as a URL, ArrayBuffer, Uint8Array or Response.', null);
  }
  return readBody(await request(String(source)), String(source));
}

async function request(url: string): Promise<Response> {
  try {
    return await fetch(url);
  } catch (error) {
    throw new ModelFetchError(
      `Could not fetch the model ${url} (${messageOf(error)}). Is the address right, and does its server allow this page (CORS)?`,
      null,
      { cause: error, details: { url } },
    );
  }
}

async function readBody(response: Response, url: string): Promise<Uint8Array> {
  const { ok, status, statusText } = response;
  if (!ok) {
    const answer = `HTTP ${status} ${statusText}`.trim();
    throw new ModelFetchError(`Could not fetch the model ${url}: the server answered ${answer}.`, status, {
      details: { url },
    });
  }
  try {
    return new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    const message = `The download of the model ${url} broke off (${messageOf(error)}).`;
    throw new ModelFetchError(message, status, { cause: error, details: { url } });
  }
}
