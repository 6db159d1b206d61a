// Mel-frequency cepstral coefficients as TensorFlow's tf.signal computes them, with MLPerf Tiny's parameters.

export const FRAME = 480; // samples: 30 ms at 16 kHz
export const HOP = 320;
export const COEFFICIENTS = 10;

const RATE_HZ = 16_000;
const FFT = 512;
const BINS = FFT / 2 + 1;
const MELS = 40;
const [LOWEST_HZ, HIGHEST_HZ] = [20, 4000];

const table = (rows, columns, value) =>
  Float32Array.from({ length: rows * columns }, (_, i) => value(Math.floor(i / columns), i % columns));
const mel = (hz) => 1127 * Math.log1p(hz / 700);

const WINDOW = Float32Array.from({ length: FRAME }, (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / FRAME));
const COSINES = table(BINS, FRAME, (bin, n) => WINDOW[n] * Math.cos((2 * Math.PI * bin * n) / FFT));
const SINES = table(BINS, FRAME, (bin, n) => WINDOW[n] * Math.sin((2 * Math.PI * bin * n) / FFT));
const STEP = (mel(HIGHEST_HZ) - mel(LOWEST_HZ)) / (MELS + 1);
const TRIANGLES = table(MELS, BINS, (band, bin) => {
  const position = bin === 0 ? -1 : (mel((bin * RATE_HZ) / FFT) - mel(LOWEST_HZ)) / STEP - band;
  return Math.max(0, 1 - Math.abs(position - 1));
});
const DCT = table(COEFFICIENTS, MELS, (k, band) => Math.cos((Math.PI * k * (band + 0.5)) / MELS) * Math.sqrt(2 / MELS));

const magnitudes = new Float32Array(BINS);
const logMels = new Float32Array(MELS);

/** Writes the coefficients of FRAME samples, from -1 to 1, into an array of COEFFICIENTS. */
export function mfcc(samples, coefficients) {
  for (let bin = 0; bin < BINS; bin++) {
    magnitudes[bin] = Math.hypot(product(COSINES, bin, samples), product(SINES, bin, samples));
  }
  for (let band = 0; band < MELS; band++) logMels[band] = Math.log(product(TRIANGLES, band, magnitudes) + 1e-6);
  for (let k = 0; k < COEFFICIENTS; k++) coefficients[k] = product(DCT, k, logMels);
}

function product(matrix, row, vector) {
  let sum = 0;
  for (let i = 0, at = row * vector.length; i < vector.length; i++) sum += matrix[at + i] * vector[i];
  return sum;
}
