import { DrawingUtils, FaceLandmarker, FilesetResolver } from 'tflite-webnn/vision';

const image = document.querySelector('img');
const canvas = document.body.appendChild(document.createElement('canvas'));
Object.assign(canvas, { width: image.naturalWidth, height: image.naturalHeight });
const vision = await FilesetResolver.forVisionTasks();
const landmarker = await FaceLandmarker.createFromModelPath(vision, 'face_landmarker.task');
const { faceLandmarks } = await landmarker.detectAsync(image); // on WebNN; detect() waits for the CPU
const drawing = new DrawingUtils(canvas.getContext('2d'));
for (const points of faceLandmarks) {
  drawing.drawConnectors(points, FaceLandmarker.FACE_LANDMARKS_CONTOURS, { color: 'gold', lineWidth: 1 });
  console.table(points); // 478 points: x and y from 0 to 1
}
