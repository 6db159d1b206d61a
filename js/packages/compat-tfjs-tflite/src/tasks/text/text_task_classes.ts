/** The classes of tasks on text, as embind shows those of C++. */

import { CppVector, type StatusOr } from '../../cpp_values.js';
import { OptionsCppProto, statusOf, type TaskHost } from '../task_host.js';
import { BertNLClassifier } from './bert_nl_classifier.js';
import { BertQuestionAnswerer, type CppAnswer } from './bert_question_answerer.js';
import type { CppCategory } from './categories.js';
import { NLClassifier, type NLClassifierOptions } from './nl_classifier.js';
import { TextModel } from './text_model.js';

interface Classifier {
  classify(text: string): CppCategory[];
  delete(): void;
}

/** By the names by which the client knows them. */
export function textTaskClasses(host: TaskHost) {
  return {
    NLClassifier: {
      CreateFromBufferAndOptions: (address: number, sizeBytes: number, options: NLClassifierOptions) =>
        opened(host, address, sizeBytes, (model) => cppClassifier(new NLClassifier(model, options))),
    },
    BertNLClassifierOptionsCppProto: OptionsCppProto,
    BertNLClassifier: {
      CreateFromOptions: (address: number, sizeBytes: number) =>
        opened(host, address, sizeBytes, (model) => cppClassifier(new BertNLClassifier(model))),
    },
    BertQuestionAnswerer: {
      CreateFromBuffer: (address: number, sizeBytes: number) =>
        opened(host, address, sizeBytes, (model) => cppAnswerer(new BertQuestionAnswerer(model))),
    },
  };
}

function cppClassifier(task: Classifier) {
  return {
    Classify: (text: string): CppVector<CppCategory> => new CppVector(task.classify(text)),
    delete: () => task.delete(),
  };
}

function cppAnswerer(task: BertQuestionAnswerer) {
  return {
    Answer: (context: string, question: string): CppVector<CppAnswer> => new CppVector(task.answer(context, question)),
    delete: () => task.delete(),
  };
}

function opened<T>(host: TaskHost, address: number, sizeBytes: number, make: (model: TextModel) => T): StatusOr<T> {
  return statusOf(() => {
    const file = host.read(address, sizeBytes);
    const runnable = host.prepare(file);
    try {
      return make(new TextModel(runnable, file));
    } catch (error) {
      runnable.delete();
      throw error;
    }
  });
}
