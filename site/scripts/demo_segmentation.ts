/** Segmentation: the class of each pixel of an image. */

import './site.js';
import { create } from './common/dom.js';
import { formatPercent } from './common/format.js';
import { table } from './common/table.js';
import { runImageDemo } from './demos/image_demo.js';
import type { ImageTask } from './demos/image_task.js';
import { BACKGROUND, colourOf, cssColour } from './vision/colours.js';
import type { Part } from './vision/segmentation.js';

const CLASSES: ImageTask<readonly Part[]> = {
  key: 'classes',
  title: 'Objects and people',
  note: 'DeepLab v3, 20 classes.',
  file: 'deeplabv3_257',
  facing: 'environment',

  summary(parts) {
    const things = parts.filter(({ index }) => index !== BACKGROUND);
    if (things.length === 0) return 'no known class found';
    return things.map(({ label, share }) => `${label} covers ${formatPercent(share)}`).join(', ');
  },

  details: (parts) =>
    table(
      'Parts of the image',
      [
        { title: 'Class', cell: legend, heading: true },
        { title: 'Covers', cell: ({ share }) => formatPercent(share), numeric: true },
      ],
      parts,
    ),
};

const PERSON: ImageTask<number> = {
  key: 'person',
  title: 'Blurred background',
  note: 'MediaPipe’s selfie segmentation, as in video calls.',
  file: 'selfie_segmenter',
  facing: 'user',

  summary: (share) => `the person covers ${formatPercent(share)} of the image`,

  details: (share) =>
    table(
      'Parts of the image',
      [
        { title: 'Part', cell: ({ part }) => part, heading: true },
        { title: 'Covers', cell: ({ share }) => formatPercent(share), numeric: true },
      ],
      [
        { part: 'person', share },
        { part: 'background, blurred', share: 1 - share },
      ],
    ),
};

function legend({ index, label }: Part): Node {
  const swatch = create('span', { class: 'swatch' });
  if (index !== BACKGROUND) swatch.style.background = cssColour(colourOf(index));
  return create('span', { class: 'legend' }, swatch, label);
}

void runImageDemo([CLASSES, PERSON] as ImageTask<unknown>[], [
  { kind: 'samples', name: 'chelsea', title: 'Cat' },
  { kind: 'samples', name: 'astronaut', title: 'Astronaut' },
  { kind: 'samples', name: 'motorcycle_left', title: 'Motorcycle' },
  { kind: 'samples', name: 'camera', title: 'Photographer' },
]);
