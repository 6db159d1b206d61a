import { ImageClassifier } from 'tflite-webnn/tasks';

const image = document.querySelector('img');
const classifier = await ImageClassifier.create('efficientnet_lite0_int8.tflite', { k: 5 });
console.table(await classifier.classify(image)); // { label, score, index }, best first
