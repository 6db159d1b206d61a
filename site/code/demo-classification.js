import { ImageClassifier } from 'tflite-webnn/tasks';

const picture = document.querySelector('img');
const loading = { enableWebnnDelegate: true };
const classifier = await ImageClassifier.create('efficientnet_lite0_int8.tflite', { loading, k: 5 });
console.table(await classifier.classify(picture)); // { label, score, index }, best first
