/** By what files with metadata of others than TFLite are known. Their readers are loaded when there is such a file. */

/** Files of Ultralytics' exports, the newest first. The older ones stand in place of labels. */
export const ULTRALYTICS_FILES: readonly string[] = ['metadata.json', 'temp_meta.txt', 'meta.txt'];

/** MediaPipe's custom metadata. */
export const MEDIAPIPE_METADATA: readonly (string | null)[] = ['DETECTOR_METADATA', 'SEGMENTER_METADATA'];
