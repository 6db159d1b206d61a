// Runs a task of the built package on an image, in Node: what the thumbnails of the site's demos show.
//
//   node demo_results.mjs PACKAGE_DIR < REQUEST
//
// REQUEST is JSON:
//   task           classification, detection (of faces), segmentation or pose
//   model          path of the .tflite or .task file
//   width, height  of the image
//   pixels         RGBA, in base64
// Prints JSON: categories, detections, { classes } in base64, or { points, connections }.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

const packageDir = resolve(process.argv[2]);
const entry = (name) => import(pathToFileURL(resolve(packageDir, 'node', `${name}.mjs`)).href);

const TASKS = {
  async classification(model, image) {
    const { ImageClassifier } = await entry('tasks');
    return (await ImageClassifier.create(model, { k: 3 })).classify(image);
  },
  async detection(model, image) {
    const [{ ObjectDetector }, { mediapipeHead }] = [await entry('tasks'), await entry('results')];
    const options = { head: mediapipeHead('face_short_range'), labels: ['face'], fit: 'letterbox', range: [-1, 1] };
    return (await ObjectDetector.create(model, options)).detect(image);
  },
  async segmentation(model, image) {
    const { ImageSegmenter } = await entry('tasks');
    const { classes } = (await (await ImageSegmenter.create(model)).segment(image)).classMask();
    return { classes: Buffer.from(Uint8Array.from(classes)).toString('base64') };
  },
  async pose(modelAssetBuffer, image) {
    const { PoseLandmarker } = await entry('vision');
    const landmarker = await PoseLandmarker.createFromOptions({}, { baseOptions: { modelAssetBuffer } });
    const { landmarks } = await landmarker.detectAsync(image);
    return { points: landmarks[0] ?? [], connections: PoseLandmarker.POSE_CONNECTIONS };
  },
};

const { task, model, width, height, pixels } = JSON.parse(await readAll(process.stdin));
const image = { width, height, data: new Uint8ClampedArray(Buffer.from(pixels, 'base64')) };
const result = await TASKS[task](new Uint8Array(await readFile(model)), image);
process.stdout.write(JSON.stringify(result), () => process.exit()); // models keep Node's workers
