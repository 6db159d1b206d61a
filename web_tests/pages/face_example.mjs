// A page as MediaPipe's public example of FaceLandmarker is: the same calls in the same order, written for this test.
// It does not know whose `@mediapipe/tasks-vision` it gets.

import { DrawingUtils, FaceLandmarker, FilesetResolver } from '@mediapipe/tasks-vision';

const video = document.querySelector('#webcam');
const canvas = document.querySelector('#output_canvas');
const LINES = [
  [FaceLandmarker.FACE_LANDMARKS_TESSELATION, { color: '#C0C0C070', lineWidth: 1 }],
  [FaceLandmarker.FACE_LANDMARKS_RIGHT_EYE, { color: '#FF3030' }],
  [FaceLandmarker.FACE_LANDMARKS_RIGHT_EYEBROW, { color: '#FF3030' }],
  [FaceLandmarker.FACE_LANDMARKS_LEFT_EYE, { color: '#30FF30' }],
  [FaceLandmarker.FACE_LANDMARKS_LEFT_EYEBROW, { color: '#30FF30' }],
  [FaceLandmarker.FACE_LANDMARKS_FACE_OVAL, { color: '#E0E0E0' }],
  [FaceLandmarker.FACE_LANDMARKS_LIPS, { color: '#E0E0E0' }],
  [FaceLandmarker.FACE_LANDMARKS_RIGHT_IRIS, { color: '#FF3030' }],
  [FaceLandmarker.FACE_LANDMARKS_LEFT_IRIS, { color: '#30FF30' }],
];

let runningMode = 'IMAGE';
let webcamRunning = false;
let lastVideoTime = -1;
let results;

const fileset = await FilesetResolver.forVisionTasks('/programs/tasks_vision/wasm');
const faceLandmarker = await FaceLandmarker.createFromOptions(fileset, {
  baseOptions: { modelAssetPath: '/programs/face_landmarker.task', delegate: 'GPU' },
  outputFaceBlendshapes: true,
  runningMode,
  numFaces: 1,
});

function draw(target, faces) {
  const drawingUtils = new DrawingUtils(target.getContext('2d'));
  for (const landmarks of faces) {
    for (const [lines, style] of LINES) drawingUtils.drawConnectors(landmarks, lines, style);
  }
}

function listBlendShapes(list, [shapes]) {
  if (!shapes) return;
  const rows = shapes.categories.map(({ displayName, categoryName, score }) => {
    const row = document.createElement('li');
    row.title = displayName || categoryName;
    row.textContent = score.toFixed(4);
    return row;
  });
  list.replaceChildren(...rows);
}

async function handleClick({ target }) {
  if (runningMode === 'VIDEO') {
    runningMode = 'IMAGE';
    await faceLandmarker.setOptions({ runningMode });
  }
  for (const old of target.parentNode.querySelectorAll('canvas')) old.remove();
  const { faceLandmarks, faceBlendshapes } = faceLandmarker.detect(target);
  const drawing = document.createElement('canvas');
  drawing.width = target.naturalWidth;
  drawing.height = target.naturalHeight;
  target.parentNode.append(drawing);
  draw(drawing, faceLandmarks);
  listBlendShapes(document.querySelector('#image-blend-shapes'), faceBlendshapes);
}

async function predictWebcam() {
  canvas.width = video.videoWidth;
  canvas.height = video.videoHeight;
  if (runningMode === 'IMAGE') {
    runningMode = 'VIDEO';
    await faceLandmarker.setOptions({ runningMode });
  }
  const startTimeMs = performance.now();
  if (lastVideoTime !== video.currentTime) {
    lastVideoTime = video.currentTime;
    results = faceLandmarker.detectForVideo(video, startTimeMs);
  }
  draw(canvas, results.faceLandmarks);
  listBlendShapes(document.querySelector('#video-blend-shapes'), results.faceBlendshapes);
  if (webcamRunning) requestAnimationFrame(predictWebcam);
}

for (const image of document.querySelectorAll('.detectOnClick img')) image.addEventListener('click', handleClick);
document.querySelector('#webcamButton').addEventListener('click', async () => {
  webcamRunning = true;
  video.srcObject = await navigator.mediaDevices.getUserMedia({ video: true });
  video.addEventListener('loadeddata', predictWebcam);
});
document.body.dataset.ready = 'yes';
