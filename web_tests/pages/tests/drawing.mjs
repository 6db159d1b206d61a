// @ts-check

/**
 * What an example of vision shows of one frame, for test_vision_example.py: the box around what is drawn on a canvas,
 * over its size, and the number of drawn pixels; the text or the list next to it; the number of frames so far.
 */
export function shown(/** @type {string} */ selector, /** @type {string} */ listedIn) {
  const canvas = /** @type {HTMLCanvasElement} */ (document.querySelector(selector));
  const { width, height } = canvas;
  const { data } = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d')).getImageData(0, 0, width, height);
  let [left, top, right, bottom, pixels] = [1, 1, 0, 0, 0];
  for (let pixel = 0; pixel < width * height; pixel++) {
    if (data[4 * pixel + 3] === 0) continue;
    const [x, y] = [(pixel % width) / width, Math.floor(pixel / width) / height];
    [left, top] = [Math.min(left, x), Math.min(top, y)];
    [right, bottom] = [Math.max(right, x), Math.max(bottom, y)];
    pixels++;
  }
  /** @type {NodeListOf<HTMLElement>} */
  const rows = document.querySelectorAll(`${listedIn} li`);
  return {
    box: [left, top, right, bottom],
    pixels,
    text: document.querySelector(listedIn)?.textContent,
    listed: Array.from(rows, (row) => [row.title, Number(row.textContent)]),
    frames: canvas.dataset.frames,
  };
}
