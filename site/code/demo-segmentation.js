import { classShares } from 'tflite-webnn/results';
import { ImageSegmenter } from 'tflite-webnn/tasks';

const picture = document.querySelector('img');
const loading = { enableWebnnDelegate: true };
const segmenter = await ImageSegmenter.create('deeplabv3_257.tflite', { loading, range: [-1, 1] });
const segmentation = await segmenter.segment(picture);
const mask = segmentation.classMask(); // { width, height, classes }: a class for each pixel of the picture
const shares = classShares(mask).map(({ index, share }) => ({ label: segmentation.labels[index], share }));
console.table(shares);
