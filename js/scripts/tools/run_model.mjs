// Runs a model with the built package, in Node.
//
//   node run_model.mjs PACKAGE_DIR < REQUEST
//
// REQUEST is JSON:
//   model        path of a .tflite file
//   options      TFLiteModelOptions
//   inputs       the bytes of each input, in base64
// Prints JSON: { executionMode, report, outputInfos, outputs, streamed }. `outputs` are those of run(), `streamed` those of
// stream() with the same inputs twice, in base64.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

const ARRAYS = { float32: Float32Array, int8: Int8Array, uint8: Uint8Array, int32: Int32Array };

const packageDir = process.argv[2];
const { loadTFLiteModel } = await import(pathToFileURL(resolve(packageDir, 'index.mjs')).href);

const { model: path, options, inputs: contents } = JSON.parse(await readAll(process.stdin));
const model = await loadTFLiteModel(new Uint8Array(await readFile(path)), options);
const inputs = contents.map((content, index) => {
  return new ARRAYS[model.inputs[index].dtype](Uint8Array.from(Buffer.from(content, 'base64')).buffer);
});

const outputs = toText(await model.run(inputs));
const streamed = [];
for await (const results of model.stream([inputs, inputs])) streamed.push(toText(results));

const { executionMode, outputs: outputInfos } = model;
const report = await model.report();
process.stdout.write(JSON.stringify({ executionMode, report, outputInfos, outputs, streamed }));
model.dispose();

function toText(results) {
  return results.map(({ data: { buffer, byteOffset, byteLength } }) =>
    Buffer.from(buffer, byteOffset, byteLength).toString('base64'),
  );
}
