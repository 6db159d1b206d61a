/** The models that tasks run, and their metadata. */

import type { Result } from '@tflite-webnn/media/results';
import type { TextMetadata } from '@tflite-webnn/tasks/text';
import {
  type DetectorMetadata,
  loadTFLiteModel,
  MODEL_OPTION_KINDS,
  type ModelSource,
  OptionError,
  prepareMetadata,
  type ScoreCalibration,
  type ShapedValues,
  type TensorInfo,
  type TFLiteModelOptions,
  type TokenizerMetadata,
  type UltralyticsMetadata,
} from 'tflite-webnn';
import { COUNT, checkArguments, having, type Kind, listOf, NUMBER, optional, pick, TEXT } from './arguments.js';

/** What tasks read of the metadata of an input or output: TFLite Metadata's words. */
export interface TaskTensorMetadata {
  /** Name of the tensor. */
  readonly name?: string | null;
  /** How pixels become the model's values. */
  readonly normalization?: {
    /** What is subtracted, for all channels or for each. */
    readonly mean: readonly number[];
    /** What the difference is divided by, as many. */
    readonly std: readonly number[];
  } | null;
  /** Names of classes, one list for each language. */
  readonly labels?: readonly {
    /** The language, as in BCP 47; null if the file does not say. */
    readonly locale: string | null;
    /** By index of the class. */
    readonly names: readonly string[];
  }[];
  /** How scores become comparable. */
  readonly scoreCalibration?: ScoreCalibration | null;
  /** The least score that counts. */
  readonly scoreThreshold?: number | null;
  /** How text becomes the input's values. */
  readonly tokenizer?: TokenizerMetadata | null;
}

/** What tasks read of a model's metadata, as `readModelMetadata()` returns it. */
export interface TaskMetadata extends TextMetadata {
  /** In the order of the model's inputs. */
  readonly inputs: readonly TaskTensorMetadata[];
  /** In the order of the model's outputs. */
  readonly outputs: readonly TaskTensorMetadata[];
  /** MediaPipe's object detector. */
  readonly detector?: DetectorMetadata | null;
  /** Ultralytics' exports. */
  readonly ultralytics?: Pick<UltralyticsMetadata, 'names'> | null;
}

const NULL_OR_TEXT: Kind = ['null or a string', (value) => value == null || TEXT[1](value)];
const LABELS = having({ names: listOf(TEXT), locale: NULL_OR_TEXT });
const TENSOR = having({
  name: NULL_OR_TEXT,
  labels: optional(listOf(LABELS)),
});
const IN_FILE = having({ inputs: listOf(TENSOR), outputs: listOf(TENSOR) });
/** @internal */
export const METADATA: Kind = [
  'null or what readModelMetadata() returns',
  (value) => value === null || IN_FILE[1](value),
];
/** @internal */
export const TENSORS = listOf(having({ name: TEXT, dtype: TEXT, shape: listOf(NUMBER) }));

/** A loaded model, in the page or in a worker. */
export interface TaskModel {
  /** Its inputs. */
  readonly inputs: readonly TensorInfo[];
  /** Its outputs. */
  readonly outputs: readonly TensorInfo[];
  /** Its file's metadata, if it was read. */
  readonly metadata?: PromiseLike<TaskMetadata | null> | TaskMetadata | null;
  /**
   * Runs it on its only input, or on all in order; its outputs in order.
   *
   * @param inputs - Values in row-major order, each with its shape.
   * @param options - A signal that ends the call.
   */
  run(
    inputs: ShapedValues | readonly ShapedValues[],
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<readonly Result[]>;
  /** Frees it. */
  dispose(): void | Promise<void>;
}

/** A model that a task runs. */
export interface OpenModel {
  /** The model. */
  readonly model: TaskModel;
  /** Its file's metadata, or what is given in its place. */
  readonly metadata: TaskMetadata | null;
  /** Whether the task has loaded it, and so disposes of it. */
  readonly isOwn: boolean;
}

/**
 * Loads a model, or takes one that is loaded.
 *
 * @throws OptionError for an option of loading where the model is loaded.
 */
export async function openModel(
  source: ModelSource | TaskModel,
  { metadata, ...options }: TFLiteModelOptions & { readonly metadata?: TaskMetadata | null },
): Promise<OpenModel> {
  const isLoaded = typeof source === 'object' && source !== null && 'run' in source;
  const loading = pick(options, MODEL_OPTION_KINDS);
  const [option] = Object.entries(loading).find(([, value]) => value !== undefined) ?? [];
  if (isLoaded && option !== undefined) {
    const message = `the option "${option}" is for a model that the task loads itself`;
    throw new OptionError(message, { details: { option } });
  }
  if (metadata === undefined) prepareMetadata();
  const model: TaskModel = isLoaded ? source : await loadTFLiteModel(source, loading);
  const found = metadata === undefined ? await model.metadata : metadata;
  return { model, metadata: found ?? null, isOwn: !isLoaded };
}

/**
 * Labels of an output in a language; without one, in that which comes first.
 *
 * @param metadata - What `readModelMetadata()` returns, or null.
 * @param output - Position of the output.
 * @param locale - The language, as in BCP 47; undefined for that which comes first.
 * @returns Names by index of the class; undefined if there are none.
 * @throws OptionError
 */
export function labelsOf(
  metadata: TaskMetadata | null,
  output: number,
  locale: string | undefined,
): readonly string[] | undefined {
  const kinds = { metadata: METADATA, output: COUNT, locale: optional(TEXT) };
  checkArguments('labelsOf', { metadata, output, locale }, kinds);
  const labels = metadata?.outputs[output]?.labels ?? [];
  const chosen = locale === undefined ? labels[0] : labels.find((row) => row.locale === locale);
  return (chosen ?? labels[0])?.names;
}

/** @internal Tensors for messages. */
export function described(tensors: readonly TensorInfo[]): string {
  return tensors.map(({ name, dtype, shape }) => `${name} ${dtype}[${shape.join(', ')}]`).join(', ');
}
