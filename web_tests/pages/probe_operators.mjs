// Builds and runs graphs of one operator each on the browser's own WebNN, one after the other, for `build.py probe`.

/** Time limit of a build or run: graphs have a few elements. */
const HANG_MS = 20_000;

const bytesOf = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

function textOf(bytes) {
  let text = '';
  for (const byte of new Uint8Array(bytes)) text += String.fromCharCode(byte);
  return btoa(text);
}

/** Inserts the operands into the arguments, and infinities, which JSON lacks. */
function resolved(argument, operands) {
  if (argument === 'Infinity') return Infinity;
  if (argument === '-Infinity') return -Infinity;
  if (Array.isArray(argument)) return argument.map((element) => resolved(element, operands));
  if (typeof argument !== 'object' || argument === null) return argument;
  if ('operand' in argument) return operands.get(argument.operand);
  return Object.fromEntries(Object.entries(argument).map(([key, value]) => [key, resolved(value, operands)]));
}

/** Not every browser has float16 and int64 arrays; bytes work in all. */
function constantOf(builder, { dataType, shape, data }) {
  return builder.constant({ dataType, shape }, bytesOf(data));
}

async function compute(context, { inputs, constants, operators: [{ op, args }] }, at) {
  at.stage = 'operator';
  const builder = new MLGraphBuilder(context);
  const operands = new Map();
  for (const { id, name, dataType, shape } of inputs) operands.set(id, builder.input(name, { dataType, shape }));
  for (const constant of constants) operands.set(constant.id, constantOf(builder, constant));
  const made = builder[op](...args.map((argument) => resolved(argument, operands)));
  const results = Array.isArray(made) ? made : [made];
  at.stage = 'build';
  const graph = await builder.build(Object.fromEntries(results.map((operand, index) => [`y${index}`, operand])));
  at.stage = 'run';
  const tensors = [];
  const tensor = async ({ dataType, shape }, use) => {
    const one = await context.createTensor({ dataType, shape: [...shape], ...use });
    tensors.push(one);
    return one;
  };
  const given = {};
  for (const input of inputs) {
    given[input.name] = await tensor(input, { writable: true });
    context.writeTensor(given[input.name], bytesOf(input.data));
  }
  const taken = {};
  for (const [index, operand] of results.entries()) taken[`y${index}`] = await tensor(operand, { readable: true });
  context.dispatch(graph, given, taken);
  const outputs = [];
  for (const [index, { dataType, shape }] of results.entries()) {
    outputs.push({ dataType, shape: [...shape], data: textOf(await context.readTensor(taken[`y${index}`])) });
  }
  for (const one of tensors) one.destroy();
  graph.destroy?.();
  return outputs;
}

/** A context with the reason of its loss; null if the browser creates none, even after a moment. */
async function open() {
  for (const delayMs of [0, 100, 400, 1000]) {
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    const context = await navigator.ml.createContext().catch(() => null);
    if (context === null) continue;
    const opened = { context, lost: null };
    context.lost.then(({ message }) => {
      opened.lost = message || 'no reason was given';
    });
    return opened;
  }
  return null;
}

async function answerTo(graph, opened) {
  const { context } = opened;
  const at = { stage: 'operator' };
  const late = new Promise((resolve) => setTimeout(resolve, HANG_MS, 'hangs'));
  const gone = context.lost.then(() => 'lost');
  try {
    const outputs = await Promise.race([compute(context, graph, at), late, gone]);
    return typeof outputs === 'string' ? { stage: at.stage, [outputs]: opened.lost ?? true } : { outputs };
  } catch (error) {
    // The loss may arrive a moment later than the failure that it causes.
    if (at.stage !== 'operator') await Promise.race([context.lost, new Promise((done) => setTimeout(done, 100))]);
    return { stage: at.stage, ...(opened.lost === null ? { message: `${error.name}: ${error.message}` } : opened) };
  }
}

/**
 * Tries graphs until the browser creates no context any more: Chromium after the third death of its GPU process.
 *
 * @param graphs - Descriptions (docs/architecture.md) with the bytes of inputs and constants as base64 in `data`.
 * @returns An answer each, as far as they were tried: { outputs }, { stage, message }, { stage, lost } or { stage, hangs }.
 */
export async function probeAll(graphs) {
  const answers = [];
  let opened = null;
  for (const graph of graphs) {
    opened ??= await open();
    if (opened === null) return answers;
    const answer = await answerTo(graph, opened);
    answers.push(answer.lost === undefined ? answer : { stage: answer.stage, lost: answer.lost });
    if (answer.hangs) return answers;
    if (answer.lost !== undefined) opened = null;
  }
  opened?.context.destroy();
  return answers;
}
