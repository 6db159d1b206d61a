/** Long work in several tasks, so that a page stays alive meanwhile. */

/** A slice of work that lasts no longer than this disturbs nobody: half of a frame. */
const SLICE_MS = 8;

/**
 * Ends this task: what waits in the page goes first. Workers and Node have nobody who would notice, and go on.
 *
 * scheduler.yield() would come back before the page's timers. A message does not, the second time: browsers take note of
 * the timers that are due when a task ends, and then go by the order in which tasks were queued.
 */
export function nextTask(): Promise<void> {
  if (globalThis.document === undefined) return Promise.resolve();
  last = last.then(twoMessages);
  return last;
}

/** Models that are loaded at the same time alternate, and the page has one between two of theirs. */
let last = Promise.resolve();
/** Kept, so that no engine collects ports that wait for their own message. */
let channel: MessageChannel;

async function twoMessages(): Promise<void> {
  channel = new MessageChannel();
  const { port1, port2 } = channel;
  for (let round = 0; round < 2; round++) {
    await new Promise((resolve) => {
      port2.onmessage = resolve;
      port1.postMessage(null);
    });
  }
  port2.close();
}

/** Work that can be interrupted at many places: it is where it has gone on for long enough. */
export class Slices {
  #start = performance.now();

  /** Ends this task where its slice of the work is over. */
  async rest(): Promise<void> {
    if (performance.now() - this.#start < SLICE_MS) return;
    await nextTask();
    this.#start = performance.now();
  }
}
