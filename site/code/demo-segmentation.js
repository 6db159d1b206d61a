import { DrawingUtils, FilesetResolver, ImageSegmenter } from 'tflite-webnn/vision';

const image = document.querySelector('img');
const canvas = document.body.appendChild(document.createElement('canvas'));
Object.assign(canvas, { width: image.naturalWidth, height: image.naturalHeight });
const vision = await FilesetResolver.forVisionTasks();
const baseOptions = { modelAssetPath: 'deeplabv3_257.tflite' };
const segmenter = await ImageSegmenter.createFromOptions(vision, { baseOptions, outputCategoryMask: true });
const { categoryMask } = await segmenter.segmentAsync(image); // on WebNN; segment() waits for the CPU
const cat = segmenter.getLabels().indexOf('cat');
new DrawingUtils(canvas.getContext('2d')).drawCategoryMask(categoryMask, new Map([[cat, [255, 128, 0, 160]]]), image);
const pixels = categoryMask.getAsUint8Array().filter((index) => index === cat);
console.table([{ label: 'cat', share: pixels.length / (canvas.width * canvas.height) }]);
