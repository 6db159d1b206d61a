/** Presets of heads, and the table of js/packages/tasks/README.md that says which file has which. */

import { readFileSync } from 'node:fs';
import { anchorHead, type DetectorHead, mediapipeHead, ssdAnchors, yoloHead } from '@tflite-webnn/media/results';
import { describe, expect, it } from 'vitest';

const README = new URL('../../tasks/README.md', import.meta.url);
const HEADS = { anchorHead, mediapipeHead, yoloHead } as unknown as Readonly<
  Record<string, (preset: string) => DetectorHead>
>;

/** The presets that the error of an unknown one lists. */
function presetsOf(create: (preset: string) => DetectorHead): string[] {
  try {
    create('unknown');
  } catch (error) {
    const [, list = ''] = /is one of (.*); got "unknown"$/.exec((error as Error).message) ?? [];
    return list.split(', ');
  }
  throw new Error('an unknown preset is accepted');
}

describe.each(Object.entries(HEADS))('%s()', (name, create) => {
  it('has each of its presets in the table, and no others', () => {
    const table = Array.from(
      readFileSync(README, 'utf8').matchAll(new RegExp(`\\| \`${name}\\('(\\w+)'\\)\` \\|`, 'g')),
    );
    expect(table.map(([, preset]) => preset).sort()).toEqual(presetsOf(create).sort());
  });

  it.each(presetsOf(create))('creates a head of the preset %s', (preset) => {
    expect(create(preset)).toMatchObject({ isSuppressed: false });
  });
});

it.each([
  ['face_short_range', 896, 16],
  ['face_full_range', 2304, 16],
  ['palm', 2016, 18],
  ['pose', 2254, 12],
] as const)("reads MediaPipe's outputs: %s", (preset, boxes, numbers) => {
  const results = [
    { data: new Float32Array(boxes * numbers), shape: [1, boxes, numbers] },
    { data: new Float32Array(boxes), shape: [1, boxes, 1] },
  ];
  const { detections } = mediapipeHead(preset).read(results, 0.5);
  expect(detections).toHaveLength(boxes);
  expect(detections[0]?.keyPoints).toHaveLength((numbers - 4) / 2);
  expect(readFileSync(README, 'utf8')).toContain(
    `\`[1, ${boxes}, ${numbers}]\`, \`[1, ${boxes}, 1]\` | \`mediapipeHead('${preset}')\``,
  );
});

it("reads a TensorFlow SSD's outputs, without the background", () => {
  const boxes = ssdAnchors({ inputSize: 300, strides: [16, 32, 64, 128, 256, 512] }).length;
  expect(boxes).toBe(1917);
  const scores = new Float32Array(boxes * 3).fill(-10);
  scores[5] = 10;
  const results = [
    { data: new Float32Array(boxes * 4), shape: [1, boxes, 4] },
    { data: scores, shape: [1, boxes, 3] },
  ];
  const { detections, classes } = anchorHead('ssd_mobilenet').read(results, 0.5);
  expect([detections.length, detections[0]?.index, classes]).toEqual([1, 1, 2]);
});

it('knows whether a version of YOLO has objectness', () => {
  // A box, objectness or a class, and a class: of v5 their product counts.
  const result = { data: Float32Array.of(0.5, 0.5, 1, 1, 0.5, 0.9, ...new Float32Array(36)), shape: [1, 7, 6] };
  const score = (version: 'yolov5' | 'yolov7' | 'yolov8' | 'yolo11') => {
    return yoloHead(version).read([result], 0.1).detections[0]?.score;
  };
  expect(score('yolov5')).toBeCloseTo(0.45);
  expect(score('yolov7')).toBeCloseTo(0.45);
  expect(score('yolov8')).toBeCloseTo(0.9);
  expect(score('yolo11')).toBeCloseTo(0.9);
});
