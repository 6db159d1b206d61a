/** Blendshapes: how far a face is from its rest, in 52 expressions. */

import type { Classifications } from '../results.js';
import type { PixelLandmark } from './points.js';

/** The landmarks that the model sees, in its order. */
const SEEN = [
  0, 1, 4, 5, 6, 7, 8, 10, 13, 14, 17, 21, 33, 37, 39, 40, 46, 52, 53, 54, 55, 58, 61, 63, 65, 66, 67, 70, 78, 80, 81,
  82, 84, 87, 88, 91, 93, 95, 103, 105, 107, 109, 127, 132, 133, 136, 144, 145, 146, 148, 149, 150, 152, 153, 154, 155,
  157, 158, 159, 160, 161, 162, 163, 168, 172, 173, 176, 178, 181, 185, 191, 195, 197, 234, 246, 249, 251, 263, 267,
  269, 270, 276, 282, 283, 284, 285, 288, 291, 293, 295, 296, 297, 300, 308, 310, 311, 312, 314, 317, 318, 321, 323,
  324, 332, 334, 336, 338, 356, 361, 362, 365, 373, 374, 375, 377, 378, 379, 380, 381, 382, 384, 385, 386, 387, 388,
  389, 390, 397, 398, 400, 402, 405, 409, 415, 454, 466, 468, 469, 470, 471, 472, 473, 474, 475, 476, 477,
];

const NAMES = [
  '_neutral browDownLeft browDownRight browInnerUp browOuterUpLeft browOuterUpRight cheekPuff cheekSquintLeft',
  'cheekSquintRight eyeBlinkLeft eyeBlinkRight eyeLookDownLeft eyeLookDownRight eyeLookInLeft eyeLookInRight',
  'eyeLookOutLeft eyeLookOutRight eyeLookUpLeft eyeLookUpRight eyeSquintLeft eyeSquintRight eyeWideLeft eyeWideRight',
  'jawForward jawLeft jawOpen jawRight mouthClose mouthDimpleLeft mouthDimpleRight mouthFrownLeft mouthFrownRight',
  'mouthFunnel mouthLeft mouthLowerDownLeft mouthLowerDownRight mouthPressLeft mouthPressRight mouthPucker mouthRight',
  'mouthRollLower mouthRollUpper mouthShrugLower mouthShrugUpper mouthSmileLeft mouthSmileRight mouthStretchLeft',
  'mouthStretchRight mouthUpperUpLeft mouthUpperUpRight noseSneerLeft noseSneerRight',
].flatMap((line) => line.split(' '));

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
