/** The tasks on text, which tfjs-tflite's own module has and this one lacks. */

// The members of the module that the client first accesses for each task.
const CLASSES = {
  NLClassifier: 'NLClassifier',
  BertNLClassifierOptionsCppProto: 'BertNLClassifier',
  BertQuestionAnswerer: 'BertQuestionAnswerer',
} as const;

/** Makes `module` throw an explanation where the client would find undefined. */
export function refuseTextTasks(module: object): void {
  for (const [name, task] of Object.entries(CLASSES)) {
    Object.defineProperty(module, name, {
      get() {
        throw new Error(
          `${task} is a task on text, which tflite-webnn does not have: run the model with ` +
            "loadTFLiteModel(), or go back to tfjs-tflite's own wasm files with setWasmPath().",
        );
      },
    });
  }
}
