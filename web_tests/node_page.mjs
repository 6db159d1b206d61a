// A page in Node, for web_tests/engines/node.py: `node node_page.mjs ORIGIN SCRIPT PACKAGE_DIR` runs a script of
// web_tests/pages, with addresses relative to the origin, and then the functions that come as lines of JSON:
// { function, argument } -> { value }.

import { register } from 'node:module';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const [origin, script, packageDir] = process.argv.slice(2);
register('./node_hooks.mjs', import.meta.url, { data: { packageDir, pagesDir: dirname(script) } });
globalThis.origin = origin; // as of a page; Node itself has none
const fetchAbsolute = globalThis.fetch;
globalThis.fetch = (address, options) => fetchAbsolute(new URL(address, origin), options);
// Scripts take a thread without a document for a worker (pages/called.mjs): this is what the page has of one.
globalThis.postMessage = () => {
  globalThis.harness = { handle: (data) => globalThis.onmessage({ data }) };
};

const errors = [];
process.on('uncaughtException', (error) => errors.push(String(error)));
globalThis.takeErrors = () => errors.splice(0);

await import(pathToFileURL(script).href);

for await (const line of createInterface({ input: process.stdin })) {
  const { function: source, argument } = JSON.parse(line);
  let answer;
  try {
    answer = { value: (await (0, eval)(`(${source})`)(argument)) ?? null };
  } catch (error) {
    answer = { error: String(error) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
