// The worker of program.mjs. Request:
//   name              the program
//   files             [{ path, url }]
//   outputUrl         prefix of the PUT of each written file
//   arguments, workingDirectory, directories, polyfill    as in js/apps/programs/src/run_program.ts
import { runProgram } from '/wasm_programs/run_program.mjs';

async function bytesOf(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} cannot be fetched: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

async function run({ name, files, outputUrl, ...request }) {
  const { default: createProgram } = await import(`/wasm_programs/${name}.mjs`);
  const { exitStatus, written } = await runProgram({
    ...request,
    createProgram,
    wasmBinary: await bytesOf(`/wasm_programs/${name}.wasm`),
    files: await Promise.all(files.map(async ({ path, url }) => ({ path, content: await bytesOf(url) }))),
    helper: new URL('/package/webnn_helper.mjs', location.href),
    print: (line) => postMessage({ line, isError: false }),
    printError: (line) => postMessage({ line, isError: true }),
  });
  for (const { path, content } of written) await fetch(`${outputUrl}${path}`, { method: 'PUT', body: content });
  return exitStatus;
}

addEventListener('message', async ({ data }) => {
  try {
    postMessage({ exitStatus: await run(data) });
  } catch (error) {
    postMessage({ error: String(error.stack ?? error) });
  }
});
