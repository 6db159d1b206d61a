// Explains a model, plans its memory, or describes its file, with the built package, in Node and without a browser.
//
//   node explain_model.mjs PACKAGE_DIR < REQUEST
//
// REQUEST is JSON:
//   model        path of a .tflite file
//   limits       what opSupportLimits() returned; may be left out where memory is
//   memory       optional: true for the arena plan in place of the report
//   metadata     optional: true for the metadata of the file, which may be a .task bundle, in place of the report
//   options      TFLiteModelOptions, with excludedNodes
//   export       optional path of a file to write the graphs to: *.js or *.mjs for a script, else JSON
// Prints JSON: { report, text }, { plan, text }, { file, text } or { error: { name, code, message } }.
import { readFile, writeFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

const packageDir = process.argv[2];
const library = await import(pathToFileURL(resolve(packageDir, 'explain.mjs')).href);

async function explain({ model, limits, memory, metadata, options, export: exportPath }) {
  const bytes = new Uint8Array(await readFile(model));
  if (metadata) {
    const file = await library.describeFile(bytes);
    return { file, text: library.renderMetadata(file) };
  }
  if (memory) {
    const { excludedNodes, ...loading } = options; // the plan is that of a browser that rejects nothing
    const plan = await library.planMemory(bytes, { ...loading, limits });
    return { plan, text: library.renderMemoryPlan(plan) };
  }
  const explanation = await library.explainModel(bytes, limits, options);
  if (exportPath !== undefined) await writeFile(exportPath, exportText(explanation, exportPath, basename(model)));
  const unsupported = explanation.unsupported.map(({ index, reason }) => `subgraph ${index} cannot run: ${reason}\n`);
  return { report: explanation.report, text: library.renderReport(explanation.report) + unsupported.join('') };
}

function exportText(explanation, path, title) {
  return /\.m?js$/.test(path)
    ? library.exportGraphsAsScript(explanation, title)
    : library.exportGraphsAsJson(explanation);
}

let result;
try {
  result = await explain(JSON.parse(await readAll(process.stdin)));
} catch (error) {
  result = { error: { name: error.name, code: String(error.code ?? ''), message: error.message } };
}
process.stdout.write(JSON.stringify(result));
