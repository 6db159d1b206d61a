// Describes models with the compiled module, in Node without a browser. Prints one line per model: the JSON of
// tflite_runner_description, or {"error": the JSON of tflite_runner_error}.
//
//   node describe_models.mjs MODULE.mjs [KEY=VALUE | KEY=@FILE]... -- MODEL.tflite...
//
// The options are those of tflite_runner_set_option; @FILE reads the value from a file. Constants lose
// their address, which means nothing outside, and gain "sha256", the first 12 digits of their content's.
// Each model gets its own instance: a trap becomes the error CRASHED and does not affect other models.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { moduleFactory, Runner, RunnerError } from './module.mjs';

const [modulePath, ...args] = process.argv.slice(2);
const options = args.slice(0, args.indexOf('--')).map((option) => {
  const [key] = option.split('=', 1);
  const text = option.slice(key.length + 1);
  return [key, text.startsWith('@') ? readFileSync(text.slice(1), 'utf8') : text];
});
const start = await moduleFactory(modulePath);

function contentHash(module, runner, constant) {
  const address = runner.constant(constant);
  const bytes = module.HEAPU8.subarray(address, address + constant.byteLength);
  return createHash('sha256').update(bytes).digest('hex').slice(0, 12);
}

function describe(module, modelPath) {
  const runner = new Runner(module);
  for (const [key, value] of options) runner.setOption(key, value);
  runner.init(readFileSync(modelPath));
  const description = JSON.parse(runner.description());
  for (const graph of description.graphs) {
    for (const constant of graph.constants) {
      constant.sha256 = contentHash(module, runner, constant);
      delete constant.address;
    }
  }
  return description;
}

for (const modelPath of args.slice(args.indexOf('--') + 1)) {
  const module = await start({ printErr: () => {} });
  let result;
  try {
    result = describe(module, modelPath);
  } catch (error) {
    result = { error: error instanceof RunnerError ? JSON.parse(error.json) : { code: 'CRASHED', message: error.stack } };
  }
  console.log(JSON.stringify(result));
}
