// Describes a model with the compiled module, in Node and without a browser: prints the JSON of
// tflite_runner_description, or the JSON of tflite_runner_error with exit code 1.
//
//   node describe_model.mjs MODULE.mjs MODEL.tflite [KEY=VALUE | KEY=@FILE]...
//
// The options are those of tflite_runner_set_option; @FILE takes the value from a file. Constants lose
// their address, which means nothing outside, and gain "sha256", the first 12 digits of their content's.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { moduleFactory, Runner, RunnerError } from './module.mjs';

const [modulePath, modelPath, ...options] = process.argv.slice(2);
const start = await moduleFactory(modulePath);
const module = await start();

function contentHash({ address, byteLength }) {
  return createHash('sha256').update(module.HEAPU8.subarray(address, address + byteLength)).digest('hex').slice(0, 12);
}

function describe() {
  const runner = new Runner(module);
  for (const option of options) {
    const [key] = option.split('=', 1);
    const text = option.slice(key.length + 1);
    runner.setOption(key, text.startsWith('@') ? readFileSync(text.slice(1), 'utf8') : text);
  }
  runner.init(readFileSync(modelPath));
  const description = JSON.parse(runner.description());
  for (const graph of description.graphs) {
    for (const constant of graph.constants) {
      constant.sha256 = contentHash(constant);
      delete constant.address;
    }
  }
  return JSON.stringify(description);
}

try {
  console.log(describe());
} catch (error) {
  if (!(error instanceof RunnerError)) throw error;
  console.log(error.json);
  process.exitCode = 1;
}
