/** The classes of tasks on images, as embind shows those of C++. */

import { checkClassifierOptions, ImageClassifier } from './image_classifier.js';
import { checkSegmenterOptions, ImageSegmenter } from './image_segmenter.js';
import { ObjectDetector } from './object_detector.js';
import type { Message } from './protobuf.js';
import { OptionsCppProto, statusOf, type TaskHost } from './task_host.js';
import { type InputImage, TaskModel } from './task_model.js';

interface Task {
  answer(image: InputImage): Message;
}

/** A task; options are checked before the model. */
interface TaskMaker<Options> {
  readonly checkOptions: (options: Options) => void;
  readonly make: (model: TaskModel, options: Options) => Task;
}

const PIXEL_BYTES = 4;

/** By the names by which the client knows them. */
export function taskClasses(host: TaskHost) {
  return {
    ImageClassifierOptionsCppProto: OptionsCppProto,
    ImageClassifier: taskClass(host, 'Classify', {
      checkOptions: checkClassifierOptions,
      make: (model, options) => new ImageClassifier(model, options),
    }),
    ImageSegmenterOptionsCppProto: OptionsCppProto,
    ImageSegmenter: taskClass(host, 'Segment', {
      checkOptions: checkSegmenterOptions,
      make: (model, options) => new ImageSegmenter(model, options),
    }),
    ObjectDetectorOptionsCppProto: OptionsCppProto,
    ObjectDetector: taskClass(host, 'Detect', {
      checkOptions: checkClassifierOptions,
      make: (model, options) => new ObjectDetector(model, options),
    }),
  };
}

function taskClass<Options>(host: TaskHost, method: string, { checkOptions, make }: TaskMaker<Options>) {
  return {
    CreateFromOptions: (address: number, sizeBytes: number, { options }: OptionsCppProto) => {
      return statusOf(() => {
        checkOptions(options as Options);
        const file = host.read(address, sizeBytes);
        const runnable = host.prepare(file);
        try {
          const model = new TaskModel(runnable, file);
          return cppTask(host, method, model, make(model, options as Options));
        } catch (error) {
          runnable.delete();
          throw error;
        }
      });
    },
  };
}

function cppTask(host: TaskHost, method: string, model: TaskModel, task: Task) {
  const answer = (address: number, width: number, height: number) => {
    return statusOf(() => {
      const rgba = host.read(address, width * height * PIXEL_BYTES);
      const bytes = task.answer({ rgba, width, height }).toBytes();
      return { toArrayBuffer: () => bytes.buffer };
    });
  };
  return { [method]: answer, delete: () => model.delete() };
}
