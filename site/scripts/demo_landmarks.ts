/** Landmarks of faces, hands and bodies. */

import './site.js';
import type { NormalizedLandmark } from 'tflite-webnn/vision';
import { create } from './common/dom.js';
import { formatPercent } from './common/format.js';
import { type Column, table } from './common/table.js';
import { runImageDemo } from './demos/image_demo.js';
import type { ImageTask } from './demos/image_task.js';
import { FACE_NAMES, HAND_NAMES, POSE_NAMES } from './demos/landmark_names.js';
import type { Things } from './vision/landmarks.js';
import { hasVisibility } from './vision/visibility.js';

/** What differs between faces, hands and bodies. */
interface Kind extends Pick<ImageTask<Things>, 'key' | 'title' | 'note' | 'file'> {
  readonly one: string;
  readonly many: string;
  readonly names: ReadonlyMap<number, string>;
}

const KINDS: readonly Kind[] = [
  {
    key: 'face',
    title: 'Face',
    note: 'A mesh of 478 points.',
    file: 'face_landmarker.task',
    one: 'face',
    many: 'faces',
    names: FACE_NAMES,
  },
  {
    key: 'hand',
    title: 'Hands',
    note: '21 points each, from the wrist to the fingertips.',
    file: 'hand_landmarker_lite.task',
    one: 'hand',
    many: 'hands',
    names: HAND_NAMES,
  },
  {
    key: 'pose',
    title: 'Pose',
    note: '33 points of a body.',
    file: 'pose_landmarker_full.task',
    one: 'body',
    many: 'bodies',
    names: POSE_NAMES,
  },
];

function imageTask({ one, many, names, ...kind }: Kind): ImageTask<Things> {
  return {
    ...kind,
    facing: 'user',
    summary: ({ length }) => `${length === 0 ? `no ${one}` : `${length} ${length === 1 ? one : many}`} found`,
    details: (things, { width, height }) =>
      create(
        'div',
        {},
        ...things.map((points, index) => pointTable(`${capitalised(one)} ${index + 1}`, points, names, width, height)),
      ),
  };
}

function pointTable(
  title: string,
  points: readonly NormalizedLandmark[],
  names: ReadonlyMap<number, string>,
  width: number,
  height: number,
): Node {
  const rows = Array.from(names, ([index, name]) => ({ ...(points[index] as NormalizedLandmark), name }));
  const position = ({ x, y }: NormalizedLandmark) => `${(x * width).toFixed(0)}, ${(y * height).toFixed(0)} px`;
  const columns: Column<(typeof rows)[number]>[] = [
    { title: 'Point', cell: ({ name }) => name, heading: true },
    { title: 'Left, top', cell: position, numeric: true },
  ];
  if (hasVisibility(points)) {
    columns.push({ title: 'Visibility', cell: ({ visibility }) => formatPercent(visibility), numeric: true });
  }
  return table(`${title}: ${names.size} of ${points.length} points`, columns, rows);
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

void runImageDemo(KINDS.map(imageTask), [
  { kind: 'samples', name: 'astronaut', title: 'Astronaut' },
  { kind: 'samples', name: 'camera', title: 'Photographer' },
  { kind: 'files', name: 'drawn_hand', title: 'Drawn hand' },
]);
