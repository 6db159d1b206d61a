import { HandWritten } from '../hand_written.mjs';

/** The model's WebNN graph, written by hand: the script of `build.py explain --export`, without a library. */
export async function open() {
  return {
    async load({ url, inputs: infos, outputs }) {
      const graph = await HandWritten.load(url);
      return {
        outputNames: [],
        async run(inputs) {
          await graph.run(Object.fromEntries(infos.map(({ index }, position) => [`t${index}`, inputs[position]])));
          return outputs.map(({ index }) => graph.outputs[`t${index}`]); // the graph has its own order
        },
        dispose: () => graph.destroy(),
      };
    },
  };
}
