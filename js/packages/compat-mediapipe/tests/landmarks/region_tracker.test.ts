import type { Region } from '@tflite-webnn/media/images';
import { describe, expect, it, vi } from 'vitest';
import { latestRegions, RegionTracker } from '../../src/landmarks/regions.js';
import { runSteps, type Steps } from '../../src/vision_model.js';

const at = (x: number): Region => ({ center: { x, y: 0 }, width: 10, height: 10, rotation: 0 });
const image = (timestamp: number | null) => ({
  source: { data: new Uint8Array(3), width: 1, height: 1 },
  size: { width: 1, height: 1 },
  region: at(0),
  timestamp,
});

function tracked(maxResults: number, found: readonly Region[]) {
  const tracker = new RegionTracker({ maxResults, overlap: 0.5, associate: latestRegions });
  // biome-ignore lint/correctness/useYield: a detector that runs no model
  const detect = vi.fn(function* (): Steps<Region[]> {
    return [...found];
  });
  return { tracker, detect, regions: (time: number | null) => runSteps(tracker.regions(image(time), detect)) };
}

describe('RegionTracker', () => {
  it('detects in every image, and returns no more than requested', () => {
    const { tracker, detect, regions } = tracked(1, [at(0), at(50)]);
    expect(regions(null)).toEqual([at(0)]);
    tracker.expect(image(null), [at(7)]);
    expect(regions(null)).toEqual([at(0)]);
    expect(detect).toHaveBeenCalledTimes(2);
  });

  it('looks where the landmarks of the last frame were, without the detector', () => {
    const { tracker, detect, regions } = tracked(1, [at(0)]);
    expect(regions(1)).toEqual([at(0)]);
    tracker.expect(image(1), [at(3)]);
    expect(regions(2)).toEqual([at(3)]);
    expect(detect).toHaveBeenCalledTimes(1);
  });

  it('looks at the same part of a frame of another size', () => {
    const { tracker } = tracked(1, []);
    tracker.expect(image(1), [{ center: { x: 0.5, y: 0.25 }, width: 0.5, height: 0.25, rotation: 1 }]);
    const larger = { ...image(2), size: { width: 20, height: 40 } };
    const regions = runSteps(tracker.regions(larger, () => expect.unreachable()));
    expect(regions).toEqual([{ center: { x: 10, y: 10 }, width: 10, height: 10, rotation: 1 }]);
  });

  it('detects again when one was lost, and when there are fewer than requested', () => {
    const { tracker, detect, regions } = tracked(2, [at(1), at(80)]);
    regions(1);
    tracker.expect(image(1), [at(0)]);
    expect(regions(2)).toEqual([at(1), at(80)]); // the detector's in place of the tracked one
    tracker.expect(image(2), []);
    expect(regions(3)).toEqual([at(1), at(80)]);
    expect(detect).toHaveBeenCalledTimes(3);
  });
});
