/** Blendshapes: how far a face is from its rest, in 52 expressions. */

import type { Classifications } from '../results.js';
import type { PixelLandmark } from './landmark_models.js';

/** The landmarks that the model sees, in its order: each as the distance from the one before. */
const DISTANCES = [
  0, 1, 3, 1, 1, 1, 1, 2, 3, 1, 3, 4, 12, 4, 2, 1, 6, 6, 1, 1, 1, 3, 3, 2, 2, 1, 1, 3, 8, 2, 1, 1, 2, 3, 1, 3, 2, 2, 8,
  2, 2, 2, 18, 5, 1, 3, 8, 1, 1, 2, 1, 1, 2, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 5, 4, 1, 3, 2, 3, 4, 6, 4, 2, 37, 12, 3, 2,
  12, 4, 2, 1, 6, 6, 1, 1, 1, 3, 3, 2, 2, 1, 1, 3, 8, 2, 1, 1, 2, 3, 1, 3, 2, 1, 8, 2, 2, 2, 18, 5, 1, 3, 8, 1, 1, 2, 1,
  1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 7, 1, 2, 2, 3, 4, 6, 39, 12, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1,
];
let last = 0;
const SEEN = DISTANCES.map((distance) => {
  last += distance;
  return last;
});

/** A star stands for two names: Left and Right. */
const NAMES = [
  '_neutral browDown* browInnerUp browOuterUp* cheekPuff cheekSquint* eyeBlink* eyeLookDown* eyeLookIn*',
  'eyeLookOut* eyeLookUp* eyeSquint* eyeWide* jawForward jawLeft jawOpen jawRight mouthClose mouthDimple*',
  'mouthFrown* mouthFunnel mouthLeft mouthLowerDown* mouthPress* mouthPucker mouthRight mouthRollLower',
  'mouthRollUpper mouthShrugLower mouthShrugUpper mouthSmile* mouthStretch* mouthUpperUp* noseSneer*',
]
  .flatMap((line) => line.split(' '))
  .flatMap((name) => (name.endsWith('*') ? ['Left', 'Right'].map((side) => name.replace('*', side)) : name));

/** The model's input: x and y of the landmarks in pixels. */
export function blendshapeInput(points: readonly PixelLandmark[]): Float32Array {
  return Float32Array.from(SEEN.flatMap((index) => [points[index]?.x ?? 0, points[index]?.y ?? 0]));
}

/** The model's output with names, in its order. */
export function blendshapesOf(scores: ArrayLike<number>): Classifications {
  const categories = NAMES.map((categoryName, index) => ({
    score: scores[index] as number,
    index,
    categoryName,
    displayName: '',
  }));
  return { categories, headIndex: -1, headName: '' };
}
