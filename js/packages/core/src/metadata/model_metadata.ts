/** A model file's metadata, in the terms of TFLite Metadata. */

import type { ArchiveEntry } from './archive.js';

/** What a packed file contains. */
export type AssociatedFileType =
  | 'UNKNOWN'
  | 'DESCRIPTIONS'
  | 'TENSOR_AXIS_LABELS'
  | 'TENSOR_VALUE_LABELS'
  | 'TENSOR_AXIS_SCORE_CALIBRATION'
  | 'VOCABULARY'
  | 'SCANN_INDEX_FILE';

/** A file that is packed into the model file, as its metadata describes it. */
export interface AssociatedFile {
  /** Its name in `files` of {@link ModelMetadata}. */
  readonly name: string;
  /** What it is for. */
  readonly description: string | null;
  /** What it contains; null where this package does not know the kind. */
  readonly type: AssociatedFileType | null;
  /** Language, as in BCP 47: `en`, `de-CH`. */
  readonly locale: string | null;
  /** As its author counts. */
  readonly version: string | null;
}

/** Names of classes. */
export interface Labels {
  /** Language, as in BCP 47; null if the file does not say. */
  readonly locale: string | null;
  /** `axis`: names of the positions on an axis of the tensor. `value`: names of the values in it. */
  readonly of: 'axis' | 'value';
  /** The file that has them. */
  readonly file: string;
  /** By index of the class. */
  readonly names: readonly string[];
}

/** How values become the model's: `(value - mean) / std`. */
export interface Normalization {
  /** One for all channels, or one for each. */
  readonly mean: readonly number[];
  /** As many, none of them 0. */
  readonly std: readonly number[];
}

/** Parameters of one class: `scale / (1 + exp(-(slope * transformed score + offset)))`. */
export interface Sigmoid {
  /** Positive or 0. */
  readonly scale: number;
  /** Of the exponent. */
  readonly slope: number;
  /** Of the exponent. */
  readonly offset: number;
  /** Scores below get the default score; null where there is no such limit. */
  readonly minScore: number | null;
}

/** How scores become comparable between classes. */
export interface ScoreCalibration {
  /** What is done with a score first. */
  readonly scoreTransformation: 'IDENTITY' | 'LOG' | 'INVERSE_LOGISTIC' | null;
  /** Of classes without parameters. */
  readonly defaultScore: number;
  /** By class; null where a class has none. */
  readonly sigmoids: readonly (Sigmoid | null)[];
}

/** How text becomes token ids. Files are names in `files` of {@link ModelMetadata}. */
export interface TokenizerMetadata {
  /** WordPiece as in BERT, SentencePiece, or words between matches of a regular expression. */
  readonly kind: 'bert' | 'sentencePiece' | 'regex';
  /** Files with a token a line. */
  readonly vocabularies: readonly string[];
  /** Files of SentencePiece; empty for others. */
  readonly models: readonly string[];
  /** The regular expression between words; null for others. */
  readonly delimiter: string | null;
}

/** What is done with values before or after the model. */
export interface Processing {
  /** Of an input. */
  readonly normalization: Normalization | null;
  /** Of an output with scores. */
  readonly scoreCalibration: ScoreCalibration | null;
  /** Lower scores do not count; null where there is no such limit. */
  readonly scoreThreshold: number | null;
  /** Of text; its files are names in `files` of {@link ModelMetadata}. */
  readonly tokenizer: TokenizerMetadata | null;
}

/** Width and height in pixels. */
export interface ImageSize {
  /** Pixels. */
  readonly width: number;
  /** Pixels. */
  readonly height: number;
}

/** A tensor holds features. */
export interface FeatureContent {
  /** The schema's name. */
  readonly kind: 'FeatureProperties';
}

/** A tensor holds an image. */
export interface ImageContent {
  /** The schema's name. */
  readonly kind: 'ImageProperties';
  /** Null where this package does not know it. */
  readonly colorSpace: 'UNKNOWN' | 'RGB' | 'GRAYSCALE' | null;
  /** The purpose of the model; null if it does not say. */
  readonly defaultSize: ImageSize | null;
}

/** A tensor holds boxes. */
export interface BoundingBoxContent {
  /** The schema's name. */
  readonly kind: 'BoundingBoxProperties';
  /** Where in the last axis the four numbers are; empty for the usual order of `type`. */
  readonly index: readonly number[];
  /**
   * `BOUNDARIES`: left, top, right, bottom. `UPPER_LEFT`: left, top, width, height. `CENTER`: its center, width,
   * height.
   */
  readonly type: 'UNKNOWN' | 'BOUNDARIES' | 'UPPER_LEFT' | 'CENTER' | null;
  /** Shares of the image, or pixels. */
  readonly coordinateType: 'RATIO' | 'PIXEL' | null;
}

/** A tensor holds sound. */
export interface AudioContent {
  /** The schema's name. */
  readonly kind: 'AudioProperties';
  /** Hertz. */
  readonly sampleRate: number;
  /** 1 is mono. */
  readonly channels: number;
}

/** What a tensor holds. */
export type TensorContent = FeatureContent | ImageContent | BoundingBoxContent | AudioContent;

/** Two ends. */
export interface ValueRange {
  /** The first one. */
  readonly min: number;
  /** The last one. */
  readonly max: number;
}

/** Bounds of a tensor's values. */
export interface Stats {
  /** One for all channels, or one for each. */
  readonly min: readonly number[];
  /** One for all channels, or one for each. */
  readonly max: readonly number[];
}

/** What the file says of a tensor. */
export interface TensorMetadata extends Processing {
  /** Chosen by the author, unlike the tensor's own name. */
  readonly name: string | null;
  /** For people. */
  readonly description: string | null;
  /** By axis; often empty. */
  readonly dimensionNames: readonly string[];
  /** Null where it is not known. */
  readonly content: TensorContent | null;
  /** The values that count, first and last; null for all. */
  readonly valueRange: ValueRange | null;
  /** The minimum and the maximum value; null where they are not known. */
  readonly stats: Stats | null;
  /** One for each language; {@link labelsFor} chooses. */
  readonly labels: readonly Labels[];
  /** All files of the tensor. */
  readonly associatedFiles: readonly AssociatedFile[];
}

/** Tensors that belong together. */
export interface TensorGroup {
  /** Of the group. */
  readonly name: string | null;
  /** In the metadata of the tensors. */
  readonly tensorNames: readonly string[];
}

/** Data of the author's own. */
export interface CustomMetadata {
  /** Says what the data is. */
  readonly name: string | null;
  /** In a format that the name implies. */
  readonly data: Uint8Array;
}

/** An anchor box of a detector, in shares of the image. */
export interface DetectorAnchor {
  /** Of the box. */
  readonly xCenter: number;
  /** Of the box. */
  readonly yCenter: number;
  /** Of the box. */
  readonly width: number;
  /** Of the box. */
  readonly height: number;
}

/** How a row of a detector's output becomes a box. */
export interface BoxDecoding {
  /** Scores a box has. */
  readonly numClasses: number;
  /** Boxes; as many as anchors. */
  readonly numBoxes: number;
  /** Numbers in a row. */
  readonly numCoords: number;
  /** Where in the row keypoints begin. */
  readonly keypointCoordOffset: number;
  /** Keypoints of a box. */
  readonly numKeypoints: number;
  /** Numbers of a keypoint. */
  readonly numValuesPerKeypoint: number;
  /** What x is divided by. */
  readonly xScale: number;
  /** What y is divided by. */
  readonly yScale: number;
  /** What the width is divided by. */
  readonly wScale: number;
  /** What the height is divided by. */
  readonly hScale: number;
  /** Whether width and height are exponents. */
  readonly applyExponentialOnBoxSize: boolean;
  /** Whether scores are still to go through the sigmoid function. */
  readonly sigmoidScore: boolean;
}

/** How MediaPipe's object detector makes boxes of the outputs (`DETECTOR_METADATA`). */
export interface DetectorMetadata {
  /** In the order of the model's boxes. */
  readonly anchors: readonly DetectorAnchor[];
  /** Null where the model decodes its boxes itself. */
  readonly decoding: BoxDecoding | null;
}

/** What MediaPipe's image segmenter does with the output (`SEGMENTER_METADATA`). */
export interface SegmenterMetadata {
  /** Applied to the model's output. */
  readonly activation: 'NONE' | 'SIGMOID' | 'SOFTMAX' | null;
}

/** What Ultralytics writes into its exports. */
export interface UltralyticsMetadata {
  /** `detect`, `segment`, `pose`, `classify`, `obb`. */
  readonly task: string | null;
  /** Names by index of the class. */
  readonly names: readonly string[];
  /** Pixels: `[height, width]`; null if it does not say. */
  readonly imageSize: readonly number[] | null;
  /** Everything that is written. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** A model file's metadata. */
export interface ModelMetadata {
  /** Of the model. */
  readonly name: string | null;
  /** For people. */
  readonly description: string | null;
  /** As its author counts. */
  readonly version: string | null;
  /** Who created it. */
  readonly author: string | null;
  /** The model's terms. */
  readonly license: string | null;
  /** The minimum version of TFLite Metadata's parser that understands all of it. */
  readonly minParserVersion: string | null;
  /** In the order of the model's inputs; empty where nothing is said of them. */
  readonly inputs: readonly TensorMetadata[];
  /** In the order of the model's outputs; empty where nothing is said of them. */
  readonly outputs: readonly TensorMetadata[];
  /** What is done with all inputs together, e.g. a tokenizer that fills several. */
  readonly inputProcessing: Processing;
  /** What is done with all outputs together. */
  readonly outputProcessing: Processing;
  /** Inputs that belong together. */
  readonly inputGroups: readonly TensorGroup[];
  /** Outputs that belong together. */
  readonly outputGroups: readonly TensorGroup[];
  /** Files of the entire model. */
  readonly associatedFiles: readonly AssociatedFile[];
  /** Data of the author's own. */
  readonly custom: readonly CustomMetadata[];
  /** MediaPipe's object detector. */
  readonly detector: DetectorMetadata | null;
  /** MediaPipe's image segmenter. */
  readonly segmenter: SegmenterMetadata | null;
  /** Ultralytics' exports. */
  readonly ultralytics: UltralyticsMetadata | null;
  /** All files that are packed into the model file. */
  readonly files: readonly ArchiveEntry[];
}
