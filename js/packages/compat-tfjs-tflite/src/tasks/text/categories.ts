/** Classes of text and their scores. */

import type { TensorInfo } from 'tflite-webnn/description';
import type { TensorMetadata } from 'tflite-webnn/metadata/model_metadata';
import type { TextModel } from './text_model.js';

/** As embind shows the C++ struct. */
export interface CppCategory {
  readonly className: string;
  readonly score: number;
}

/** All classes, in the model's order; those without names are called by their index. */
export function categoriesOf(model: TextModel, scores: TensorInfo, names: readonly string[] | null): CppCategory[] {
  const shape = model.shape(scores);
  const count = (shape.length === 2 ? shape[1] : shape[0]) ?? 0;
  const values = model.values(scores);
  return Array.from({ length: count }, (_, index) => {
    return { className: names === null ? String(index) : (names[index] ?? ''), score: values[index] as number };
  });
}

/** Names from metadata: its first file counts, if it has labels. */
export function namesOf(tensor: TensorMetadata | null | undefined): readonly string[] | null {
  const first = tensor?.associatedFiles[0];
  if (first?.type !== 'TENSOR_AXIS_LABELS') return null;
  return tensor?.labels.find(({ file }) => file === first.name)?.names ?? null;
}
