// The session in Node, for tests in Python: a line of JSON in, a line of JSON out.
// node session_server.mjs BUNDLE VARIANT WASM
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const [bundle, variant, wasm] = process.argv.slice(2);
const { default: tfliteWebnn } = await import(pathToFileURL(bundle).href);
const script = readFileSync(bundle, 'utf8').trimEnd();
const classic = `${script.slice(0, script.lastIndexOf('\n'))}\ntfliteWebnnPyodide.runHelper();`;
const helperUrl = `data:text/javascript;base64,${Buffer.from(classic).toString('base64')}`;
const backend = tfliteWebnn.createBackend(variant, readFileSync(wasm), helperUrl);
const sessions = new Map();
let lastSession = 0;

async function respond({ session, method, args, view }) {
  if (method === 'release') return sessions.delete(session);
  const result = await (session === null ? backend : sessions.get(session))[method](...args);
  if (method === 'openSession' || method === 'openMetadata') {
    sessions.set(++lastSession, result);
    return lastSession;
  }
  if (view === undefined) return result ?? null;
  if (view.what === 'size') return result.byteLength;
  const part = result.subarray(view.begin, view.end);
  if (view.what === 'read') return Buffer.from(part).toString('base64');
  part.set(Buffer.from(view.content, 'base64'));
  return null;
}

for await (const line of createInterface({ input: process.stdin })) {
  let response;
  try {
    response = { result: await respond(JSON.parse(line)) };
  } catch ({ name, code, message, stack }) {
    response = { error: { name, code: code ?? '', message, stack } };
  }
  process.stdout.write(`${JSON.stringify(response)}\n`);
}
