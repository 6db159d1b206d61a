/** Landmarks of faces, hands and bodies. */

import type { Landmark } from 'tflite-webnn/results';
import { create } from './common/dom.js';
import { formatPercent } from './common/format.js';
import { type Column, table } from './common/table.js';
import {
  FACE_NAMES,
  FACE_PATHS,
  HAND_NAMES,
  HAND_PATHS,
  type Path,
  POSE_NAMES,
  POSE_PATHS,
} from './demos/connections.js';
import { drawLandmarks } from './demos/draw_landmarks.js';
import { FACE_TASK, type Found, findLandmarks, HAND_TASK, type LandmarkTask, POSE_TASK } from './demos/landmarks.js';
import type { Net } from './demos/net.js';
import { runPictureDemo } from './demos/picture_demo.js';
import type { PictureTask } from './demos/picture_task.js';

/** Settings that differ between face, hand and body. */
interface Kind {
  readonly key: string;
  readonly title: string;
  readonly note: string;
  readonly one: string;
  readonly many: string;
  readonly task: LandmarkTask;
  readonly models: readonly [detector: string, landmarker: string];
  readonly paths: readonly Path[];
  readonly names: ReadonlyMap<number, string>;
  readonly pointSize: number;
}

const KINDS: readonly Kind[] = [
  {
    key: 'face',
    title: 'Face',
    note: 'A mesh of 468 points.',
    one: 'face',
    many: 'faces',
    task: FACE_TASK,
    models: ['face_detection_short_range', 'face_landmark_f32'],
    paths: FACE_PATHS,
    names: FACE_NAMES,
    pointSize: 0.5,
  },
  {
    key: 'hand',
    title: 'Hands',
    note: '21 points each, from the wrist to the fingertips.',
    one: 'hand',
    many: 'hands',
    task: HAND_TASK,
    models: ['palm_detection_lite', 'hand_landmark_lite'],
    paths: HAND_PATHS,
    names: HAND_NAMES,
    pointSize: 1.8,
  },
  {
    key: 'pose',
    title: 'Pose',
    note: '33 points of a body.',
    one: 'body',
    many: 'bodies',
    task: POSE_TASK,
    models: ['pose_detection', 'pose_landmark_lite'],
    paths: POSE_PATHS,
    names: POSE_NAMES,
    pointSize: 1.8,
  },
];

function pictureTask({ one, many, task, paths, names, pointSize, ...choice }: Kind): PictureTask<readonly Found[]> {
  return {
    ...choice,
    facing: 'user',
    analyse: ([detector, landmarker], picture) => findLandmarks(task, detector as Net, landmarker as Net, picture),
    draw: (drawing, _picture, found) => drawLandmarks(drawing, found, { paths, pointSize }),
    summary: ({ length }) => `${length === 0 ? `no ${one}` : `${length} ${length === 1 ? one : many}`} found`,
    details: (found) =>
      create('div', {}, ...found.map((thing, index) => pointTable(`${capitalised(one)} ${index + 1}`, thing, names))),
  };
}

function pointTable(title: string, { score, points }: Found, names: ReadonlyMap<number, string>): Node {
  const rows = Array.from(names, ([index, name]) => ({ ...(points[index] as Landmark), name }));
  const columns: Column<(typeof rows)[number]>[] = [
    { title: 'Point', cell: ({ name }) => name, heading: true },
    { title: 'Left, top', cell: ({ x, y }) => `${x.toFixed(0)}, ${y.toFixed(0)} px`, numeric: true },
  ];
  if (rows.some(({ visibility }) => visibility < 1)) {
    columns.push({ title: 'Visibility', cell: ({ visibility }) => formatPercent(visibility), numeric: true });
  }
  return table(`${title}, score ${formatPercent(score)}: ${names.size} of ${points.length} points`, columns, rows);
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

void runPictureDemo(KINDS.map(pictureTask), [
  { kind: 'samples', name: 'astronaut', title: 'Astronaut' },
  { kind: 'samples', name: 'camera', title: 'Photographer' },
  { kind: 'files', name: 'drawn_hand', title: 'Drawn hand' },
]);
