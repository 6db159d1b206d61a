import type { TensorInfo } from 'tflite-webnn';
import { describe, expect, it } from 'vitest';
import { guessRecipe, type ModelInfo, type Recipe } from '../common/recipe.js';
import { type CodeInfo, codeText } from '../run/code_text.js';

function tensor(shape: readonly number[], dtype: TensorInfo['dtype'] = 'float32'): TensorInfo {
  return { index: 0, name: 't', dtype, shape, shapeSignature: shape, sizeBytes: 0, quantization: null };
}

function info(input: TensorInfo, ...outputs: TensorInfo[]): ModelInfo {
  return { inputs: [input], outputs, metadata: null };
}

const IMAGE = tensor([1, 224, 224, 3]);

describe('guessRecipe', () => {
  it.each<[string, ModelInfo, Partial<Recipe>]>([
    ['classifier', info(IMAGE, tensor([1, 1000])), { input: 'image', output: 'classes', range: 'minusOneToOne' }],
    [
      'quantized classifier',
      info(tensor([1, 224, 224, 3], 'uint8'), tensor([1, 1001])),
      { output: 'classes', range: 'file' },
    ],
    ['classifier in NCHW', info(tensor([1, 3, 224, 224]), tensor([1, 1000])), { output: 'classes', range: 'imagenet' }],
    [
      'SSD',
      info(IMAGE, tensor([1, 10, 4]), tensor([1, 10]), tensor([1, 10]), tensor([1])),
      { output: 'boxes', head: 'file', fit: 'stretch' },
    ],
    [
      'YOLO v8',
      info(tensor([1, 640, 640, 3]), tensor([1, 84, 8400])),
      { output: 'boxes', head: 'yolo11', fit: 'letterbox' },
    ],
    [
      'YOLO v5',
      info(tensor([1, 640, 640, 3]), tensor([1, 25200, 85])),
      { output: 'boxes', head: 'yolov5', range: 'zeroToOne' },
    ],
    [
      'MediaPipe faces',
      info(tensor([1, 128, 128, 3]), tensor([1, 896, 16]), tensor([1, 896, 1])),
      { output: 'boxes', head: 'face_short_range', range: 'minusOneToOne' },
    ],
    ['segmenter', info(tensor([1, 257, 257, 3]), tensor([1, 257, 257, 21])), { output: 'mask' }],
    ['segmenter in NCHW', info(tensor([1, 3, 128, 128]), tensor([1, 4, 128, 128])), { output: 'mask' }],
    ['segmenter of class indices', info(IMAGE, tensor([1, 56, 56], 'int64')), { output: 'mask' }],
    [
      'face mesh',
      info(tensor([1, 192, 192, 3]), tensor([1, 1, 1, 1404]), tensor([1, 1])),
      { output: 'points', pointNumbers: 3 },
    ],
    ['sound', info(tensor([15_600]), tensor([1, 521])), { input: 'sound', output: 'classes' }],
    [
      'sound of Teachable Machine, with an open batch',
      info({ ...tensor([1, 44_032]), shapeSignature: [-1, 44_032] }, tensor([1, 3])),
      { input: 'sound', output: 'classes', sampleRate: 44_100 },
    ],
    [
      'sound of basic_pitch',
      info({ ...tensor([1, 43_844, 1]), shapeSignature: [-1, 43_844, 1] }, tensor([1, 172, 88])),
      { input: 'sound', output: 'tensors', sampleRate: 22_050 },
    ],
    ['numbers', info(tensor([1, 640]), tensor([1, 640])), { input: 'zeros', output: 'tensors' }],
    ['spectrogram', info(tensor([1, 49, 10, 1], 'int8'), tensor([1, 12])), { input: 'zeros' }],
    [
      'open image',
      info({ ...tensor([1, 1, 1, 3]), shapeSignature: [1, -1, -1, 3] }, tensor([1, 10])),
      { input: 'image' },
    ],
  ])('%s', (_, provided, expected) => {
    expect(guessRecipe(provided)).toMatchObject(expected);
  });
});

describe('codeText', () => {
  const CODE: CodeInfo = {
    file: 'model.tflite',
    inputShape: null,
    length: 15_600,
    hasLabels: false,
    size: { width: 192, height: 192 },
    inputs: [{ name: 'x', elements: 8, array: 'Float32Array' }],
  };
  const recipe = guessRecipe(info(IMAGE, tensor([1, 1000])));

  it('has the options that differ from the defaults', () => {
    expect(codeText(recipe, { ...CODE, hasLabels: true })).toContain(
      "create('model.tflite', { range: [-1, 1], labels });",
    );
    expect(codeText({ ...recipe, range: 'file' }, CODE)).toContain("create('model.tflite');");
    expect(codeText({ ...recipe, output: 'boxes', head: 'yolo11', fit: 'letterbox' }, CODE)).toContain(
      "create('model.tflite', { fit: 'letterbox', range: [-1, 1], head: yoloHead('yolo11') });",
    );
    expect(codeText(recipe, { ...CODE, inputShape: [1, 320, 320, 3] })).toContain('inputShapes: [[1, 320, 320, 3]]');
  });

  it('has one array for each input', () => {
    expect(codeText({ ...recipe, input: 'zeros', output: 'tensors' }, CODE)).toContain(
      'model.run([new Float32Array(8)])',
    );
  });

  it('quotes names of files', () => {
    expect(codeText(recipe, { ...CODE, file: "it's.tflite" })).toContain("create('it\\'s.tflite'");
  });
});
