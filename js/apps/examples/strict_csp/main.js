import { loadTFLiteModel } from 'tflite-webnn';

const model = await loadTFLiteModel('model.tflite');
const [scores] = await model.run(new Float32Array(16 * 16 * 3));
console.log(model.executionMode, scores.data);
