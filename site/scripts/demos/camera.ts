/** Camera frames. Frames that arrive during a computation are dropped, never queued. */

import { create } from '../common/dom.js';
import { pixelsOf } from './read_image.js';

/** The camera is not usable; the message gives the reason and a hint. */
export class CameraError extends Error {
  override readonly name = 'CameraError';
}

/** A phone's front (`user`) or back (`environment`) camera. */
export type Facing = 'user' | 'environment';

const WIDTH = 640;
const HEIGHT = 480;
const REASONS: Readonly<Record<string, string>> = {
  NotAllowedError: 'Camera access was denied. Allow it for this page in the browser’s address bar.',
  NotFoundError: 'No camera was found. Images and samples work without one.',
  OverconstrainedError: 'No suitable camera was found. Images and samples work without one.',
  NotReadableError: 'The camera does not respond. Another program may be using it.',
};

/** Whether this page can request a camera: browsers offer it only over https and on localhost. */
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
   * Requests camera access.
   *
   * @throws CameraError if there is no camera or the visitor denies access.
   */
  static async open(facing: Facing): Promise<Camera> {
    try {
      const video = { facingMode: facing, width: { ideal: WIDTH }, height: { ideal: HEIGHT } };
      const stream = await navigator.mediaDevices.getUserMedia({ video, audio: false });
      const element = create('video', { playsinline: true, muted: true });
      element.muted = true; // scripted elements ignore the attribute
      element.srcObject = stream;
      await element.play();
      return new Camera(stream, element);
    } catch (error) {
      const name = error instanceof Error ? error.name : '';
      throw new CameraError(REASONS[name] ?? 'The camera did not start.', { cause: error });
    }
  }

  /**
   * Yields the newest frame whenever the consumer is ready, until stop().
   *
   * @throws CameraError if the camera is unplugged or its permission revoked.
   */
  async *frames(): AsyncGenerator<ImageData, void, undefined> {
    while (this.#isRunning) {
      await nextFrame(this.#video);
      if (!this.#isRunning) return;
      if (this.#stream.getVideoTracks().some(({ readyState }) => readyState === 'ended')) {
        throw new CameraError('The camera was disconnected.');
      }
      yield pixelsOf(this.#video, this.#video.videoWidth, this.#video.videoHeight);
    }
  }

  /** Stops the camera. */
  stop(): void {
    this.#isRunning = false;
    for (const track of this.#stream.getTracks()) track.stop();
    this.#video.srcObject = null;
  }
}

// Checks the camera at this interval: a disconnected one sends no frames.
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
