/** Landmarks of faces, hands and bodies. */

import {
  type Connection,
  DrawingUtils,
  FaceLandmarker,
  HandLandmarker,
  type NormalizedLandmark,
  PoseLandmarker,
  type VisionTask,
} from 'tflite-webnn/vision';
import { create } from './common/dom.js';
import { formatPercent } from './common/format.js';
import { type Column, table } from './common/table.js';
import { colourOf, cssColour } from './demos/colours.js';
import { FACE_NAMES, HAND_NAMES, POSE_NAMES } from './demos/landmark_names.js';
import { runPictureDemo } from './demos/picture_demo.js';
import { FILESET, type PictureTask } from './demos/picture_task.js';

type Things = readonly NormalizedLandmark[][];

/** What differs between faces, hands and bodies. */
interface Kind<Task extends VisionTask>
  extends Pick<PictureTask<Things, Task>, 'key' | 'title' | 'note' | 'file' | 'create' | 'look'> {
  readonly one: string;
  readonly many: string;
  readonly connections: Connection[];
  readonly names: ReadonlyMap<number, string>;
  /** Radius of a point, in line widths. */
  readonly pointSize: number;
}

const FACE: Kind<FaceLandmarker> = {
  key: 'face',
  title: 'Face',
  note: 'A mesh of 478 points.',
  one: 'face',
  many: 'faces',
  file: 'face_landmarker.task',
  connections: FaceLandmarker.FACE_LANDMARKS_CONTOURS,
  names: FACE_NAMES,
  pointSize: 0.5,
  create: (options) => FaceLandmarker.createFromOptions(FILESET, { ...options, numFaces: 4 }),
  look: async (task, picture, timestamp) =>
    (await (timestamp === null ? task.detectAsync(picture) : task.detectForVideoAsync(picture, timestamp)))
      .faceLandmarks,
};

const HANDS: Kind<HandLandmarker> = {
  key: 'hand',
  title: 'Hands',
  note: '21 points each, from the wrist to the fingertips.',
  one: 'hand',
  many: 'hands',
  file: 'hand_landmarker_lite.task',
  connections: HandLandmarker.HAND_CONNECTIONS,
  names: HAND_NAMES,
  pointSize: 1.8,
  create: (options) => HandLandmarker.createFromOptions(FILESET, { ...options, numHands: 2 }),
  look: async (task, picture, timestamp) =>
    (await (timestamp === null ? task.detectAsync(picture) : task.detectForVideoAsync(picture, timestamp))).landmarks,
};

const POSE: Kind<PoseLandmarker> = {
  key: 'pose',
  title: 'Pose',
  note: '33 points of a body.',
  one: 'body',
  many: 'bodies',
  file: 'pose_landmarker_full.task',
  connections: PoseLandmarker.POSE_CONNECTIONS,
  names: POSE_NAMES,
  pointSize: 1.8,
  create: (options) => PoseLandmarker.createFromOptions(FILESET, options),
  look: async (task, picture, timestamp) =>
    (await (timestamp === null ? task.detectAsync(picture) : task.detectForVideoAsync(picture, timestamp))).landmarks,
};

// Less visible points are guesses. Only the model of bodies tells; the others have 0 everywhere.
const MIN_VISIBILITY = 0.5;
// Line width as a fraction of the picture's longer side.
const LINE_WIDTH = 1 / 260;
const OUTLINE = 'rgb(0 0 0 / 0.6)';
const FIRST_COLOUR = 5;

function pictureTask<Task extends VisionTask>(kind: Kind<Task>): PictureTask<Things, Task> {
  const { one, many, names } = kind;
  return {
    ...kind,
    facing: 'user',
    draw: (drawing, _picture, things) => drawThings(drawing, things, kind),
    summary: ({ length }) => `${length === 0 ? `no ${one}` : `${length} ${length === 1 ? one : many}`} found`,
    details: (things, { width, height }) =>
      create(
        'div',
        {},
        ...things.map((points, index) => pointTable(`${capitalised(one)} ${index + 1}`, points, names, width, height)),
      ),
  };
}

/** Draws each face, hand or body in its own colour. */
function drawThings(
  drawing: CanvasRenderingContext2D,
  things: Things,
  { connections, pointSize }: Pick<Kind<VisionTask>, 'connections' | 'pointSize'>,
): void {
  const utils = new DrawingUtils(drawing);
  const { width, height } = drawing.canvas;
  const lineWidth = Math.max(1, Math.max(width, height) * LINE_WIDTH);
  things.forEach((points, index) => {
    const color = cssColour(colourOf(index + FIRST_COLOUR));
    const seen = points.map((point) => (isVisible(point, points) ? point : undefined)) as NormalizedLandmark[];
    // An outline: visible on bright and dark pictures.
    utils.drawConnectors(seen, connections, { color: OUTLINE, lineWidth: 2 * lineWidth });
    utils.drawConnectors(seen, connections, { color, lineWidth });
    utils.drawLandmarks(seen.filter(Boolean), { color, lineWidth: 0.1, radius: lineWidth * pointSize });
  });
}

function isVisible({ visibility }: NormalizedLandmark, points: readonly NormalizedLandmark[]): boolean {
  return visibility >= MIN_VISIBILITY || !tellsVisibility(points);
}

function tellsVisibility(points: readonly NormalizedLandmark[]): boolean {
  return points.some(({ visibility }) => visibility > 0);
}

function pointTable(
  title: string,
  points: readonly NormalizedLandmark[],
  names: ReadonlyMap<number, string>,
  width: number,
  height: number,
): Node {
  const rows = Array.from(names, ([index, name]) => ({ ...(points[index] as NormalizedLandmark), name }));
  const place = ({ x, y }: NormalizedLandmark) => `${(x * width).toFixed(0)}, ${(y * height).toFixed(0)} px`;
  const columns: Column<(typeof rows)[number]>[] = [
    { title: 'Point', cell: ({ name }) => name, heading: true },
    { title: 'Left, top', cell: place, numeric: true },
  ];
  if (tellsVisibility(points)) {
    columns.push({ title: 'Visibility', cell: ({ visibility }) => formatPercent(visibility), numeric: true });
  }
  return table(`${title}: ${names.size} of ${points.length} points`, columns, rows);
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

void runPictureDemo([pictureTask(FACE), pictureTask(HANDS), pictureTask(POSE)] as PictureTask<Things>[], [
  { kind: 'samples', name: 'astronaut', title: 'Astronaut' },
  { kind: 'samples', name: 'camera', title: 'Photographer' },
  { kind: 'files', name: 'drawn_hand', title: 'Drawn hand' },
]);
