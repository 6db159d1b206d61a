/** The camera, frame by frame: a frame that comes while the last one is computed is dropped, never queued. */

import { create } from '../common/dom.js';
import { pixelsOf } from './read_picture.js';

/** The camera cannot be used; the message says why and what to do. */
export class CameraError extends Error {
  override readonly name = 'CameraError';
}

/** Which camera of a phone is meant: that on the screen's side, or the other one. */
export type Facing = 'user' | 'environment';

const WIDTH = 640;
const HEIGHT = 480;
const REASONS: Readonly<Record<string, string>> = {
  NotAllowedError: 'The camera was not allowed. To use it, allow it for this page in the browser’s address bar.',
  NotFoundError: 'No camera was found. Pictures and samples work without one.',
  OverconstrainedError: 'No camera was found that fits. Pictures and samples work without one.',
  NotReadableError: 'The camera is there, but another program may be using it.',
};

/** Whether this page may ask for a camera at all; browsers offer it over https and on localhost only. */
export function cameraIsPossible(): boolean {
  return 'mediaDevices' in navigator && 'getUserMedia' in navigator.mediaDevices;
}

/** A running camera. */
export class Camera {
  readonly #stream: MediaStream;
  readonly #video: HTMLVideoElement;
  #isRunning = true;

  private constructor(stream: MediaStream, video: HTMLVideoElement) {
    this.#stream = stream;
    this.#video = video;
  }

  /**
   * Asks the visitor for the camera.
   *
   * @throws CameraError where there is none, or it is denied.
   */
  static async open(facing: Facing): Promise<Camera> {
    try {
      const video = { facingMode: facing, width: { ideal: WIDTH }, height: { ideal: HEIGHT } };
      const stream = await navigator.mediaDevices.getUserMedia({ video, audio: false });
      const element = create('video', { playsinline: true, muted: true });
      element.muted = true; // the attribute alone does not count for elements made by scripts
      element.srcObject = stream;
      await element.play();
      return new Camera(stream, element);
    } catch (error) {
      const name = error instanceof Error ? error.name : '';
      throw new CameraError(REASONS[name] ?? 'The camera does not start.', { cause: error });
    }
  }

  /**
   * Yields frames until stop(): each time the newest one, whenever the last one has been dealt with.
   *
   * @throws CameraError when the camera is unplugged or taken away.
   */
  async *frames(): AsyncGenerator<ImageData, void, undefined> {
    while (this.#isRunning) {
      await nextFrame(this.#video);
      if (!this.#isRunning) return;
      if (this.#stream.getVideoTracks().some(({ readyState }) => readyState === 'ended')) {
        throw new CameraError('The camera was taken away.');
      }
      yield pixelsOf(this.#video, this.#video.videoWidth, this.#video.videoHeight);
    }
  }

  /** Switches it off. */
  stop(): void {
    this.#isRunning = false;
    for (const track of this.#stream.getTracks()) track.stop();
    this.#video.srcObject = null;
  }
}

// Looks again after that time where no frame comes: a camera that was taken away sends none.
const MAX_WAIT_MS = 500;

function nextFrame(video: HTMLVideoElement): Promise<void> {
  return new Promise((resolve) => {
    const waited = setTimeout(resolve, MAX_WAIT_MS);
    const onFrame = () => {
      clearTimeout(waited);
      resolve();
    };
    if ('requestVideoFrameCallback' in video) video.requestVideoFrameCallback(onFrame);
    else requestAnimationFrame(onFrame);
  });
}
