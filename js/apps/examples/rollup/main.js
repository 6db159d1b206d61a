import { loadTFLiteModel } from 'tflite-webnn';

const model = await loadTFLiteModel('model.tflite');
const [scores] = await model.run(new Float32Array(model.inputs[0].shape.reduce((a, b) => a * b)));
console.log(model.executionMode, (await model.report()).webnn.reason, scores.data);
