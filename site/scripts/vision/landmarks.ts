/** Landmarks of faces, hands and bodies, as the vision worker runs them. */

import {
  type Connection,
  DrawingUtils,
  FaceLandmarker,
  HandLandmarker,
  type NormalizedLandmark,
  PoseLandmarker,
  type VisionTask,
  type VisionTaskOptions,
} from 'tflite-webnn/vision';
import { colourOf, cssColour } from './colours.js';
import { isVisible } from './visibility.js';
import type { WorkerTask } from './worker_task.js';

/** The points of each face, hand or body. */
export type Things = readonly NormalizedLandmark[][];

/** The first argument of `createFromOptions()`, which this package's tasks do not read. */
const FILESET = { wasmLoaderPath: '', wasmBinaryPath: '' };
const MAX_FACES = 4;
const MAX_HANDS = 2;
// Line width as a fraction of the image's longer side.
const LINE_WIDTH = 1 / 260;
const OUTLINE = 'rgb(0 0 0 / 0.6)';
const FIRST_COLOUR = 5;

/** A task of `tflite-webnn/vision` that finds things in images and frames. */
interface Detector extends VisionTask {
  detectAsync(image: ImageData): Promise<unknown>;
  detectForVideoAsync(frame: ImageData, timestamp: number): Promise<unknown>;
}

type Found<Task extends Detector> = Awaited<ReturnType<Task['detectAsync']>>;

/** What differs between faces, hands and bodies. */
interface Kind<Task extends Detector> {
  create(options: VisionTaskOptions): Promise<Task>;
  things(found: Found<Task>): Things;
  readonly connections: Connection[];
  /** Radius of a point, in line widths. */
  readonly pointSize: number;
}

/** Faces. */
export const FACE = workerTask({
  create: (options) => FaceLandmarker.createFromOptions(FILESET, { ...options, numFaces: MAX_FACES }),
  things: ({ faceLandmarks }) => faceLandmarks,
  connections: FaceLandmarker.FACE_LANDMARKS_CONTOURS,
  pointSize: 0.5,
});

/** Hands. */
export const HAND = workerTask({
  create: (options) => HandLandmarker.createFromOptions(FILESET, { ...options, numHands: MAX_HANDS }),
  things: ({ landmarks }) => landmarks,
  connections: HandLandmarker.HAND_CONNECTIONS,
  pointSize: 1.8,
});

/** A body. */
export const POSE = workerTask({
  create: (options) => PoseLandmarker.createFromOptions(FILESET, options),
  things: ({ landmarks }) => landmarks,
  connections: PoseLandmarker.POSE_CONNECTIONS,
  pointSize: 1.8,
});

function workerTask<Task extends Detector>(kind: Kind<Task>): WorkerTask<Things> {
  return {
    async open(modelAssetBuffer, loadModel) {
      const task = await kind.create({ baseOptions: { modelAssetBuffer, loadModel } });
      let isVideo = false;
      return {
        get times() {
          return task.times;
        },
        async process(image, timestamp) {
          if (isVideo !== (timestamp !== null)) await task.setOptions({ runningMode: isVideo ? 'IMAGE' : 'VIDEO' });
          isVideo = timestamp !== null;
          const found = timestamp === null ? task.detectAsync(image) : task.detectForVideoAsync(image, timestamp);
          const things = kind.things((await found) as Found<Task>);
          return { result: things, draw: (drawing) => drawThings(drawing, things, kind) };
        },
        close: () => task.close(),
      };
    },
  };
}

/** Draws each face, hand or body in its own colour. */
function drawThings(
  drawing: OffscreenCanvasRenderingContext2D,
  things: Things,
  { connections, pointSize }: Pick<Kind<Detector>, 'connections' | 'pointSize'>,
): void {
  const utils = new DrawingUtils(drawing);
  const { width, height } = drawing.canvas;
  const lineWidth = Math.max(1, Math.max(width, height) * LINE_WIDTH);
  things.forEach((points, index) => {
    const color = cssColour(colourOf(index + FIRST_COLOUR));
    const visible = points.map((point) => (isVisible(point, points) ? point : undefined)) as NormalizedLandmark[];
    // An outline: visible on bright and dark images.
    utils.drawConnectors(visible, connections, { color: OUTLINE, lineWidth: 2 * lineWidth });
    utils.drawConnectors(visible, connections, { color, lineWidth });
    utils.drawLandmarks(visible.filter(Boolean), { color, lineWidth: 0.1, radius: lineWidth * pointSize });
  });
}
