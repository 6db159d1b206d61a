// Runs programs of wasm/programs for tools/programs/hosts.py, each in its own worker, which may wait.

// Lines come in bursts: one call passes on all lines that have arrived.
const lines = [];
let isPassing = false;

async function passLinesOn() {
  if (isPassing) return;
  isPassing = true;
  while (lines.length > 0) await globalThis.reportLines(lines.splice(0));
  isPassing = false;
}

/** Runs a program: { name, arguments, files, ... } of program_worker.mjs -> its exit status. */
globalThis.runProgram = async (request) => {
  const worker = new Worker('/program_worker.mjs', { type: 'module' });
  try {
    return await new Promise((resolve, reject) => {
      worker.addEventListener('error', ({ message }) => reject(new Error(message || 'its worker cannot be loaded')));
      worker.addEventListener('message', ({ data }) => {
        if ('line' in data) lines.push(data);
        if ('line' in data) passLinesOn();
        else if ('error' in data) reject(new Error(data.error));
        else resolve(data.exitStatus);
      });
      worker.postMessage(request);
    });
  } finally {
    worker.terminate();
    while (lines.length > 0 || isPassing) await new Promise((resolve) => setTimeout(resolve, 1));
  }
};

/** Starts it without waiting: at the end, `ended` is { status } or { error }. */
globalThis.startProgram = (request) => {
  runProgram(request).then(
    (status) => {
      globalThis.ended = { status };
    },
    ({ message }) => {
      globalThis.ended = { error: message };
    },
  );
};
globalThis.isReady = true;
