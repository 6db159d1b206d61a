import { loadTFLiteModel } from '../../package/index.mjs';

const loading = loadTFLiteModel('model.tflite');

// Set before the first await: messages that come earlier would be lost.
onmessage = async ({ data: pixels }) => {
  const model = await loading;
  const [scores] = await model.run(pixels);
  postMessage({ mode: model.executionMode, scores: scores.data });
};
