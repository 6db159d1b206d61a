/** Segmentation: the class of each pixel of a picture. */

import { type ClassMask, type ClassShare, classShares, type Mask } from 'tflite-webnn/results';
import { create } from './common/dom.js';
import { formatPercent } from './common/format.js';
import { table } from './common/table.js';
import { colourOf, cssColour } from './demos/colours.js';
import { drawBlurredBackground, drawClasses } from './demos/draw_segments.js';
import { readLabels } from './demos/model_labels.js';
import { modelFile } from './demos/model_set.js';
import type { Net } from './demos/net.js';
import { runPictureDemo } from './demos/picture_demo.js';
import type { PictureTask } from './demos/picture_task.js';
import { findClasses, findPerson, personShare } from './demos/segmentation.js';

const DEEPLAB = 'deeplabv3_257';
const BACKGROUND = 0;
// Smaller shares are noise at the edges of objects.
const MIN_SHARE = 0.001;

let labels: readonly string[] = [];

const CLASSES: PictureTask<ClassMask> = {
  key: 'classes',
  title: 'Objects and people',
  note: 'DeepLab v3, 20 classes.',
  models: [DEEPLAB],
  facing: 'environment',

  async prepare(progressBar, signal) {
    labels = await readLabels(await modelFile(DEEPLAB, progressBar, signal));
  },

  analyse: ([net], picture) => findClasses(net as Net, picture),

  draw: (drawing, _picture, map) => drawClasses(drawing, map),

  summary(map) {
    const things = visibleParts(map).filter(({ index }) => index !== BACKGROUND);
    if (things.length === 0) return 'no known class found';
    return things.map(({ index, share }) => `${labels[index]} covers ${formatPercent(share)}`).join(', ');
  },

  details: (map) =>
    table(
      'Parts of the picture',
      [
        { title: 'Class', cell: ({ index }) => legend(index), heading: true },
        { title: 'Covers', cell: ({ share }) => formatPercent(share), numeric: true },
      ],
      visibleParts(map),
    ),
};

const PERSON: PictureTask<Mask> = {
  key: 'person',
  title: 'Blurred background',
  note: 'MediaPipe’s selfie segmentation, as in video calls.',
  models: ['selfie_segmentation'],
  facing: 'user',
  analyse: ([net], picture) => findPerson(net as Net, picture),
  draw: (drawing, picture, mask) => drawBlurredBackground(drawing, picture, mask),
  summary: (mask) => `the person covers ${formatPercent(personShare(mask))} of the picture`,

  details: (mask) =>
    table(
      'Parts of the picture',
      [
        { title: 'Part', cell: ({ part }) => part, heading: true },
        { title: 'Covers', cell: ({ share }) => formatPercent(share), numeric: true },
      ],
      [
        { part: 'person', share: personShare(mask) },
        { part: 'background, blurred', share: 1 - personShare(mask) },
      ],
    ),
};

function visibleParts(map: ClassMask): ClassShare[] {
  return classShares(map).filter(({ share }) => share >= MIN_SHARE);
}

function legend(index: number): Node {
  const swatch = create('span', { class: 'swatch' });
  if (index !== BACKGROUND) swatch.style.background = cssColour(colourOf(index));
  return create('span', { class: 'legend' }, swatch, labels[index] ?? `class ${index}`);
}

void runPictureDemo([CLASSES, PERSON] as PictureTask<unknown>[], [
  { kind: 'samples', name: 'chelsea', title: 'Cat' },
  { kind: 'samples', name: 'astronaut', title: 'Astronaut' },
  { kind: 'samples', name: 'motorcycle_left', title: 'Motorcycle' },
  { kind: 'samples', name: 'camera', title: 'Photographer' },
]);
