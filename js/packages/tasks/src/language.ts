/**
 * Language models: text in, vectors or more text out.
 *
 * @module tflite-webnn/language
 */

export { cosineSimilarity } from '@tflite-webnn/media/results';
export { TextEmbedder, type TextEmbedderOptions } from './language/text_embedder.js';
export {
  type GenerationOptions,
  type GenerationUsage,
  type LanguageModel,
  TextGenerator,
  type TextGeneratorOptions,
} from './language/text_generator.js';
