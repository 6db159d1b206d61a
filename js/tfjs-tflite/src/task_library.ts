/** The task library, which tfjs-tflite's own module has and this one has not. */

// What of the module the client touches first when it makes one of these.
const CLASSES = {
  NLClassifier: 'NLClassifier',
  BertNLClassifierOptionsCppProto: 'BertNLClassifier',
  BertQuestionAnswerer: 'BertQuestionAnswerer',
  ImageClassifierOptionsCppProto: 'ImageClassifier',
  ImageSegmenterOptionsCppProto: 'ImageSegmenter',
  ObjectDetectorOptionsCppProto: 'ObjectDetector',
} as const;

/** Has `module` say what is missing, where the client would find it undefined. */
export function refuseTaskLibrary(module: object): void {
  for (const [name, task] of Object.entries(CLASSES)) {
    Object.defineProperty(module, name, {
      get() {
        throw new Error(
          `${task} is of tfjs-tflite's task library, which tflite-webnn does not have: run the model with ` +
            "loadTFLiteModel(), or go back to tfjs-tflite's own wasm files with setWasmPath().",
        );
      },
    });
  }
}
