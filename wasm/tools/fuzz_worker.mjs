// Loads and describes one model after the other with the compiled module; `python3 -m tools.fuzz` runs it.
//
//   node fuzz_worker.mjs MODULE.mjs LIMITS SANITIZER_OPTIONS [--invoke]
//
// On standard input each model is its length (uint32, little endian) and its bytes, then likewise, as JSON, the runs of
// `--shapes`: null, or a list of {"shapes": the inputs' or null for the file's, "inputs": their values as base64}.
// Standard output has, for each:
//   {"outcome": "rejected", "code": ...}                         the runner gave its reason
//   {"outcome": "loaded", "delegated": N, "invoked": true|false|null}
//   {"outcome": "ran", "results": of each run an error's text, or the outputs: [{"dtype", "shape", "data": base64}]}
//   {"outcome": "crashed", "phase": ..., "kind": ..., "report": ...}
// before that {"phase": ...} as each phase starts, so that the parent can locate a hang. The next model gets a new
// instance after a crash; after a model that ran, because kernels may have written anywhere; and after
// MODELS_PER_INSTANCE models, so that leaks do not end the search.
import { readFileSync, readSync, writeSync } from 'node:fs';
import { isReadable, moduleFactory, Runner, RunnerError } from './module.mjs';

const MODELS_PER_INSTANCE = 500;
const [modulePath, limitsPath, sanitizerOptions, invoke] = process.argv.slice(2);
const limits = readFileSync(limitsPath, 'utf8');
const start = await moduleFactory(modulePath);

let phase = '';
let phases = new Set();
let printed = [];
let aborted = null;

function send(reply) {
  writeSync(1, `${JSON.stringify(reply)}\n`);
}

function enter(name) {
  phase = name;
  phases.add(name);
  send({ phase });
}

function read(sizeBytes) {
  const bytes = Buffer.alloc(sizeBytes);
  let filled = 0;
  while (filled < sizeBytes) {
    const count = readSync(0, bytes, filled, sizeBytes - filled);
    if (count === 0) process.exit(0);
    filled += count;
  }
  return bytes;
}

async function startInstance() {
  printed = [];
  aborted = null;
  return start({
    ASAN_OPTIONS: sanitizerOptions,
    UBSAN_OPTIONS: 'print_stacktrace=1',
    print: (line) => printed.push(line),
    printErr: (line) => printed.push(line),
    onAbort: (what) => {
      aborted = String(what);
    },
    // The sanitizers call this after their report.
    quit: (status, error) => {
      throw error;
    },
  });
}

// Zeros; -1 and NaN; large numbers: operands that only inputs provide may be positions and sizes.
const FILLINGS = [0, 0xff, 0x7f];
// Nothing is zero here: the runtime sets the content of strings, and accepts no others.
const WITHOUT_ZERO = ['string', 'resource', 'variant'];

/**
 * Runs the model on each filling, if all of it is on the CPU, or else, if shapes depend on the data, the part that is:
 * WebNN's results are what the memory has. Null for other models.
 */
function invoked(runner, { graphs, inputs, plan }) {
  const steps = plan.filter(({ kind }) => kind === 'cpu');
  const hasUnknownShapes = steps.some(({ outputs }) => outputs.some((tensor) => runner.isDynamic(tensor)));
  if (invoke !== '--invoke' || (graphs.length > 0 && !hasUnknownShapes)) return null;
  enter('invoke');
  let ran = false;
  for (const byte of FILLINGS) {
    const fill = ({ dtype, index }) =>
      !WITHOUT_ZERO.includes(dtype) && runner.fill(index, dtype === 'bool' ? byte & 1 : byte);
    if (!inputs.every(fill)) break;
    try {
      if (graphs.length === 0) runner.invoke();
      else for (const { first, count } of steps) runner.invokeSteps(first, count);
      ran = true;
    } catch (error) {
      if (!(error instanceof RunnerError)) throw error;
    }
  }
  return ran;
}

/** Finds what a page would read out of bounds: sizes that disagree, constants outside of the heap. */
function check(module, runner, graph) {
  for (const constant of graph.constants) {
    const { id, dataType, shape, byteLength } = constant;
    if (sizeBytesOf(dataType, shape) !== byteLength) throw new Error(`constant ${id} has ${byteLength} bytes`);
    if (!isReadable(module, runner.constant(constant), byteLength)) throw new Error(`constant ${id} ends outside of its memory`);
  }
  for (const { tensor, tensorType, dataType, shape } of [...graph.inputs, ...graph.outputs]) {
    const sizeBytes = sizeBytesOf(tensorType ?? dataType, shape);
    if (sizeBytes !== runner.sizeBytes(tensor)) throw new Error(`tensor ${tensor} does not have ${sizeBytes} bytes`);
  }
}

function sizeBytesOf(dataType, shape) {
  const bits = Number(/\d+$/.exec(dataType)[0]);
  return Math.ceil((shape.reduce((count, size) => count * size, 1) * bits) / 8);
}

const WITH_WEBNN = { enable_webnn_delegate: '1', webnn_op_support_limits: limits, external_variables: '1' };
const ON_CPU = { reorder_weights: '1' };

function run(module, model, options) {
  enter('load');
  const runner = new Runner(module);
  let reply;
  try {
    for (const [name, value] of Object.entries(options)) runner.setOption(name, value);
    runner.init(model);
    enter('describe');
    const description = JSON.parse(runner.description());
    for (const graph of description.graphs) check(module, runner, graph);
    const delegated = description.nodes.filter((node) => node.placement === 'webnn').length;
    reply = { outcome: 'loaded', delegated, invoked: invoked(runner, description) };
  } catch (error) {
    if (!(error instanceof RunnerError)) throw error;
    reply = { outcome: 'rejected', code: JSON.parse(error.json).code };
  }
  enter('delete');
  runner.delete();
  return reply;
}

/** Resizes and runs one model again and again on the CPU; describes it for WebNN in the same shapes. */
function runShapes(module, model, runs) {
  enter('shapes');
  const runner = new Runner(module);
  const results = [];
  try {
    runner.setOption('defer_allocation', '1');
    for (const { shapes, inputs: provided } of runs) {
      if (results.length === 0) runner.init(model);
      try {
        if (shapes !== null) {
          const text = shapes.map((shape) => shape.join()).join(';');
          run(module, model, { ...WITH_WEBNN, input_shapes: text });
          enter('shapes');
          runner.resize(JSON.parse(runner.description()).inputs, shapes);
        }
        runner.allocate();
        const { inputs, outputs } = JSON.parse(runner.description());
        inputs.forEach(({ index }, position) => runner.write(index, Buffer.from(provided[position], 'base64')));
        runner.invoke();
        results.push(outputs.map(({ index, dtype }) => ({ dtype, ...runner.read(index) })));
      } catch (error) {
        if (!(error instanceof RunnerError)) throw error;
        results.push(JSON.parse(error.json).message);
      }
    }
  } catch (error) {
    if (!(error instanceof RunnerError)) throw error;
    results.push(...runs.map(() => JSON.parse(error.json).message));
  }
  runner.delete();
  return { outcome: 'ran', results };
}

function crash(error) {
  const sanitizer = printed.some((line) => /AddressSanitizer|runtime error:/.test(line));
  const kind = sanitizer ? 'sanitizer' : aborted !== null ? 'abort' : error.name;
  const report = [...printed, aborted ?? '', error.stack ?? String(error)].join('\n');
  return { outcome: 'crashed', phase, kind, report };
}

let module = await startInstance();
for (let served = 1; ; ++served) {
  const model = read(read(4).readUInt32LE());
  const runs = JSON.parse(read(read(4).readUInt32LE()));
  printed = [];
  phases = new Set();
  let reply;
  try {
    if (runs !== null) {
      reply = runShapes(module, model, runs);
    } else {
      reply = run(module, model, WITH_WEBNN);
      if (reply.delegated > 0) run(module, model, ON_CPU);
    }
  } catch (error) {
    reply = crash(error);
  }
  send(reply);
  const isSpent = reply.outcome === 'crashed' || phases.has('invoke') || served % MODELS_PER_INSTANCE === 0;
  if (isSpent) module = await startInstance();
}
