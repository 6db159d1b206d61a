// @ts-check

/** Throws whether entries of the package share their errors, from a project that has it, for test_stacks.py. */

/** @type {(name: string) => Promise<typeof import('tflite-webnn')>} */
const load = (name) => import(name);
const tflite = await load('tflite-webnn');
const node = await load('tflite-webnn/node');
const byPath = await load('./node_modules/tflite-webnn/node.mjs');
const { ImageClassifier } = await import('tflite-webnn/tasks');
const error = await ImageClassifier.create(new Uint8Array(9)).catch((reason) => reason);
const same = tflite.OptionError === node.OptionError && byPath.OptionError === node.OptionError;
throw `${same} ${error instanceof tflite.NotATFLiteModelError}`;
