// How similar sentences are: a sentence-embedding model, and the cosines of its vectors.

/**
 * @param {import('../package/index.mjs').Model} model - Inputs are ids and a mask, [1, length]; the output is a vector of
 *   each sentence, [1, width], or of each token, [1, length, width], which is then averaged.
 * @param {(sentence: string) => readonly number[]} encode - A sentence's token ids, with the special ones.
 * @param {readonly string[]} sentences - What to compare.
 * @returns {Promise<number[][]>} For each sentence its similarity to each other one, from -1 to 1.
 */
export async function similarities(model, encode, sentences) {
  const vectors = [];
  for (const sentence of sentences) vectors.push(await embedding(model, encode(sentence)));
  return vectors.map((a) => vectors.map((b) => a.reduce((sum, value, index) => sum + value * b[index], 0)));
}

/** A sentence's vector, of length 1. */
async function embedding(model, ids) {
  const inputs = model.inputs.map((info) => filled(info, info.name, ids));
  const [result] = await model.run(inputs);
  const width = result.shape.at(-1);
  const values = result.dequantized();
  const rows = Math.min(values.length / width, ids.length);
  const vector = Array.from({ length: width }, (_, column) => {
    let sum = 0;
    for (let row = 0; row < rows; row++) sum += values[row * width + column];
    return sum / rows;
  });
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** An input's array: ids, ones where there is a token for a mask, zeros for token types. */
function filled({ dtype, shape }, name, ids) {
  const array = dtype === 'int64' ? new BigInt64Array(shape.at(-1)) : new Int32Array(shape.at(-1));
  if (/type|segment/.test(name)) return array;
  const values = /mask/.test(name) ? ids.map(() => 1) : ids;
  values.slice(0, array.length).forEach((value, index) => {
    array[index] = dtype === 'int64' ? BigInt(value) : value;
  });
  return array;
}
