/** The classes of tasks, as embind shows those of C++. */

import { CppVector, OptionsCppProto, type StatusOr, statusOf } from '../cpp_values.js';
import type { RetryingModel } from '../retrying_model.js';
import { BertNLClassifier, BertQuestionAnswerer, type CppAnswer } from './bert_tasks.js';
import { checkClassifierOptions, ImageClassifier } from './image_classifier.js';
import { checkSegmenterOptions, ImageSegmenter } from './image_segmenter.js';
import { NLClassifier, type NLClassifierOptions } from './nl_classifier.js';
import { ObjectDetector } from './object_detector.js';
import type { Message } from './protobuf.js';
import { type InputImage, TaskModel } from './task_model.js';
import { type CppCategory, TextModel } from './text_model.js';

/** What tasks need of the module. */
export interface TaskHost {
  /** A copy of bytes of the heap. */
  read(address: number, sizeBytes: number): Uint8Array;
  /** Prepares a model: on WebNN where a call can wait for it, else on the CPU. */
  prepare(file: Uint8Array): RetryingModel;
}

/** Runs on images. */
interface ImageTask {
  run(image: InputImage): Message;
}

/** A task on images; options are checked before the model. */
interface ImageTaskFactory<Options> {
  readonly checkOptions: (options: Options) => void;
  readonly create: (model: TaskModel, options: Options) => ImageTask;
}

interface TextClassifier {
  classify(text: string): CppCategory[];
  delete(): void;
}

const PIXEL_BYTES = 4;

/** By the names by which the client knows them. */
export function taskClasses(host: TaskHost) {
  return {
    ImageClassifierOptionsCppProto: OptionsCppProto,
    ImageClassifier: imageTaskClass(host, 'Classify', {
      checkOptions: checkClassifierOptions,
      create: (model, options) => new ImageClassifier(model, options),
    }),
    ImageSegmenterOptionsCppProto: OptionsCppProto,
    ImageSegmenter: imageTaskClass(host, 'Segment', {
      checkOptions: checkSegmenterOptions,
      create: (model, options) => new ImageSegmenter(model, options),
    }),
    ObjectDetectorOptionsCppProto: OptionsCppProto,
    ObjectDetector: imageTaskClass(host, 'Detect', {
      checkOptions: checkClassifierOptions,
      create: (model, options) => new ObjectDetector(model, options),
    }),
    NLClassifier: {
      CreateFromBufferAndOptions: (address: number, sizeBytes: number, options: NLClassifierOptions) =>
        textTask(host, address, sizeBytes, (model) => cppClassifier(new NLClassifier(model, options))),
    },
    BertNLClassifierOptionsCppProto: OptionsCppProto,
    BertNLClassifier: {
      CreateFromOptions: (address: number, sizeBytes: number) =>
        textTask(host, address, sizeBytes, (model) => cppClassifier(new BertNLClassifier(model))),
    },
    BertQuestionAnswerer: {
      CreateFromBuffer: (address: number, sizeBytes: number) =>
        textTask(host, address, sizeBytes, (model) => cppAnswerer(new BertQuestionAnswerer(model))),
    },
  };
}

function imageTaskClass<Options>(host: TaskHost, method: string, { checkOptions, create }: ImageTaskFactory<Options>) {
  return {
    CreateFromOptions: (address: number, sizeBytes: number, { options }: OptionsCppProto) => {
      return statusOf(() => {
        checkOptions(options as Options);
        return opened(host, address, sizeBytes, (runnable, file) => {
          const model = new TaskModel(runnable, file);
          return cppImageTask(host, method, model, create(model, options as Options));
        });
      });
    },
  };
}

function cppImageTask(host: TaskHost, method: string, model: TaskModel, task: ImageTask) {
  const run = (address: number, width: number, height: number) => {
    return statusOf(() => {
      const rgba = host.read(address, width * height * PIXEL_BYTES);
      const bytes = task.run({ rgba, width, height }).toBytes();
      return { toArrayBuffer: () => bytes.buffer };
    });
  };
  return { [method]: run, delete: () => model.delete() };
}

function textTask<T>(host: TaskHost, address: number, sizeBytes: number, create: (model: TextModel) => T): StatusOr<T> {
  return statusOf(() => opened(host, address, sizeBytes, (runnable, file) => create(new TextModel(runnable, file))));
}

function cppClassifier(task: TextClassifier) {
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

/** Prepares a model and creates its task; the model is freed where that fails. */
function opened<T>(
  host: TaskHost,
  address: number,
  sizeBytes: number,
  create: (runnable: RetryingModel, file: Uint8Array) => T,
): T {
  const file = host.read(address, sizeBytes);
  const runnable = host.prepare(file);
  try {
    return create(runnable, file);
  } catch (error) {
    runnable.delete();
    throw error;
  }
}
