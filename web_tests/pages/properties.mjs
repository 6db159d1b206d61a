// The page's half of web_tests/properties/engines.py: loads, runs and frees a model in one call, with all arrays of a
// direction in one message, so that thousands of models take minutes.

import { ARRAY_OF, addressOf, serveCalls } from './called.mjs';

// Typed arrays need offsets aligned to their elements.
const ALIGNMENT_BYTES = 8;

const padded = (byteLength) => Math.ceil(byteLength / ALIGNMENT_BYTES) * ALIGNMENT_BYTES;

async function fetchArrays({ url, arrays }) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`properties: ${url} responded with ${response.status}`);
  const content = await response.arrayBuffer();
  let offset = 0;
  return arrays.map(({ dtype, length }) => {
    const array = new ARRAY_OF[dtype](content.slice(offset, offset + length * ARRAY_OF[dtype].BYTES_PER_ELEMENT));
    offset += padded(array.byteLength);
    return array;
  });
}

function packed(arrays) {
  const content = new Uint8Array(arrays.reduce((sum, { byteLength }) => sum + padded(byteLength), 0));
  let offset = 0;
  for (const { buffer, byteOffset, byteLength } of arrays) {
    content.set(new Uint8Array(buffer, byteOffset, byteLength), offset);
    offset += padded(byteLength);
  }
  return content;
}

/** Why the entire model runs without WebNN or XNNPACK after failures; empty if it does not. */
function turnedOff({ webnn, xnnpack, nodes }) {
  // Nodes that the delegate leaves have its reasons.
  if (webnn.reason !== null && nodes.some(({ reason }) => reason === null)) return webnn.reason;
  return xnnpack.excludedNodes.find(({ node }) => node === null)?.reason ?? '';
}

const calls = {
  /**
   * Loads a model, runs it `runs` times on the same inputs and frees it: { source, options, inputs, runs } ->
   * { outputs: [{ dtype, shape }], contextLosses, delegated, turnedOff }. The last run's outputs are PUT to
   * /exchange/KEY/outputs.
   */
  async loadAndRun({ source, options, inputs, runs }, key) {
    const { loadTFLiteModel } = await import('/package/index.mjs');
    const arrays = await fetchArrays(inputs);
    const model = await loadTFLiteModel(addressOf(source), options);
    try {
      let outputs;
      for (let run = 0; run < runs; run++) outputs = await model.run(arrays);
      await fetch(`/exchange/${key}/outputs`, { method: 'PUT', body: packed(outputs.map(({ data }) => data)) });
      const report = await model.report();
      return {
        outputs: outputs.map(({ dtype, shape }) => ({ dtype, shape })),
        contextLosses: report.webnn.contextLosses,
        turnedOff: turnedOff(report),
      };
    } finally {
      model.dispose();
    }
  },
};

serveCalls(calls, import.meta.url);
