// Runs models with a built package in Node, as its standard input says, a line of JSON each; each gets a line back.
//
//   node package_process.mjs PACKAGE_DIR VARIANT
//
//   { model, inputs }   loads a file; inputs are files of bytes. Returns {}.
//   { minMs }           runs the model for that long. Returns { ms }, the mean of a run.
//
// A model that is rejected or fails returns { error }.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const ARRAYS = {
  float32: Float32Array,
  float64: Float64Array,
  int64: BigInt64Array,
  uint64: BigUint64Array,
  int32: Int32Array,
  uint32: Uint32Array,
  int16: Int16Array,
  uint16: Uint16Array,
  int8: Int8Array,
  uint8: Uint8Array,
  bool: Uint8Array,
};
const [packageDir, variant] = process.argv.slice(2);
const { loadTFLiteModel } = await import(pathToFileURL(resolve(packageDir, 'node.mjs')).href);
let model, inputs;

for await (const line of createInterface({ input: process.stdin })) {
  let response;
  try {
    response = await respond(JSON.parse(line));
  } catch (error) {
    response = { error: `${error.message ?? error}`.split('\n')[0] };
  }
  console.log(JSON.stringify(response));
}

async function respond(request) {
  if (request.minMs) return { ms: await meanMs(request.minMs) };
  await model?.dispose();
  model = undefined;
  const options = { device: 'cpu', numThreads: 1, variant };
  model = await loadTFLiteModel(new Uint8Array(readFileSync(request.model)), options);
  inputs = request.inputs.map((file, index) => {
    const bytes = Uint8Array.from(readFileSync(file));
    return new ARRAYS[model.inputs[index].dtype](bytes.buffer);
  });
  await model.run(inputs);
  return {};
}

async function meanMs(minMs) {
  const start = performance.now();
  let runs = 0;
  let ms = 0;
  do {
    await model.run(inputs);
    runs += 1;
    ms = performance.now() - start;
  } while (ms < minMs);
  return ms / runs;
}
