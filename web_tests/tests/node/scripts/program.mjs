// @ts-check

/**
 * Runs the body of a function on a model's file, and prints its result as JSON, for programs.py. A separate process each
 * time: it must also end by itself while threads of its models live.
 */

import { pathToFileURL } from 'node:url';

const [packageDir = '', file = '', body = ''] = process.argv.slice(2);
/** @type {typeof import('../../../../js/packages/core/src/node.js')} */
const library = await import(pathToFileURL(`${packageDir}/node.mjs`).href);

/** Loads a model of f32[8] and runs it on 0 to 7. @type {(...all: Parameters<typeof library.loadTFLiteModel>) => unknown} */
async function run(...all) {
  const model = await library.loadTFLiteModel(...all);
  const [y] = await model.run(Float32Array.from({ length: 8 }, (_, index) => index));
  const { threads, webnn } = await model.report();
  return { y: [...y.data], mode: model.executionMode, threads: threads.used, webnn };
}

const provided = {
  library,
  packageDir,
  file,
  run,
  pathToFileURL,
  /** Imports a script of this directory. @param {string} name */
  script: (name) => import(new URL(`${name}.mjs`, import.meta.url).href),
};
const AsyncFunction = (async () => {}).constructor;
console.log(JSON.stringify(await AsyncFunction(...Object.keys(provided), body)(...Object.values(provided))));
