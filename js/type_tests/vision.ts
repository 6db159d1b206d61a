/** A program for MediaPipe's vision tasks: it compiles against `@mediapipe/tasks-vision` and tflite-webnn/vision. */

import {
  type BoundingBox,
  type Category,
  type CategoryToColorMap,
  type Classifications,
  type Detection,
  type DrawingOptions,
  DrawingUtils,
  type Embedding,
  FaceDetector,
  type FaceDetectorResult,
  FaceLandmarker,
  type FaceLandmarkerOptions,
  FilesetResolver,
  GestureRecognizer,
  type GestureRecognizerOptions,
  type GestureRecognizerResult,
  HandLandmarker,
  type HandLandmarkerOptions,
  type HandLandmarkerResult,
  ImageClassifier,
  type ImageClassifierOptions,
  type ImageClassifierResult,
  ImageEmbedder,
  type ImageEmbedderOptions,
  type ImageEmbedderResult,
  ImageSegmenter,
  type ImageSegmenterCallback,
  type ImageSegmenterOptions,
  type ImageSegmenterResult,
  type ImageSource,
  type Landmark,
  type LandmarkData,
  type MPMask,
  type NormalizedLandmark,
  ObjectDetector,
  type ObjectDetectorOptions,
  type ObjectDetectorResult,
  PoseLandmarker,
  type PoseLandmarkerOptions,
  type PoseLandmarkerResult,
  type RGBAColor,
} from '@mediapipe/tasks-vision';

const base = { baseOptions: { modelAssetPath: 'model.tflite', delegate: 'GPU' as const } };

export async function classify(image: HTMLImageElement, bytes: Uint8Array): Promise<Category[]> {
  const fileset = await FilesetResolver.forVisionTasks('/wasm');
  const options: ImageClassifierOptions = { ...base, maxResults: 3, categoryAllowlist: ['cat'], runningMode: 'IMAGE' };
  const classifier: ImageClassifier = await ImageClassifier.createFromOptions(fileset, options);
  await classifier.setOptions({ scoreThreshold: undefined, displayNamesLocale: 'de' });
  const regionOfInterest = { left: 0, top: 0, right: 0.5, bottom: 1 };
  const result: ImageClassifierResult = classifier.classify(image, { regionOfInterest, rotationDegrees: 90 });
  const heads: Classifications[] = result.classifications;
  classifier.close();
  const other = await ImageClassifier.createFromModelBuffer(fileset, bytes);
  const time: number | undefined = other.classifyForVideo(image, performance.now()).timestampMs;
  return time === undefined ? [] : heads.flatMap(({ categories }) => categories);
}

export async function detect(video: HTMLVideoElement, context: CanvasRenderingContext2D): Promise<void> {
  const options: ObjectDetectorOptions = { ...base, runningMode: 'VIDEO', scoreThreshold: 0.5 };
  const detector = await ObjectDetector.createFromOptions(await FilesetResolver.forVisionTasks(), options);
  const { detections }: ObjectDetectorResult = detector.detectForVideo(video, performance.now());
  const utils = new DrawingUtils(context);
  const style: DrawingOptions = { color: 'red', lineWidth: (data: LandmarkData) => (data.from ? 1 : 2) };
  detections.forEach(({ boundingBox, keypoints }: Detection) => {
    const box: BoundingBox | undefined = boundingBox;
    if (box && keypoints.length === 0) utils.drawBoundingBox(box, style);
  });
}

export async function segment(image: ImageSource, context: CanvasRenderingContext2D): Promise<Uint8Array | undefined> {
  const options: ImageSegmenterOptions = { ...base, outputCategoryMask: true, outputConfidenceMasks: false };
  const segmenter = await ImageSegmenter.createFromOptions(await FilesetResolver.forVisionTasks(), options);
  const colors: RGBAColor[] = [[255, 0, 0, 255]];
  const map: CategoryToColorMap = new Map([[0, [0, 0, 0, 0]]]);
  const take: ImageSegmenterCallback = ({ categoryMask }) => {
    const mask: MPMask | undefined = categoryMask;
    if (mask) new DrawingUtils(context).drawCategoryMask(mask, map, [0, 0, 0, 255]);
    if (mask) new DrawingUtils(context).drawCategoryMask(mask, colors);
  };
  segmenter.segment(image, take);
  segmenter.segmentForVideo(image, 1, { rotationDegrees: 90 }, take);
  const result: ImageSegmenterResult = segmenter.segment(image);
  const labels: string[] = segmenter.getLabels();
  return labels.length > 0 ? result.categoryMask?.getAsUint8Array() : undefined;
}

export async function embed(image: ImageBitmap, reader: ReadableStreamDefaultReader): Promise<number> {
  const options: ImageEmbedderOptions = { l2Normalize: true, quantize: false };
  const embedder = await ImageEmbedder.createFromModelBuffer(await FilesetResolver.forVisionTasks(), reader);
  await embedder.setOptions(options);
  const { embeddings }: ImageEmbedderResult = embedder.embed(image);
  const [one, other]: Embedding[] = embeddings;
  return one && other ? ImageEmbedder.cosineSimilarity(one, other) : DrawingUtils.lerp(1, 0, 1, 2, 3);
}

export function draw(context: CanvasRenderingContext2D, landmarks: NormalizedLandmark[], world: Landmark[]): void {
  const utils = new DrawingUtils(context);
  utils.drawLandmarks(landmarks, { radius: DrawingUtils.clamp(world.length, 1, 5) });
  utils.drawConnectors(landmarks, [{ start: 0, end: 1 }], { color: '#0f0' });
  utils.close();
}

export async function mesh(video: HTMLVideoElement, context: CanvasRenderingContext2D, gl: WebGL2RenderingContext) {
  const fileset = await FilesetResolver.forVisionTasks('/wasm', await FilesetResolver.isSimdSupported(true));
  const options: FaceLandmarkerOptions = { ...base, runningMode: 'VIDEO', numFaces: 2 };
  const landmarker: FaceLandmarker = await FaceLandmarker.createFromOptions(fileset, options);
  landmarker.enableLogging(options);
  const utils = new DrawingUtils(context, gl);
  for (const landmarks of landmarker.detectForVideo(video, performance.now()).faceLandmarks) {
    utils.drawConnectors(landmarks, FaceLandmarker.FACE_LANDMARKS_TESSELATION, { color: '#c0c0c070', lineWidth: 1 });
  }
  const detector = await FaceDetector.createFromModelPath(fileset, 'face_detector.tflite');
  const { detections }: FaceDetectorResult = detector.detect(video);
  return detections.length;
}

export async function hands(image: HTMLCanvasElement, context: CanvasRenderingContext2D): Promise<string[]> {
  const fileset = await FilesetResolver.forVisionTasks();
  const options: HandLandmarkerOptions = { ...base, numHands: 2, minHandPresenceConfidence: 0.3 };
  const landmarker: HandLandmarker = await HandLandmarker.createFromOptions(fileset, options);
  const { landmarks, worldLandmarks, handedness }: HandLandmarkerResult = landmarker.detect(image);
  const utils = new DrawingUtils(context);
  for (const hand of landmarks) utils.drawConnectors(hand, HandLandmarker.HAND_CONNECTIONS, { lineWidth: 5 });
  const points: Landmark[] = worldLandmarks.flat();
  const sides: Category[] = handedness.flat();
  landmarker.close();
  return sides.map(({ displayName }) => `${displayName}: ${points.length}`);
}

export async function recognize(video: HTMLVideoElement): Promise<string> {
  const options: GestureRecognizerOptions = {
    ...base,
    runningMode: 'VIDEO',
    cannedGesturesClassifierOptions: { scoreThreshold: 0.5, categoryDenylist: ['None'] },
    customGesturesClassifierOptions: { maxResults: 1 },
  };
  const recognizer = await GestureRecognizer.createFromOptions(await FilesetResolver.forVisionTasks(), options);
  await recognizer.setOptions({ minTrackingConfidence: 0.6 });
  const { gestures }: GestureRecognizerResult = recognizer.recognizeForVideo(video, performance.now());
  const image: GestureRecognizerResult = recognizer.recognize(video, { rotationDegrees: 180 });
  return [...gestures, ...image.gestures].map(([first]) => first?.categoryName).join();
}

export async function pose(image: ImageBitmap, take: (mask: MPMask) => void): Promise<NormalizedLandmark[][]> {
  const options: PoseLandmarkerOptions = { ...base, numPoses: 2, outputSegmentationMasks: true };
  const landmarker = await PoseLandmarker.createFromOptions(await FilesetResolver.forVisionTasks(), options);
  const show = ({ segmentationMasks }: PoseLandmarkerResult) => segmentationMasks?.forEach(take);
  landmarker.detect(image, show);
  landmarker.detectForVideo(image, 1, { rotationDegrees: 0 }, show);
  const result: PoseLandmarkerResult = landmarker.detect(image);
  const lines = PoseLandmarker.POSE_CONNECTIONS.map(({ start, end }) => start - end);
  result.close();
  return lines.length > 0 ? result.landmarks : [];
}
