// A camera whose frames go through a task of tflite-webnn/vision in VIDEO mode, as in web_tests/drivers/camera.py.

import * as vision from '/package/vision.mjs';

let video;
let task;

const nextFrame = () =>
  new Promise((resolve) => {
    video.requestVideoFrameCallback((_, { presentedFrames }) => resolve(presentedFrames));
  });

/** Starts the camera and creates the task. -> frames per second of the camera */
export async function open({ name, model, options }) {
  const baseOptions = { modelAssetPath: model };
  const fileset = await vision.FilesetResolver.forVisionTasks();
  task = await vision[name].createFromOptions(fileset, { ...options, runningMode: 'VIDEO', baseOptions });
  video = document.createElement('video');
  video.muted = true;
  document.body.append(video);
  video.srcObject = await navigator.mediaDevices.getUserMedia({ video: true });
  await video.play();
  return video.srcObject.getVideoTracks()[0].getSettings().frameRate;
}

/**
 * Works on each frame that is there when the work on the one before is done.
 *
 * @returns Of each frame its number among those that the browser presented, the milliseconds of work on it, and how
 *   many things it shows.
 */
export async function run({ method, found, seconds }) {
  const frames = [];
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    const number = await nextFrame();
    const start = performance.now();
    const result = await task[method](video, start);
    frames.push({ number, ms: performance.now() - start, found: result[found].length });
  }
  return frames;
}

export function close() {
  for (const track of video.srcObject.getTracks()) track.stop();
  task.close();
}
