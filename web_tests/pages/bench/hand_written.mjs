import { HandWritten } from '../hand_written.mjs';

/** The model's WebNN graph, written by hand: the script that `build.py explain --export` makes; no library at all. */
export async function open() {
  return {
    async load({ url, inputs: infos, outputs }) {
      const graph = await HandWritten.load(url);
      return {
        outputNames: [],
        async run(inputs) {
          await graph.run(Object.fromEntries(infos.map(({ index }, position) => [`t${index}`, inputs[position]])));
          return outputs.map(({ index }) => graph.outputs[`t${index}`]); // the graph has them in an order of its own
        },
        dispose: () => graph.destroy(),
      };
    },
  };
}
