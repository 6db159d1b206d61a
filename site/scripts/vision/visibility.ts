/** Which landmarks can be seen. */

import type { NormalizedLandmark } from 'tflite-webnn/vision';

// Less visible points are guesses.
const MIN_VISIBILITY = 0.5;

/** Whether a point can be seen; true for models that do not say. */
export function isVisible({ visibility }: NormalizedLandmark, points: readonly NormalizedLandmark[]): boolean {
  return visibility >= MIN_VISIBILITY || !hasVisibility(points);
}

/** Only the model of bodies has it; the others have 0 everywhere. */
export function hasVisibility(points: readonly NormalizedLandmark[]): boolean {
  return points.some(({ visibility }) => visibility > 0);
}
