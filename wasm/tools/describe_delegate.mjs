// Prints the ops or the options of the compiled module's delegate, as JSON.
//
//   node describe_delegate.mjs MODULE.mjs ops|delegate_options
import { moduleFactory } from './module.mjs';

const [modulePath, what] = process.argv.slice(2);
const start = await moduleFactory(modulePath);
const module = await start();
console.log(module.UTF8ToString(module[`_tflite_runner_describe_${what}`]()));
