/** Image classification into ImageNet's 1000 classes. */

import { type Category, ImageClassifier } from 'tflite-webnn/vision';
import { create } from './common/dom.js';
import { formatPercent } from './common/format.js';
import { table } from './common/table.js';
import { runPictureDemo } from './demos/picture_demo.js';
import { FILESET, type PictureTask } from './demos/picture_task.js';

const SHOWN = 5;

const CLASSIFICATION: PictureTask<readonly Category[], ImageClassifier> = {
  key: 'int8',
  title: 'EfficientNet-Lite0, int8',
  note: 'Computes in 8-bit integers.',
  file: 'efficientnet_lite0_int8',
  facing: 'environment',

  create: (options) => ImageClassifier.createFromOptions(FILESET, { ...options, maxResults: SHOWN }),

  async look(task, picture, timestamp) {
    const { classifications } = await (timestamp === null
      ? task.classifyAsync(picture)
      : task.classifyForVideoAsync(picture, timestamp));
    return classifications[0]?.categories ?? [];
  },

  draw: () => {}, // the plain picture

  summary: ([best]) => (best ? `${best.categoryName}, ${formatPercent(best.score)}` : 'no class found'),

  details: (categories) =>
    table(
      'Most probable classes',
      [
        { title: 'Class', cell: ({ categoryName }) => categoryName, heading: true },
        { title: 'Probability', cell: ({ score }) => scoreBar(score), numeric: true },
      ],
      categories,
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
