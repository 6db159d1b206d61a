/** Image classification into ImageNet's 1000 classes. */

import './site.js';
import type { Category } from 'tflite-webnn/results';
import { create } from './common/dom.js';
import { table } from './common/table.js';
import { runImageDemo } from './demos/image_demo.js';
import type { ImageTask } from './demos/image_task.js';
import { scoreText } from './vision/boxes.js';

const CLASSIFICATION: ImageTask<readonly Category[]> = {
  key: 'classification',
  title: 'EfficientNet-Lite0, int8',
  note: 'Computes in 8-bit integers.',
  file: 'efficientnet_lite0_int8',
  facing: 'environment',

  summary: ([best]) => (best ? `${best.label}, ${scoreText(best.score)}` : 'no class found'),

  details: (categories) =>
    table(
      'Most probable classes',
      [
        { title: 'Class', cell: ({ label }) => label, heading: true },
        { title: 'Probability', cell: ({ score }) => scoreBar(score), numeric: true },
      ],
      categories,
    ),
};

function scoreBar(score: number): Node {
  const bar = create('meter', { max: 1, value: score, 'aria-hidden': 'true' });
  return create('span', { class: 'score' }, bar, create('span', { text: scoreText(score) }));
}

void runImageDemo(
  [CLASSIFICATION],
  [
    { kind: 'samples', name: 'chelsea', title: 'Cat' },
    { kind: 'samples', name: 'coffee', title: 'Cup' },
    { kind: 'samples', name: 'rocket', title: 'Rocket' },
    { kind: 'samples', name: 'motorcycle_left', title: 'Motorcycle' },
    { kind: 'samples', name: 'flower', title: 'Flower' },
  ],
);
