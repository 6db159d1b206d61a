// A page as MediaPipe's public example of GestureRecognizer is: the same calls in the same order, written for this test.
// It does not know whose `@mediapipe/tasks-vision` it gets.

import { DrawingUtils, FilesetResolver, GestureRecognizer } from '@mediapipe/tasks-vision';

const video = document.querySelector('#webcam');
const canvas = document.querySelector('#output_canvas');
const output = document.querySelector('#gesture_output');

// `#CPU` where a test has no GPU.
const delegate = location.hash.slice(1) || 'GPU';

let runningMode = 'IMAGE';
let webcamRunning = false;
let lastVideoTime = -1;
let results;

const fileset = await FilesetResolver.forVisionTasks('/programs/tasks_vision/wasm');
const gestureRecognizer = await GestureRecognizer.createFromOptions(fileset, {
  baseOptions: { modelAssetPath: '/programs/operations.task', delegate },
  runningMode,
});

function draw(context, hands) {
  const drawingUtils = new DrawingUtils(context);
  for (const landmarks of hands) {
    drawingUtils.drawConnectors(landmarks, GestureRecognizer.HAND_CONNECTIONS, { color: '#00FF00', lineWidth: 5 });
    drawingUtils.drawLandmarks(landmarks, { color: '#FF0000', lineWidth: 2 });
  }
}

function textOf({ gestures, handednesses }) {
  const [[{ categoryName, score }]] = gestures;
  const [[{ displayName }]] = handednesses;
  return `${categoryName}, ${Math.round(Number.parseFloat(score) * 100)} %, ${displayName}`;
}

async function handleClick({ target }) {
  if (runningMode === 'VIDEO') {
    runningMode = 'IMAGE';
    await gestureRecognizer.setOptions({ runningMode: 'IMAGE' });
  }
  for (const old of target.parentNode.querySelectorAll('canvas')) old.remove();
  const found = gestureRecognizer.recognize(target);
  if (found.gestures.length === 0) return;
  const drawing = document.createElement('canvas');
  drawing.width = target.naturalWidth;
  drawing.height = target.naturalHeight;
  target.parentNode.append(drawing);
  draw(drawing.getContext('2d'), found.landmarks);
  target.parentNode.querySelector('.classification').textContent = textOf(found);
}

async function predictWebcam() {
  if (runningMode === 'IMAGE') {
    runningMode = 'VIDEO';
    await gestureRecognizer.setOptions({ runningMode: 'VIDEO' });
  }
  const nowInMs = Date.now();
  if (video.currentTime !== lastVideoTime) {
    lastVideoTime = video.currentTime;
    results = gestureRecognizer.recognizeForVideo(video, nowInMs);
    canvas.dataset.frames = Number(canvas.dataset.frames ?? 0) + 1; // for the test
  }
  canvas.width = video.videoWidth;
  canvas.height = video.videoHeight;
  const context = canvas.getContext('2d');
  context.save();
  context.clearRect(0, 0, canvas.width, canvas.height);
  draw(context, results.landmarks);
  context.restore();
  if (results.gestures.length > 0) output.textContent = textOf(results);
  if (webcamRunning) requestAnimationFrame(predictWebcam);
}

for (const image of document.querySelectorAll('.detectOnClick img')) image.addEventListener('click', handleClick);
document.querySelector('#webcamButton').addEventListener('click', async () => {
  webcamRunning = !webcamRunning;
  if (!webcamRunning) return;
  video.srcObject = await navigator.mediaDevices.getUserMedia({ video: true });
  video.addEventListener('loadeddata', predictWebcam, { once: true });
});
document.body.dataset.ready = 'yes';
