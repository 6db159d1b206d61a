import { imageToTensor, type Region, toImage, toTensor } from '@tflite-webnn/media/images';
import type { MLTensor, TypedArray } from 'tflite-webnn';
import { OptionError } from 'tflite-webnn';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { inputOf, numbered, patterned, reds } from './patterned.js';

const WHITE_BLACK = { width: 2, height: 1, data: Uint8ClampedArray.of(255, 51, 0, 255, 0, 0, 0, 255) };

/** A rectangle of an image, as in Pillow's parameter box. */
interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

function regionOf({ left, top, right, bottom }: Box): Region {
  const center = { x: (left + right) / 2, y: (top + bottom) / 2 };
  return { center, width: right - left, height: bottom - top, rotation: 0 };
}

// Pillow's results: Image.fromarray(patterned).resize((width, height), Image.Resampling.BILINEAR, box=box).
const PILLOW_CASES: { width: number; height: number; box?: Box; expected: number[] }[] = [
  {
    width: 4,
    height: 3,
    expected: [
      40, 5, 4, 115, 17, 12, 181, 31, 30, 70, 43, 55, 64, 17, 10, 139, 60, 18, 185, 108, 36, 79, 145, 61, 88, 30, 16,
      163, 103, 24, 160, 178, 42, 66, 144, 67,
    ],
  },
  {
    width: 3,
    height: 5,
    box: { left: 2, top: 1, right: 8, bottom: 6 },
    expected: [
      104, 18, 10, 178, 32, 24, 124, 46, 46, 115, 35, 13, 189, 63, 27, 135, 91, 49, 126, 53, 16, 200, 95, 30, 146, 137,
      52, 137, 70, 19, 179, 126, 33, 61, 182, 55, 148, 88, 22, 190, 158, 36, 72, 196, 58,
    ],
  },
  {
    width: 11,
    height: 9,
    expected: [
      0, 0, 0, 27, 0, 1, 57, 0, 3, 87, 0, 6, 118, 0, 10, 148, 0, 16, 178, 0, 23, 209, 0, 32, 122, 0, 42, 13, 0, 53, 40,
      0, 64, 7, 0, 2, 34, 3, 3, 64, 7, 5, 94, 11, 8, 125, 15, 12, 155, 19, 18, 185, 23, 25, 216, 26, 34, 129, 30, 44,
      20, 34, 55, 47, 37, 66, 16, 0, 4, 43, 7, 5, 73, 16, 7, 103, 24, 10, 134, 32, 14, 164, 40, 20, 194, 49, 27, 225,
      57, 36, 138, 65, 46, 29, 74, 57, 56, 81, 68, 24, 0, 7, 51, 11, 8, 81, 24, 10, 111, 37, 13, 142, 50, 17, 172, 62,
      23, 202, 75, 30, 233, 88, 39, 146, 100, 49, 37, 113, 60, 64, 124, 71, 33, 0, 9, 60, 15, 10, 90, 32, 12, 120, 50,
      15, 151, 67, 19, 181, 84, 25, 211, 101, 32, 242, 118, 41, 155, 136, 51, 46, 153, 62, 73, 168, 73, 42, 0, 11, 69,
      19, 12, 99, 41, 14, 129, 62, 17, 160, 84, 21, 190, 106, 27, 220, 127, 34, 124, 149, 43, 55, 171, 53, 55, 193, 64,
      82, 212, 75, 50, 0, 14, 77, 23, 15, 107, 49, 17, 137, 75, 20, 168, 101, 24, 198, 128, 30, 228, 154, 37, 96, 180,
      46, 33, 206, 56, 63, 193, 67, 90, 113, 78, 59, 0, 16, 86, 27, 17, 116, 58, 19, 146, 88, 22, 177, 119, 26, 207,
      149, 32, 237, 180, 39, 105, 210, 48, 42, 202, 58, 72, 140, 69, 99, 43, 80, 66, 0, 18, 93, 31, 19, 123, 65, 21,
      153, 99, 24, 184, 134, 28, 214, 168, 34, 244, 202, 41, 112, 237, 50, 49, 155, 60, 79, 49, 71, 106, 80, 82,
    ],
  },
];

async function bytes(width: number, height: number, options = {}, image = patterned(9, 7)): Promise<number[]> {
  const { data } = await imageToTensor(image, inputOf('uint8', width, height), options);
  return Array.from(data as Uint8Array);
}

describe('resizing', () => {
  it.each(PILLOW_CASES)(
    "matches Pillow's bytes with antialias: $width x $height",
    async ({ width, height, box, expected }) => {
      expect(await bytes(width, height, { antialias: true, ...(box && { region: regionOf(box) }) })).toEqual(expected);
    },
  );

  it("matches Pillow's bytes without it where the image grows, but for Pillow's rounding between two passes", async () => {
    const { width, height, expected } = PILLOW_CASES.find(
      (row) => row.width > 9 && row.height > 7,
    ) as (typeof PILLOW_CASES)[number];
    const found = await bytes(width, height);
    found.forEach((value, index) => {
      expect(Math.abs(value - (expected[index] as number))).toBeLessThanOrEqual(1);
    });
  });

  // numpy: x = (arange(size) + 0.5) * scale - 0.5, clipped at the edges; then the mean of two neighbours by their
  // distance.
  it('interpolates between half-pixel centers, and repeats the edge', async () => {
    const { data } = await imageToTensor(numbered(4, 1), inputOf('float32', 8, 1), { range: [0, 255] });
    expect(reds(data as Float32Array)).toEqual([0, 0.25, 0.75, 1.25, 1.75, 2.25, 2.75, 3]);
  });

  it('skips pixels of an image that shrinks, as TFLite does, without antialias', async () => {
    const { data } = await imageToTensor(numbered(8, 1), inputOf('float32', 2, 1), { range: [0, 255] });
    expect(reds(data as Float32Array)).toEqual([1.5, 5.5]);
  });

  it('copies an image of the same size', async () => {
    const image = patterned(4, 3);
    const rgb = Array.from(image.data).filter((_, index) => index % 4 < 3);
    expect(await bytes(4, 3, {}, image)).toEqual(rgb);
    expect(await bytes(4, 3, { antialias: true }, image)).toEqual(rgb);
  });
});

describe('fit', () => {
  const wide = numbered(8, 2);

  it('crops the middle', async () => {
    const { data, placement } = await imageToTensor(wide, inputOf('uint8', 2, 2), { fit: 'crop' });
    expect(reds(data as Uint8Array)).toEqual([3, 4, 11, 12]);
    expect(toImage(placement, { x: 0, y: 0 })).toEqual({ x: 3, y: 0 });
    expect(toImage(placement, { x: 1, y: 1 })).toEqual({ x: 5, y: 2 });
  });

  it('letterboxes between bars of integer width, and maps points back', async () => {
    const options = { fit: 'letterbox', background: 9 } as const;
    const { data, placement } = await imageToTensor(wide, inputOf('uint8', 8, 5), options);
    const bar = new Array<number>(8).fill(9);
    expect(reds(data as Uint8Array)).toEqual([
      ...bar,
      0,
      1,
      2,
      3,
      4,
      5,
      6,
      7,
      8,
      9,
      10,
      11,
      12,
      13,
      14,
      15,
      ...bar,
      ...bar,
    ]);
    expect(toImage(placement, { x: 0, y: 0.2 })).toEqual({ x: 0, y: expect.closeTo(0, 9) });
    expect(toImage(placement, { x: 0.5, y: 0.6 })).toEqual({ x: 4, y: expect.closeTo(2, 9) });
    const there = toTensor(placement, { x: 4, y: 2 });
    expect([there.x, there.y]).toEqual([0.5, expect.closeTo(0.6, 9)]);
  });

  it('shows the same with antialias: bars, and the image to its edges', async () => {
    const white = { width: 40, height: 20, data: new Uint8ClampedArray(40 * 20 * 4).fill(255) };
    const options = { fit: 'letterbox', antialias: true } as const;
    const { data } = await imageToTensor(white, inputOf('uint8', 10, 10), options);
    const rows = Array.from({ length: 10 }, (_, y) => new Set(data.slice(y * 30, (y + 1) * 30) as Uint8Array));
    expect(rows.map((row) => [...row])).toEqual([[0], [0], ...new Array(5).fill([255]), [0], [0], [0]]);
  });

  it('letterboxes one row that is shorter than a pixel', async () => {
    const { data } = await imageToTensor(numbered(200, 1), inputOf('uint8', 4, 4), { fit: 'letterbox', background: 1 });
    expect(reds(data as Uint8Array).filter((red) => red !== 1)).toHaveLength(4);
  });
});

describe('region', () => {
  const turned: Region = { center: { x: 1, y: 1 }, width: 2, height: 2, rotation: Math.PI / 2 };

  it('rotates clockwise on the screen', async () => {
    const { data, placement } = await imageToTensor(numbered(2), inputOf('uint8', 2, 2), { region: turned });
    expect(reds(data as Uint8Array)).toEqual([1, 3, 0, 2]);
    const point = toImage(placement, { x: 1, y: 0.5 }); // its right edge is below its center
    expect([point.x, point.y]).toEqual([expect.closeTo(1), expect.closeTo(2)]);
    const back = toTensor(placement, point);
    expect([back.x, back.y]).toEqual([expect.closeTo(1), expect.closeTo(0.5)]);
  });

  it('is background outside of the image', async () => {
    const far = { center: { x: -5, y: -5 }, width: 4, height: 4, rotation: 0 };
    expect(new Set(await bytes(2, 2, { region: far, background: 7 }))).toEqual(new Set([7]));
    expect(new Set(await bytes(2, 2, { region: far, background: 7, antialias: true }))).toEqual(new Set([7]));
  });

  it('is sampled as by OpenCV: at the corners, in 32nds of a pixel, with integer results', async () => {
    const pixels = { width: 4, height: 1, data: Uint8Array.of(0, 100, 200, 40) };
    const options = { range: [0, 255], resampling: 'opencv' } as const;
    // cv2.warpPerspective() reads the indices 0 and 2, then 0, 4 / 3 and 8 / 3, which are 43 / 32 and 85 / 32.
    const halves = await imageToTensor(pixels, inputOf('float32', 2, 1, 1), options);
    expect(Array.from(halves.data as Float32Array)).toEqual([0, 200]);
    const thirds = await imageToTensor(pixels, inputOf('float32', 3, 1, 1), options);
    expect(Array.from(thirds.data as Float32Array)).toEqual([
      0,
      Math.round(100 + (100 * 11) / 32),
      Math.round(200 - (160 * 21) / 32),
    ]);
  });

  it('may be what is at the edge of the image', async () => {
    const pixels = { width: 2, height: 2, data: Uint8Array.of(1, 2, 3, 4) };
    const region = { center: { x: 1, y: 1 }, width: 4, height: 4, rotation: 0 };
    const { data } = await imageToTensor(pixels, inputOf('uint8', 4, 4, 1), { region, background: 'edge' });
    expect([...data]).toEqual([1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 4, 4, 3, 3, 4, 4]);
  });

  it('averages a rotated region that is much larger than the tensor with antialias', async () => {
    const stripes = { width: 8, height: 8, data: new Uint8ClampedArray(8 * 8 * 4) };
    for (let pixel = 0; pixel < 64; pixel += 2) stripes.data[pixel * 4] = 200; // every other column
    const region = { center: { x: 4, y: 4 }, width: 8, height: 8, rotation: Math.PI / 2 };
    const found = reds(await bytes(2, 2, { region, antialias: true }, stripes));
    for (const red of found) expect(Math.abs(red - 100)).toBeLessThan(10);
  });

  it('letterboxes with what surrounds it in the image', async () => {
    const region = { center: { x: 2, y: 2 }, width: 4, height: 2, rotation: 0 };
    expect(reds(await bytes(4, 4, { region, fit: 'letterbox' }, numbered(4)))).toEqual([...Array(16).keys()]);
  });

  it.each([{ width: 0 }, { height: Number.NaN }, { rotation: Number.POSITIVE_INFINITY }])(
    'rejects %o',
    async (wrong) => {
      const rejected = imageToTensor(numbered(2), inputOf('uint8', 2, 2), { region: { ...turned, ...wrong } });
      await expect(rejected).rejects.toThrow(OptionError);
    },
  );
});

describe('values', () => {
  const only = async (dtype: string, options = {}, quantization?: { scales: number[]; zeroPoints: number[] }) => {
    const input = { ...inputOf(dtype, 2, 1), ...(quantization && { quantization }) };
    return Array.from((await imageToTensor(WHITE_BLACK, input, options)).data as Float32Array);
  };

  it('are between low and high', async () => {
    expect(await only('float32', { range: [-1, 1] })).toEqual([1, Math.fround(-0.6), -1, -1, -1, -1]);
  });

  it('have a mean and a deviation, also of each channel', async () => {
    expect(await only('float32', { normalization: { mean: 51, std: 102 } })).toEqual([2, 0, -0.5, -0.5, -0.5, -0.5]);
    const oneForAll = { mean: [51], std: [102] }; // as TFLite Metadata may say
    expect(await only('float32', { normalization: oneForAll })).toEqual([2, 0, -0.5, -0.5, -0.5, -0.5]);
    const each = { mean: [255, 51, 1], std: [1, 2, 0.5] };
    expect(await only('float32', { normalization: each })).toEqual([0, 0, -2, -255, -25.5, -2]);
  });

  it('have a range of each channel', async () => {
    expect(
      await only('float32', {
        range: [
          [0, 1, 2],
          [1, 6, 3],
        ],
      }),
    ).toEqual([1, 2, 2, 0, 1, 2]);
  });

  it('are the pixels themselves for integers without normalization', async () => {
    expect(await only('uint8')).toEqual([255, 51, 0, 0, 0, 0]);
    expect(await only('int8')).toEqual([127, -77, -128, -128, -128, -128]);
    expect(await only('int32')).toEqual([255, 51, 0, 0, 0, 0]);
  });

  it('are quantized, rounded once, and clamped to the type', async () => {
    const quantization = { scales: [0.01], zeroPoints: [-100] };
    expect(await only('int8', { range: [0, 1] }, quantization)).toEqual([0, -80, -100, -100, -100, -100]);
    expect(await only('int8', { range: [-1, 4] }, quantization)).toEqual([127, -100, -128, -128, -128, -128]);
  });

  it('are in the order of the channels that is requested; steps are in that order, too', async () => {
    const normalization = { mean: [0, 0, 5], std: 1 };
    expect(await only('float32', { channelOrder: 'bgr', normalization })).toEqual([0, 51, 250, 0, 0, -5]);
  });

  it("are Pillow's grey for one channel, and a grey image fills three", async () => {
    const grey = await imageToTensor(WHITE_BLACK, inputOf('uint8', 2, 1, 1));
    expect(Array.from(grey.data as Uint8Array)).toEqual([106, 0]); // Image.new('RGB', (1, 1), (255, 51, 0)).convert('L')
    const from = { width: 2, height: 1, data: Uint8Array.of(7, 9) };
    expect(Array.from((await imageToTensor(from, inputOf('uint8', 2, 1))).data as Uint8Array)).toEqual([
      7, 7, 7, 9, 9, 9,
    ]);
  });

  it('have alpha where the model accepts four channels; it is opaque where the image has none', async () => {
    const clear = { width: 1, height: 1, data: Uint8Array.of(1, 2, 3, 4) };
    expect(Array.from((await imageToTensor(clear, inputOf('uint8', 1, 1, 4))).data as Uint8Array)).toEqual([
      1, 2, 3, 4,
    ]);
    const plain = { width: 1, height: 1, data: Uint8Array.of(1, 2, 3) };
    expect(Array.from((await imageToTensor(plain, inputOf('uint8', 1, 1, 4))).data as Uint8Array)).toEqual([
      1, 2, 3, 255,
    ]);
  });

  it('are in planes where channels come first', async () => {
    const input = { dtype: 'uint8', shape: [1, 3, 1, 2] };
    const { data, shape } = await imageToTensor(WHITE_BLACK, input);
    expect([Array.from(data as Uint8Array), shape]).toEqual([
      [255, 0, 51, 0, 0, 0],
      [1, 3, 1, 2],
    ]);
  });
});

describe('where the values go', () => {
  it('fills the array that is provided, again and again', async () => {
    const data = new Float32Array(6);
    const first = await imageToTensor(WHITE_BLACK, inputOf('float32', 2, 1), { range: [0, 1], data });
    expect([first.data === data, data[0]]).toEqual([true, 1]);
    await imageToTensor(numbered(2, 1), inputOf('float32', 2, 1), { range: [0, 255], data });
    expect(reds(data)).toEqual([0, 1]);
  });

  it('writes an MLTensor through the model', async () => {
    const writes: [MLTensor, TypedArray][] = [];
    const model = {
      inputs: [inputOf('float32', 2, 1)],
      writeTensor: (...write: [MLTensor, TypedArray]) => void writes.push(write),
    };
    const tensor = {} as MLTensor;
    const result = await imageToTensor(WHITE_BLACK, model, { range: [0, 1], tensor });
    expect(result.data).toBe(tensor);
    expect(writes[0]?.[0]).toBe(tensor);
    expect(Array.from(writes[0]?.[1] as Float32Array)).toEqual([1, Math.fround(0.2), 0, 0, 0, 0]);
    const [input] = model.inputs as unknown as [typeof model];
    await expect(imageToTensor(WHITE_BLACK, input, { range: [0, 1], tensor })).rejects.toThrow(OptionError);
  });
});

describe('the input', () => {
  const score = { name: 'score', dtype: 'float32', shape: [1, 4] };

  it('is the only one that can be an image, or the named one', async () => {
    const model = { inputs: [score, inputOf('uint8', 1, 1), { ...inputOf('uint8', 2, 2), name: 'other' }] };
    await expect(imageToTensor(WHITE_BLACK, model)).rejects.toThrow("2 of the model's 3 inputs can be an image");
    expect((await imageToTensor(WHITE_BLACK, model, { input: 'other' })).shape).toEqual([1, 2, 2, 3]);
    expect((await imageToTensor(WHITE_BLACK, model, { input: 1 })).shape).toEqual([1, 1, 1, 3]);
    expect((await imageToTensor(WHITE_BLACK, { inputs: model.inputs.slice(0, 2) })).shape).toEqual([1, 1, 1, 3]);
    await expect(imageToTensor(WHITE_BLACK, model, { input: 'no' })).rejects.toThrow('The model has no input no');
  });

  it.each([
    ['5 channels', inputOf('uint8', 8, 8, 5), 'no dimension of 1, 3 or 4 channels'],
    ['2 dimensions', { dtype: 'uint8', shape: [1, 3] }, 'is not an image'],
    ['a batch', { dtype: 'uint8', shape: [2, 8, 8, 3] }, 'is not an image'],
    ['no pixels', { dtype: 'uint8', shape: [1, 0, 8, 3] }, 'has no pixels'],
    ['strings', inputOf('string', 8, 8), 'cannot be converted'],
  ])('must not have %s', async (_, input, message) => {
    const rejected = imageToTensor(WHITE_BLACK, input);
    await expect(rejected).rejects.toThrow(expect.objectContaining({ name: 'ImageError', code: 'IMAGE_INPUT' }));
    await expect(rejected).rejects.toThrow(message);
  });

  it('rejects an array of another type or length', async () => {
    const input = inputOf('uint8', 2, 1);
    await expect(imageToTensor(WHITE_BLACK, input, { data: new Int8Array(6) })).rejects.toThrow(
      'a Uint8Array, not a Int8Array',
    );
    await expect(imageToTensor(WHITE_BLACK, input, { data: new Uint8Array(7) })).rejects.toThrow('has 7');
    await expect(imageToTensor(WHITE_BLACK, input, { data: new Uint8ClampedArray(6) })).resolves.toBeTruthy();
  });
});

describe('normalization', () => {
  const input = inputOf('float32', 2, 1);

  it.each([
    ['nothing for a float input', {}, 'pass the values of black and white'],
    ['NaN', { normalization: { mean: Number.NaN, std: 1 } }, 'mean is [NaN, NaN, NaN]'],
    ['a deviation of 0', { normalization: { mean: 0, std: [1, 0, 1] } }, 'std is 0'],
    ['an infinite range', { range: [0, Number.POSITIVE_INFINITY] as const }, 'range[1] is [Infinity'],
    ['two channels of three', { normalization: { mean: [1, 2], std: 1 } }, '3 numbers: one for each channel'],
    ['both forms', { normalization: { mean: 0, std: 1 }, range: [0, 1] as const }, 'not both'],
    [
      'a background that is NaN',
      { range: [0, 1] as const, background: Number.NaN },
      'background is a number or edge; got NaN',
    ],
  ])('must not be %s', async (_, options, message) => {
    const rejected = imageToTensor(WHITE_BLACK, input, options);
    await expect(rejected).rejects.toThrow(OptionError);
    await expect(rejected).rejects.toThrow(message);
  });
});

describe('a frame after another', () => {
  afterEach(() => {
    vi.resetModules(); // the modules that were loaded with these arrays
  });

  it('allocates no arrays but a few of the size of a pixel', async () => {
    let allocated = 0;
    for (const ArrayOf of [Float32Array, Float64Array, Int32Array, Uint8Array, Uint8ClampedArray]) {
      const construct = (target: typeof ArrayOf, provided: unknown[]) => {
        const [length] = provided;
        if (typeof length === 'number' && length > 4) allocated += length;
        return Reflect.construct(target, provided);
      };
      vi.stubGlobal(ArrayOf.name, new Proxy(ArrayOf, { construct }));
    }
    vi.resetModules(); // the scratch arrays of the tests before
    const fresh = await import('@tflite-webnn/media/images');
    const image = patterned(40, 30);
    const [input, grey] = [inputOf('float32', 20, 20), inputOf('uint8', 20, 20, 1)];
    const [data, greyData] = [new Float32Array(1200), new Uint8Array(400)];
    const region: Region = { center: { x: 20, y: 15 }, width: 20, height: 20, rotation: 1 };
    const convert = async () => {
      await fresh.imageToTensor(image, input, { range: [0, 1], data, fit: 'letterbox' });
      await fresh.imageToTensor(image, input, { range: [0, 1], data, antialias: true });
      await fresh.imageToTensor(image, grey, { data: greyData, region });
    };
    await convert();
    expect(allocated).toBeGreaterThan(0);
    allocated = 0;
    await convert();
    expect(allocated).toBe(0);
  });
});

it.each([
  [[1, 1, 1, 3], [1, -1, -1, 3], '[[1, 224, 224, 3]]'],
  [[1, 3, 1, 1], [-1, 3, -1, -1], '[[1, 3, 224, 224]]'],
])('needs a size where the model leaves it open: %j', async (shape, shapeSignature, hint) => {
  const input = { name: 'image', dtype: 'uint8', shape, shapeSignature };
  const converting = imageToTensor(WHITE_BLACK, input);
  await expect(converting).rejects.toThrow(expect.objectContaining({ name: 'ImageError', code: 'IMAGE_INPUT' }));
  await expect(converting).rejects.toThrow(hint);
  const resized = shape.map((size) => (size === 1 ? 2 : size));
  resized[0] = 1;
  expect((await imageToTensor(WHITE_BLACK, { ...input, shape: resized })).data).toHaveLength(12);
});
