// A page in Node, for web_tests/browsers/node.py: `node node_page.mjs ORIGIN SCRIPT PACKAGE_DIR [worker]` runs a script
// of web_tests/pages, with addresses relative to the origin, and then the functions that come as lines of JSON:
// { function, argument } -> { value }. With `worker`, all of that happens in a worker thread, which gets the lines.

import { register } from 'node:module';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';

const LIBRARIES_DIR = fileURLToPath(new URL('../../js/apps/libraries', import.meta.url));
const [origin, script, packageDir, thread] = process.argv.slice(2);

/** Defines the globals that a page's script expects in this thread. */
async function enterPage() {
  const directories = { package: packageDir, libraries: LIBRARIES_DIR, pages: dirname(script) };
  register('./node_hooks.mjs', import.meta.url, { data: directories });
  globalThis.origin = origin; // a page has it, Node does not
  const fetchAbsolute = globalThis.fetch;
  globalThis.fetch = (address, options) => fetchAbsolute(new URL(address, origin), options);
  // Scripts treat a thread without a document as a worker (pages/called.mjs): this is what the page has of one.
  globalThis.postMessage = () => {
    globalThis.harness = { handle: (data) => globalThis.onmessage({ data }) };
  };
  const errors = [];
  process.on('uncaughtException', (error) => errors.push(String(error)));
  globalThis.takeErrors = () => errors.splice(0);
  await import(pathToFileURL(script).href);
}

async function respond(line) {
  const { function: source, argument } = JSON.parse(line);
  try {
    return JSON.stringify({ value: (await (0, eval)(`(${source})`)(argument)) ?? null });
  } catch (error) {
    return JSON.stringify({ error: String(error) });
  }
}

if (!isMainThread) {
  await enterPage();
  parentPort.on('message', async (line) => parentPort.postMessage(await respond(line)));
} else if (thread === 'worker') {
  const worker = new Worker(new URL(import.meta.url), { argv: process.argv.slice(2, 5) });
  worker.on('message', (text) => process.stdout.write(`${text}\n`));
  for await (const line of createInterface({ input: process.stdin })) worker.postMessage(line);
  process.exit(); // the worker waits for further lines
} else {
  await enterPage();
  for await (const line of createInterface({ input: process.stdin })) process.stdout.write(`${await respond(line)}\n`);
}
