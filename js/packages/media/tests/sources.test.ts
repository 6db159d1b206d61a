import { type ImageSource, imageSize, imageToTensor, imageToTensorSync } from '@tflite-webnn/media/images';
import { TFLiteWebnnError } from 'tflite-webnn';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeCanvas } from './fake_canvas.js';
import { inputOf, numbered, reds } from './patterned.js';

/** An object that calls itself an instance of a class of the DOM, and has what is read of it. */
function domObject(kind: string, members: object): ImageSource {
  return { [Symbol.toStringTag]: kind, ...members } as unknown as ImageSource;
}

const INPUT = inputOf('uint8', 2, 2);

async function rejected(source: unknown): Promise<TFLiteWebnnError> {
  const error = await imageToTensor(source as ImageSource, INPUT).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(TFLiteWebnnError);
  return error as TFLiteWebnnError;
}

beforeEach(() => {
  vi.stubGlobal('OffscreenCanvas', FakeCanvas);
  FakeCanvas.failure = null;
});

it('ends with the signal, and frees what is decoded after all', async () => {
  let decode: ((bitmap: object) => void) | undefined;
  vi.stubGlobal('createImageBitmap', () => new Promise((resolve) => (decode = resolve)));
  const abort = new AbortController();
  const { signal } = abort;
  const reading = imageToTensor(new Blob(), INPUT, { signal });
  await vi.waitFor(() => expect(decode).toBeDefined());
  abort.abort(new Error('enough'));
  await expect(reading).rejects.toThrow('enough');
  const close = vi.fn();
  decode?.(domObject('ImageBitmap', { width: 2, height: 2, close }));
  await vi.waitFor(() => expect(close).toHaveBeenCalledOnce());
  await expect(imageToTensor(numbered(2), INPUT, { signal })).rejects.toThrow('enough');
});

describe('what a canvas can draw', () => {
  it.each([
    ['HTMLImageElement', { complete: true, naturalWidth: 2, naturalHeight: 2 }],
    ['HTMLCanvasElement', { width: 2, height: 2 }],
    ['OffscreenCanvas', { width: 2, height: 2 }],
    ['ImageBitmap', { width: 2, height: 2 }],
    ['HTMLVideoElement', { readyState: 2, videoWidth: 2, videoHeight: 2 }],
    ['VideoFrame', { displayWidth: 2, displayHeight: 2 }],
  ])('%s', async (kind, members) => {
    const { data, placement } = await imageToTensor(domObject(kind, members), INPUT);
    expect(reds(data as Uint8Array)).toEqual([0, 1, 10, 11]);
    expect(placement.image).toEqual({ width: 2, height: 2 });
  });

  it('is read only where it is needed, through one canvas', async () => {
    const image = domObject('ImageBitmap', { width: 9, height: 9 });
    const region = { center: { x: 5, y: 6 }, width: 2, height: 2, rotation: 0 };
    const before = FakeCanvas.created.length;
    const { data } = await imageToTensor(image, INPUT, { region });
    expect(reds(data as Uint8Array)).toEqual([54, 55, 64, 65]);
    await imageToTensor(image, INPUT);
    expect(FakeCanvas.created.length - before).toBeLessThanOrEqual(1);
  });

  it('may be tainted: then the next image is read through another canvas', async () => {
    FakeCanvas.failure = 'read';
    const error = await rejected(domObject('HTMLCanvasElement', { width: 2, height: 2 }));
    expect(error).toMatchObject({ name: 'ImageError', code: 'IMAGE_TAINTED' });
    expect([error.code, error.message]).toEqual(['IMAGE_TAINTED', expect.stringContaining('crossorigin="anonymous"')]);
    FakeCanvas.failure = null;
    const before = FakeCanvas.created.length;
    await imageToTensor(domObject('ImageBitmap', { width: 2, height: 2 }), INPUT);
    expect(FakeCanvas.created).toHaveLength(before + 1);
  });

  it('may be too large for a canvas, which is not tainted', async () => {
    FakeCanvas.failure = 'size';
    const error = await rejected(domObject('HTMLCanvasElement', { width: 4000, height: 2 }));
    expect(error).toMatchObject({ name: 'ImageError', code: 'IMAGE_DECODE_FAILED' });
    expect(error.message).toBe('The browser cannot read so many pixels: make the image smaller.');
  });

  it('may be too large for a canvas, which then draws nothing, and not the next image', async () => {
    const error = await rejected(domObject('HTMLCanvasElement', { width: 200, height: 200 }));
    expect(error.message).toBe('The browser cannot read so many pixels: make the image smaller.');
    const { data } = await imageToTensor(domObject('ImageBitmap', { width: 2, height: 2 }), INPUT);
    expect(reds(data as Uint8Array)).toEqual([0, 1, 10, 11]);
    for (const [width, height] of [
      [4000, 2],
      [2, 4000], // with the one before, both would be too large
    ]) {
      await expect(imageToTensor(domObject('ImageBitmap', { width, height }), INPUT)).resolves.toMatchObject({});
    }
  });

  it('may be detached or closed', async () => {
    for (const kind of ['ImageBitmap', 'VideoFrame']) {
      const closed = { width: 0, height: 0, displayWidth: 0, displayHeight: 0 };
      expect(await rejected(domObject(kind, closed))).toMatchObject({ name: 'ImageError', code: 'IMAGE_DETACHED' });
    }
    const getContext = () => {
      throw new DOMException('detached', 'InvalidStateError');
    };
    const canvas = domObject('OffscreenCanvas', { width: 0, height: 0, getContext });
    expect(await rejected(canvas)).toMatchObject({ name: 'ImageError', code: 'IMAGE_DETACHED' });
    FakeCanvas.failure = 'draw';
    expect(await rejected(domObject('HTMLCanvasElement', { width: 2, height: 2 }))).toMatchObject({
      name: 'ImageError',
      code: 'IMAGE_DETACHED',
    });
  });

  it('may be empty', async () => {
    expect(await rejected(domObject('HTMLCanvasElement', { width: 2, height: 0 }))).toMatchObject({
      name: 'ImageError',
      code: 'IMAGE_EMPTY',
    });
    const empty = domObject('OffscreenCanvas', { width: 0, height: 0, getContext: () => ({}) });
    expect(await rejected(empty)).toMatchObject({ name: 'ImageError', code: 'IMAGE_EMPTY' });
    const error = await rejected(domObject('HTMLVideoElement', { readyState: 1, videoWidth: 2, videoHeight: 2 }));
    expect(error).toMatchObject({ name: 'ImageError', code: 'IMAGE_EMPTY' });
    expect(error.message).toContain('loadeddata');
  });

  it('is waited for where an image is loading', async () => {
    const image = {
      complete: false,
      naturalWidth: 0,
      naturalHeight: 0,
      decode: async () => Object.assign(found, size),
    };
    const size = { naturalWidth: 2, naturalHeight: 2 };
    const found = domObject('HTMLImageElement', image);
    await expect(imageToTensor(found, INPUT)).resolves.toBeTruthy();
    const broken = { ...image, src: 'a.png', decode: () => Promise.reject(new DOMException('', 'EncodingError')) };
    const error = await rejected(domObject('HTMLImageElement', broken));
    expect(error).toMatchObject({ name: 'ImageError', code: 'IMAGE_DECODE_FAILED' });
    expect(error.message).toContain('a.png');
  });
});

describe('an image that is read synchronously', () => {
  const canvas = () => domObject('HTMLCanvasElement', { width: 7, height: 5 });

  it('yields what an awaited source returns', async () => {
    const options = { region: { center: { x: 4, y: 2 }, width: 4, height: 4, rotation: 0 }, data: new Uint8Array(12) };
    const tensor = imageToTensorSync(canvas(), INPUT, options);
    expect(tensor.data).toBe(options.data);
    expect(tensor).toEqual(await imageToTensor(canvas(), INPUT, { ...options, data: new Uint8Array(12) }));
    expect(imageSize(canvas())).toEqual({ width: 7, height: 5 });
  });

  it.each(['signal', 'tensor'])('accepts no %s', (option) => {
    const options = { [option]: new AbortController().signal };
    expect(() => imageToTensorSync(canvas(), INPUT, options)).toThrow(`there is no option "${option}"`);
  });

  it('is no Blob, and no image that has not loaded', () => {
    expect(() => imageToTensorSync(new Blob(['an image']), INPUT)).toThrow(
      expect.objectContaining({ name: 'ImageError', code: 'IMAGE_SOURCE' }),
    );
    expect(() => imageToTensorSync(new Blob(['an image']), INPUT)).toThrow(/createImageBitmap/);
    const loading = domObject('HTMLImageElement', { complete: false, naturalWidth: 0, naturalHeight: 0 });
    expect(() => imageToTensorSync(loading, INPUT)).toThrow(
      expect.objectContaining({ name: 'ImageError', code: 'IMAGE_EMPTY' }),
    );
  });
});

describe('a Blob', () => {
  it('is decoded, and its bitmap closed', async () => {
    const close = vi.fn();
    const bitmap = domObject('ImageBitmap', { width: 2, height: 2, close });
    vi.stubGlobal('createImageBitmap', async () => bitmap);
    const { data } = await imageToTensor(new Blob(['an image']), INPUT);
    expect(reds(data as Uint8Array)).toEqual([0, 1, 10, 11]);
    expect(close).toHaveBeenCalledOnce();
  });

  it('may be none that the browser can decode', async () => {
    vi.stubGlobal('createImageBitmap', () => Promise.reject(new DOMException('', 'InvalidStateError')));
    const error = await rejected(new Blob(['<html>'], { type: 'text/html' }));
    expect(error).toMatchObject({ name: 'ImageError', code: 'IMAGE_DECODE_FAILED' });
    expect(error.message).toContain('(text/html)');
  });

  it('is rejected in Node, which names a package that decodes', async () => {
    const error = await rejected(new Blob(['an image']));
    expect(error).toMatchObject({ name: 'ImageError', code: 'IMAGE_DECODE_FAILED' });
    expect(error.message).toContain('sharp');
  });
});

describe('pixels', () => {
  it.each([
    ['nothing', null],
    ['a word', 'image.png'],
    ['floats', { data: new Float32Array(16), width: 2, height: 2 }],
    ['half a pixel', { data: new Uint8Array(14), width: 2, height: 2 }],
    ['two channels', { data: new Uint8Array(8), width: 2, height: 2 }],
    ['no width', { data: new Uint8Array(16), height: 2 }],
  ])('must not be %s', async (_, source) => {
    expect(await rejected(source)).toMatchObject({ name: 'ImageError', code: 'IMAGE_SOURCE' });
  });

  it('must not be empty', async () => {
    expect(await rejected({ data: new Uint8Array(0), width: 0, height: 2 })).toMatchObject({
      name: 'ImageError',
      code: 'IMAGE_EMPTY',
    });
  });

  it('must not have been moved to another thread', async () => {
    const image = numbered(2);
    structuredClone(image.data.buffer, { transfer: [image.data.buffer as ArrayBuffer] });
    expect(await rejected(image)).toMatchObject({ name: 'ImageError', code: 'IMAGE_DETACHED' });
  });
});
