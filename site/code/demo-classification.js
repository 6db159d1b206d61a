import { FilesetResolver, ImageClassifier } from 'tflite-webnn/vision';

const image = document.querySelector('img');
const vision = await FilesetResolver.forVisionTasks();
const baseOptions = { modelAssetPath: 'efficientnet_lite0_int8.tflite' };
const classifier = await ImageClassifier.createFromOptions(vision, { baseOptions, maxResults: 5 });
const { classifications } = await classifier.classifyAsync(image); // on WebNN; classify() waits for the CPU
console.table(classifications[0].categories); // { categoryName, score, index }, best first
