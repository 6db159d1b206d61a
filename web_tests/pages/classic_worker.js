// A classic worker: receives a model's address, runs the model on zeros, and returns the results.
importScripts('/package/tflite_webnn.js');

const WEBNN = { enableWebnnDelegate: true, webnnDelegateOptions: { ignorePartitionCost: true } };

onmessage = async ({ data }) => {
  const model = await tfliteWebnn.loadTFLiteModel(data, WEBNN);
  const input = new Float32Array(model.inputs[0].shape.reduce((a, b) => a * b));
  const results = await model.run(input);
  postMessage([model.executionMode, results.map(({ data }) => data)]);
};
