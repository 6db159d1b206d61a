/** What tasks return. */

/** A class and its score. */
export interface Category {
  /** Its score. */
  score: number;
  /** Its index among the model's classes. */
  index: number;
  /** Its name; empty where the file has no names. */
  categoryName: string;
  /** Its name in the language of the option `displayNamesLocale`; empty where the file has none. */
  displayName: string;
}

/** The classes of one output of a classifier. */
export interface Classifications {
  /** The classes, best first. */
  categories: Category[];
  /** Position of the output. */
  headIndex: number;
  /** Name of the output in the metadata; empty without metadata. */
  headName: string;
}

/** A rectangle with upright sides, in pixels. */
export interface BoundingBox {
  /** Its left side. */
  originX: number;
  /** Its upper side. */
  originY: number;
  /** Its width. */
  width: number;
  /** Its height. */
  height: number;
  /** Its rotation in degrees; 0 here. */
  angle: number;
}

/** A point relative to the image. */
export interface NormalizedKeypoint {
  /** 0 is the left edge, 1 the right one. */
  x: number;
  /** 0 is the upper edge, 1 the lower one. */
  y: number;
  /** What it is; empty where that is not known. */
  label?: string;
  /** How sure the model is. */
  score?: number;
}

/** A thing in an image. */
export interface Detection {
  /** What it is. */
  categories: Category[];
  /** Where it is, in pixels of the image. */
  boundingBox?: BoundingBox;
  /** Points of it, e.g. eyes; none of most detectors. */
  keypoints: NormalizedKeypoint[];
}

/** What a detector has found. */
export interface DetectionResult {
  /** Highest score first. */
  detections: Detection[];
}

/** A point of a body in the image. */
export interface NormalizedLandmark {
  /** 0 is the left edge of the image, 1 the right one. */
  x: number;
  /** 0 is the upper edge of the image, 1 the lower one. */
  y: number;
  /** Depth, in the measure of x: what is nearer has less. */
  z: number;
  /** Probability that it can be seen; 0 if the model does not have it. */
  visibility: number;
  /** Probability that it is in the image, if the model outputs it. */
  presence?: number;
}

/** A point of a body in space, in meters. */
export interface Landmark {
  /** To the right. */
  x: number;
  /** Down. */
  y: number;
  /** Away from the camera. */
  z: number;
  /** Probability that it can be seen; 0 if the model does not have it. */
  visibility: number;
  /** Probability that it is in the image, if the model outputs it. */
  presence?: number;
}

/** Two landmarks with a line between them. */
export interface Connection {
  /** Index of the first one. */
  start: number;
  /** Index of the other one. */
  end: number;
}

/** A matrix. */
export interface Matrix {
  /** Number of rows. */
  rows: number;
  /** Number of columns. */
  columns: number;
  /** The numbers, column by column. */
  data: number[];
}

/** An image as a list of numbers: similar images have similar ones. */
export interface Embedding {
  /** The numbers, unless they are quantized. */
  floatEmbedding?: number[];
  /** The numbers as bytes, with the option `quantize`. */
  quantizedEmbedding?: Uint8Array;
  /** Position of the output. */
  headIndex: number;
  /** Name of the output in the metadata; empty without metadata. */
  headName: string;
}
