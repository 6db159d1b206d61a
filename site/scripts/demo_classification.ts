/** Image classification into ImageNet's 1000 classes. */

import type { Category } from 'tflite-webnn/results';
import { create } from './common/dom.js';
import { formatPercent } from './common/format.js';
import { table } from './common/table.js';
import { classify } from './demos/classification.js';
import { readLabels } from './demos/model_labels.js';
import { modelFile } from './demos/model_set.js';
import type { Net } from './demos/net.js';
import { runPictureDemo } from './demos/picture_demo.js';
import type { PictureTask } from './demos/picture_task.js';

const MODEL = 'efficientnet_lite0_int8';
const SHOWN = 5;

let labels: readonly string[] = [];

const CLASSIFICATION: PictureTask<readonly Category[]> = {
  key: 'int8',
  title: 'EfficientNet-Lite0, int8',
  note: 'Computes in 8-bit integers.',
  models: [MODEL],
  facing: 'environment',

  async prepare(progressBar, signal) {
    labels = await readLabels(await modelFile(MODEL, progressBar, signal));
  },

  analyse: ([net], picture) => classify(net as Net, picture, labels, SHOWN),

  draw: () => {}, // the plain picture

  summary: ([best]) => (best ? `${best.label}, ${formatPercent(best.score)}` : 'no class found'),

  details: (scores) =>
    table(
      'Most probable classes',
      [
        { title: 'Class', cell: ({ label }) => label, heading: true },
        { title: 'Probability', cell: ({ score }) => scoreBar(score), numeric: true },
      ],
      scores,
    ),
};

function scoreBar(score: number): Node {
  const bar = create('meter', { max: 1, value: score, 'aria-hidden': 'true' });
  return create('span', { class: 'score' }, bar, create('span', { text: formatPercent(score) }));
}

void runPictureDemo(
  [CLASSIFICATION],
  [
    { kind: 'samples', name: 'chelsea', title: 'Cat' },
    { kind: 'samples', name: 'coffee', title: 'Cup' },
    { kind: 'samples', name: 'rocket', title: 'Rocket' },
    { kind: 'samples', name: 'motorcycle_left', title: 'Motorcycle' },
    { kind: 'samples', name: 'flower', title: 'Flower' },
  ],
);
