import { loadTFLiteModel } from 'tflite-webnn';
import { imageToTensor } from 'tflite-webnn/image';
import { mediapipeHead, regionAround, rotationBetween, toLandmarks } from 'tflite-webnn/results';
import { ObjectDetector } from 'tflite-webnn/tasks';

const picture = document.querySelector('img');
const loading = { enableWebnnDelegate: true };
const head = mediapipeHead({ inputSize: 128, strides: [8, 16, 16, 16], keyPoints: 6 });
const found = { head, range: [-1, 1], fit: 'letterbox', overlap: 0.3, duplicates: 'merge', loading };
const detector = await ObjectDetector.create('face_detection_short_range.tflite', found);
const mesh = await loadTFLiteModel('face_landmark_f32.tflite', loading);
const inputSize = { width: 192, height: 192 };
for (const { box, keyPoints } of await detector.detect(picture)) {
  const region = regionAround(box, { rotation: rotationBetween(keyPoints[0], keyPoints[1], 0), scale: 1.5 });
  const { data, placement } = await imageToTensor(picture, mesh, { region, range: [0, 1] });
  const [points] = await mesh.run([data]);
  console.table(toLandmarks(points, { inputSize, numbers: 3, count: 468, placement })); // pixels of the picture
}
