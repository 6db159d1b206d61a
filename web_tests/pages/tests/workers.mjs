// @ts-check

/** Scripts and workers that a page starts. */

/** Loads a script by a tag without `crossorigin`. @param {string} src */
export const loadScript = (src) =>
  new Promise((onload, onerror) => {
    document.head.append(Object.assign(document.createElement('script'), { src, onload, onerror }));
  });

/** The address of a script whose origin is the page's: workers need that. @param {string} source */
export const addressOf = (source) => URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));

/** What a worker posts, or its error's message. @param {Worker} worker */
export const firstMessage = (worker) =>
  new Promise((resolve) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => resolve(message);
  });

/** Runs a model in pages/classic_worker.js. -> the execution mode, and the number of scores @param {string} url */
export async function runInClassicWorker(url) {
  const worker = new Worker('/classic_worker.js');
  const message = firstMessage(worker);
  worker.postMessage(url);
  const [mode, [scores]] = await message;
  return [mode, scores.length];
}
