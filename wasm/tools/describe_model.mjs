// Describes a model with the compiled module, in Node and without a browser: prints the JSON of
// tflite_runner_description, or the JSON of tflite_runner_error with exit code 1.
//
//   node describe_model.mjs MODULE.mjs MODEL.tflite [KEY=VALUE | KEY=@FILE]...
//
// The options are those of tflite_runner_set_option; @FILE takes the value from a file. Constants lose
// their address, which means nothing outside, and gain "sha256", the first 12 digits of their content's.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [modulePath, modelPath, ...options] = process.argv.slice(2);
const { default: createModule } = await import(pathToFileURL(modulePath).href);
const module = await createModule({ wasmBinary: readFileSync(modulePath.replace(/\.mjs$/, '.wasm')) });

function allocateText(text) {
  const sizeBytes = module.lengthBytesUTF8(text) + 1;
  const address = module._malloc(sizeBytes);
  module.stringToUTF8(text, address, sizeBytes);
  return address;
}

function check(runner, status) {
  if (status === 0) return;
  console.log(module.UTF8ToString(module._tflite_runner_error(runner)));
  process.exit(1);
}

function contentHash({ address, byteLength }) {
  return createHash('sha256').update(module.HEAPU8.subarray(address, address + byteLength)).digest('hex').slice(0, 12);
}

const runner = module._tflite_runner_create();
for (const option of options) {
  const [key] = option.split('=', 1);
  const text = option.slice(key.length + 1);
  const value = text.startsWith('@') ? readFileSync(text.slice(1), 'utf8') : text;
  check(runner, module._tflite_runner_set_option(runner, allocateText(key), allocateText(value)));
}
const model = readFileSync(modelPath);
const address = module._malloc(model.length);
module.HEAPU8.set(model, address);
check(runner, module._tflite_runner_init(runner, address, model.length));

const description = JSON.parse(module.UTF8ToString(module._tflite_runner_description(runner)));
for (const graph of description.graphs) {
  for (const constant of graph.constants) {
    constant.sha256 = contentHash(constant);
    delete constant.address;
  }
}
console.log(JSON.stringify(description));
