import { classShares } from 'tflite-webnn/results';
import { ImageSegmenter } from 'tflite-webnn/tasks';

const image = document.querySelector('img');
const segmenter = await ImageSegmenter.create('deeplabv3_257.tflite');
const segmentation = await segmenter.segment(image);
const mask = segmentation.classMask(); // width, height, and the class of each pixel of the image
const labels = segmentation.labels;
console.table(classShares(mask).map(({ index, share }) => ({ label: labels[index], share }))); // largest first
