import { loadTFLiteModel } from '../../package/index.mjs';

const loading = loadTFLiteModel('model.tflite');
let runs = 0;

onconnect = ({ ports: [port] }) => {
  port.onmessage = async ({ data: pixels }) => {
    const model = await loading;
    const [scores] = await model.run(pixels);
    port.postMessage({ mode: model.executionMode, runs: ++runs, scores: scores.data });
  };
};
