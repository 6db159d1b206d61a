import { mediapipeHead } from 'tflite-webnn/results';
import { ObjectDetector } from 'tflite-webnn/tasks';

const image = document.querySelector('img');
const head = mediapipeHead('face_short_range'); // none for models with metadata, yoloHead() for YOLO
const options = { head, range: [-1, 1], fit: 'letterbox', labels: ['face'] };
const detector = await ObjectDetector.create('face_detection_short_range.tflite', options);
const detections = await detector.detect(image);
console.table(detections.map(({ label, score, box }) => ({ label, score, ...box }))); // pixels of the image
