/** The lines of code that do what the panel does, to be pasted. */

import { HEAD_LABELS } from '../common/heads.js';
import { type HeadName, imageOptions, type Recipe } from '../common/recipe.js';

/** What the lines depend on. */
export interface CodeInfo {
  /** Name of the model file. */
  readonly file: string;
  /** Side that an open input is prepared for; null where the model names its own. */
  readonly inputShape: readonly number[] | null;
  /** Samples of a run, for sounds. */
  readonly length: number;
  /** Whether the labels come from a file of the visitor. */
  readonly hasLabels: boolean;
  /** Height and width of the input, for points. */
  readonly size: { readonly width: number; readonly height: number };
  /** Inputs of the model, for zeros. */
  readonly inputs: readonly { readonly name: string; readonly elements: number; readonly array: string }[];
}

/** The function of the package for each head; none for what the file says. */
const HEADS: Readonly<Record<HeadName, string>> = {
  file: '',
  yolo11: 'yoloHead',
  yolov5: 'yoloHead',
  ssd_mobilenet: 'anchorHead',
  face_short_range: 'mediapipeHead',
  face_full_range: 'mediapipeHead',
  palm: 'mediapipeHead',
  pose: 'mediapipeHead',
};

const LABELS = "const labels = (await (await fetch('labels.txt')).text()).trim().split('\\n');";
const IMAGE = "const image = document.querySelector('img');";

/** The lines for a recipe. */
export function codeText(recipe: Recipe, info: CodeInfo): string {
  const file = info.file.replace(/['\\]/g, '\\$&').replace(/\s/g, ' ');
  return `${linesOf(recipe, { ...info, file }).join('\n')}\n`;
}

function linesOf(recipe: Recipe, info: CodeInfo): string[] {
  if (recipe.input === 'image') return imageLines(recipe, info);
  if (recipe.input === 'sound') return soundLines(recipe, info);
  if (recipe.input === 'text') return textLines(info);
  return tensorLines(info);
}

function imageLines(recipe: Recipe, info: CodeInfo): string[] {
  if (recipe.output === 'points' || recipe.output === 'tensors') return valueLines(recipe, info);
  const options = optionsText(recipe, info);
  const labels = info.hasLabels ? [LABELS] : [];
  if (recipe.output === 'boxes') {
    return [
      "import { ObjectDetector } from 'tflite-webnn/tasks';",
      ...(HEADS[recipe.head] ? [`import { ${HEADS[recipe.head]} } from 'tflite-webnn/results';`] : []),
      '',
      ...labels,
      IMAGE,
      `const detector = await ObjectDetector.create('${info.file}'${options});`,
      'for (const { label, score, box } of await detector.detect(image)) {',
      '  console.log(label, score, box.left, box.top, box.width, box.height); // pixels of the image',
      '}',
    ];
  }
  if (recipe.output === 'mask') {
    return [
      "import { classShares } from 'tflite-webnn/results';",
      "import { ImageSegmenter } from 'tflite-webnn/tasks';",
      '',
      ...labels,
      IMAGE,
      `const segmenter = await ImageSegmenter.create('${info.file}'${options});`,
      'const segmentation = await segmenter.segment(image);',
      'const mask = segmentation.classMask(); // width, height, and the class of each pixel',
      'for (const { index, share } of classShares(mask)) console.log(segmentation.labels?.[index] ?? index, share);',
    ];
  }
  return [
    "import { ImageClassifier } from 'tflite-webnn/tasks';",
    '',
    ...labels,
    IMAGE,
    `const classifier = await ImageClassifier.create('${info.file}'${options});`,
    'for (const { label, score } of await classifier.classify(image)) console.log(label, score);',
  ];
}

/** An image to the outputs themselves, or to points. */
function valueLines(recipe: Recipe, info: CodeInfo): string[] {
  const { width, height } = info.size;
  const [hasPoints, options] = [recipe.output === 'points', objectText(imageOptions(recipe))];
  const readPoints = [
    'const [points] = await model.run(input);',
    `const inputSize = { width: ${width}, height: ${height} };`,
    `const options = { inputSize, numbers: ${recipe.pointNumbers}, placement: input.placement };`,
    'for (const { x, y } of toLandmarks(points, options)) console.log(x, y); // pixels of the image',
  ];
  return [
    "import { loadTFLiteModel } from 'tflite-webnn';",
    "import { imageToTensor } from 'tflite-webnn/image';",
    ...(hasPoints ? ["import { toLandmarks } from 'tflite-webnn/results';"] : []),
    '',
    IMAGE,
    `const model = await loadTFLiteModel('${info.file}'${loadText(info)});`,
    `const input = await imageToTensor(image, model${options === '{}' ? '' : `, ${options}`});`,
    ...(hasPoints
      ? readPoints
      : ['for (const { name, shape, data } of await model.run(input)) console.log(name, shape, data);']),
  ];
}

function soundLines(recipe: Recipe, info: CodeInfo): string[] {
  return [
    "import { loadTFLiteModel } from 'tflite-webnn';",
    ...(recipe.output === 'classes' ? ["import { topK } from 'tflite-webnn/results';"] : []),
    "import { readSound, soundWindows } from 'tflite-webnn/sound';",
    '',
    ...(info.hasLabels ? [LABELS] : []),
    `const model = await loadTFLiteModel('${info.file}'${loadText(info)});`,
    `const samples = await readSound('sound.wav', { sampleRate: ${recipe.sampleRate} });`,
    `for (const window of soundWindows(samples, { length: ${info.length}, hop: ${Math.max(1, info.length >> 1)} })) {`,
    '  const [scores] = await model.run(window);',
    recipe.output === 'classes'
      ? `  console.log(topK(scores${info.hasLabels ? ', { labels }' : ''}));`
      : '  console.log(scores.shape, scores.data);',
    '}',
  ];
}

function textLines(info: CodeInfo): string[] {
  const Task = info.inputs.length > 1 ? 'BertNLClassifier' : 'NLClassifier';
  return [
    `import { ${Task} } from 'tflite-webnn/tasks';`,
    '',
    `const classifier = await ${Task}.create('${info.file}', { truncate: true });`,
    "for (const { label, score } of await classifier.classify('What a great film!')) console.log(label, score);",
  ];
}

function tensorLines(info: CodeInfo): string[] {
  const values = info.inputs.map(({ array, elements }) => `new ${array}(${elements})`);
  return [
    "import { loadTFLiteModel } from 'tflite-webnn';",
    '',
    `const model = await loadTFLiteModel('${info.file}'${loadText(info)});`,
    'for (const { name, dtype, shape } of model.inputs) console.log(name, dtype, shape);',
    `const results = await model.run([${values.join(', ')}]); // one array for each input`,
    'for (const { name, shape, data } of results) console.log(name, shape, data);',
  ];
}

function optionsText(recipe: Recipe, info: CodeInfo): string {
  const own = objectText({ ...imageOptions(recipe), ...shapeOption(info) });
  const labels = HEAD_LABELS[recipe.head];
  const extra = [
    ...(recipe.output === 'boxes' && HEADS[recipe.head] ? [`head: ${HEADS[recipe.head]}('${recipe.head}')`] : []),
    ...(info.hasLabels ? ['labels'] : labels && recipe.output === 'boxes' ? [`labels: ${objectText(labels)}`] : []),
  ];
  const all = [...(own === '{}' ? [] : [own.slice(2, -2)]), ...extra];
  return all.length === 0 ? '' : `, { ${all.join(', ')} }`;
}

function loadText(info: CodeInfo): string {
  const options = objectText(shapeOption(info));
  return options === '{}' ? '' : `, ${options}`;
}

function shapeOption({ inputShape }: CodeInfo): Record<string, unknown> {
  return inputShape === null ? {} : { inputShapes: [inputShape] };
}

/** An object as code: `{ fit: 'crop', range: [0, 1] }`. */
function objectText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(objectText).join(', ')}]`;
  if (typeof value === 'string') return `'${value}'`;
  if (typeof value !== 'object' || value === null) return String(value);
  const entries = Object.entries(value).map(([key, each]) => `${key}: ${objectText(each)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}
