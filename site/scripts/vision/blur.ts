/** Blurs images. */

// Halving in steps blurs without skipping pixels.
const STEPS = 4;

/** A small image, which is a blurred one when it is enlarged again. Not every browser has a canvas blur filter. */
export function blurred(image: ImageData): OffscreenCanvas {
  let current = sheet(image.width, image.height);
  current.putImageData(image, 0, 0);
  for (let step = 0; step < STEPS; step++) {
    const { canvas } = current;
    current = sheet(Math.max(1, canvas.width >> 1), Math.max(1, canvas.height >> 1));
    current.drawImage(canvas, 0, 0, current.canvas.width, current.canvas.height);
  }
  return current.canvas;
}

function sheet(width: number, height: number): OffscreenCanvasRenderingContext2D {
  const drawing = new OffscreenCanvas(width, height).getContext('2d');
  if (!drawing) throw new Error('This browser provides no 2D canvas context.');
  return drawing;
}
