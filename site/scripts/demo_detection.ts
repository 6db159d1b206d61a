/** Detection: boxes around what a model finds. */

import './site.js';
import type { Detection } from 'tflite-webnn/results';
import { tableUnlessEmpty } from './common/table.js';
import { runImageDemo } from './demos/image_demo.js';
import type { ImageTask } from './demos/image_task.js';
import { scoreText } from './vision/boxes.js';

const DETECTION: ImageTask<readonly Detection[]> = {
  key: 'detection',
  title: 'Faces',
  note: 'MediaPipe’s short-range detector.',
  file: 'face_detection_short_range',
  facing: 'environment',

  summary: (found) => (found.length === 0 ? 'nothing found' : found.map(textOf).join(', ')),

  details: (found) =>
    tableUnlessEmpty(
      'What was found',
      [
        { title: 'Class', cell: ({ label }) => label, heading: true },
        { title: 'Score', cell: ({ score }) => scoreText(score), numeric: true },
        { title: 'Left, top, width, height', cell: boxText, numeric: true },
      ],
      found,
    ),
};

function textOf({ label, score }: Detection): string {
  return `${label} ${scoreText(score)}`;
}

function boxText({ box: { left, top, width, height } }: Detection): string {
  return [left, top, width, height].map(Math.round).join(', ');
}

void runImageDemo(
  [DETECTION],
  [
    { kind: 'files', name: 'astronaut_small', title: 'Astronaut' },
    { kind: 'samples', name: 'camera', title: 'Photographer' },
    { kind: 'samples', name: 'chelsea', title: 'Cat' },
  ],
);
