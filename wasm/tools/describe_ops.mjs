// Prints what the delegate of the compiled module knows of each op, as JSON.
//
//   node describe_ops.mjs MODULE.mjs
import { moduleFactory } from './module.mjs';

const start = await moduleFactory(process.argv[2]);
const module = await start();
console.log(module.UTF8ToString(module._tflite_runner_describe_ops()));
