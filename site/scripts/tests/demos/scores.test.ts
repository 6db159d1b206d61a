import { describe, expect, it } from 'vitest';
import { describedModel } from '../../../../js/runtime/tests/fakes/index.js';
import { classify } from '../../demos/classification.js';
import { LabelsMissingError, readLabels } from '../../demos/model_labels.js';
import type { Net, Values } from '../../demos/net.js';
import { findClasses } from '../../demos/segmentation.js';

const STEPS = { scales: [0.5], zeroPoints: [10] };

function netOf(dtype: string, answer: Values) {
  const taken: Values[] = [];
  const net: Net = {
    inputs: [{ index: 0, name: 'picture', dtype, shape: [1, 1, 1, 3], quantization: STEPS }],
    outputs: [{ index: 1, name: 'scores', dtype, shape: [1, answer.length], quantization: STEPS }],
    signatures: [],
    run: async (input) => {
      taken.push(input);
      return [answer];
    },
  };
  return { net, taken };
}

const WHITE = { width: 1, height: 1, data: new Uint8ClampedArray([255, 0, 255, 255]) };

describe('classify', () => {
  it('passes pixels unscaled to an integer network, and dequantizes its outputs', async () => {
    const { net, taken } = netOf('uint8', Uint8Array.of(10, 12, 11));
    expect(await classify(net, WHITE, ['tench', 'goldfish', 'shark'], 2)).toEqual([
      { index: 1, score: 1, label: 'goldfish' },
      { index: 2, score: 0.5, label: 'shark' },
    ]);
    expect(taken).toEqual([Uint8Array.of(255, 0, 255)]);
  });

  it('passes values from -1 to 1 to a float network', async () => {
    const { net, taken } = netOf('float32', Float32Array.of(0.25));
    await classify(net, WHITE, ['tench'], 1);
    expect(taken).toEqual([Float32Array.of(1, -1, 1)]);
  });
});

describe('readLabels', () => {
  const labels = { name: 'labels.txt', type: 'TENSOR_AXIS_LABELS' };
  const described = (associatedFiles: (typeof labels)[]) =>
    describedModel({
      outputs: [[1, 3]],
      metadata: { subgraphMetadata: [{ outputTensorMetadata: [{ associatedFiles }] }] },
      files: { 'labels.txt': 'tench\ngoldfish\r\ntiger shark\n' },
    });

  it("reads the labels that the model's metadata names", async () => {
    expect(await readLabels(described([labels]))).toEqual(['tench', 'goldfish', 'tiger shark']);
  });

  it('rejects a file without labels', async () => {
    await expect(readLabels(described([]))).rejects.toThrow(LabelsMissingError);
    await expect(readLabels(describedModel({ outputs: [[1, 3]] }))).rejects.toThrow(LabelsMissingError);
  });
});

describe('segmentation', () => {
  const outputs = (shape: number[]) => [{ index: 1, name: 'mask', dtype: 'float32', shape, quantization: null }];

  it('passes values from -1 to 1 to DeepLab, and takes the best class of each pixel', async () => {
    const { net, taken } = netOf('float32', Float32Array.of(0.1, 0.9));
    expect(await findClasses({ ...net, outputs: outputs([1, 1, 1, 2]) }, WHITE)).toEqual({
      width: 1,
      height: 1,
      classes: Uint8Array.of(1),
    });
    expect(taken).toEqual([Float32Array.of(1, -1, 1)]);
  });
});
