/** The explorer page: placement and memory of a model, node by node. */

import './site.js';
import { addressValue, keepInAddress } from './common/address.js';
import { byId, create } from './common/dom.js';
import { recognize } from './common/file_kinds.js';
import { formatBytes, formatCount } from './common/format.js';
import { takeHandedOver } from './common/hand_over.js';
import { ModelPicker, type PickedModel } from './common/model_picker.js';
import { ProgressBar } from './common/progress_bar.js';
import { saveFile } from './common/save_file.js';
import { StatusLine } from './common/status_line.js';
import { workerCalls } from './common/worker_calls.js';
import { arenaFigure, placeText } from './explorer/arena_view.js';
import { type ExploredModel, nodesOf, subgraphOf } from './explorer/explored_model.js';
import { fileContent } from './explorer/file_view.js';
import { GraphPanel } from './explorer/graph_panel.js';
import { LimitsChoice } from './explorer/limits_choice.js';
import { nodeTable, sizeTable, tensorTable } from './explorer/tables.js';
import { Tabs } from './explorer/tabs.js';
import type { ExplorerCalls } from './explorer_worker.js';
import { RunPanel } from './run/run_panel.js';

// Shown if the address names none.
const FIRST_MODEL = 'selfie_segmentation';
// `explorer.html#view=run` opens with the model's outputs.
const [VIEW, RUN_PANEL] = ['view', 'panel-run'];
// `file=dropped`: home has stored it.
const DROPPED = 'file';

const worker = workerCalls<ExplorerCalls>('explorer_worker');
const status = new StatusLine(byId('status', HTMLElement));
const progress = new ProgressBar(byId('progress', HTMLElement));
const results = byId('results', HTMLElement);
const subgraphs = byId('subgraph', HTMLSelectElement);
const parts = byId('part', HTMLSelectElement);
const graphPanel = new GraphPanel((graph) => worker.layOut(graph));
const runPanel = new RunPanel(progress);
const tabs = new Tabs(byId('tabs', HTMLElement), fill, (panel) =>
  keepInAddress(VIEW, panel.id === RUN_PANEL ? 'run' : null),
);

const MODES: Readonly<Record<string, string>> = {
  direct: 'WebNN runs the entire model',
  stepped: 'WebNN and the CPU alternate',
  cpu: 'WebNN is not used',
};

let limits: Promise<LimitsChoice>;
let picked: PickedModel | null = null;
let explored: ExploredModel | null = null;

/** Fills the panel of a tab. */
function fill(panel: HTMLElement): void {
  if (explored === null) return;
  const subgraph = Number(subgraphs.value);
  const memory = subgraphOf(explored.memory, subgraph);
  if (panel.id === RUN_PANEL && picked) runPanel.show(picked);
  if (panel.id === 'panel-graph') void graphPanel.show(explored, subgraph).catch((error) => status.error(error));
  if (panel.id === 'panel-nodes') panel.replaceChildren(nodeTable(nodesOf(explored, subgraph), showNode));
  if (panel.id === 'panel-tensors') panel.replaceChildren(tensorTable(memory));
  if (panel.id === 'panel-memory') panel.replaceChildren(...memoryContent(explored, subgraph));
  if (panel.id === 'panel-file') panel.replaceChildren(...fileContent(explored.file));
  if (panel.id === 'panel-sizes') panel.replaceChildren(sizeTable(memory));
}

function showNode(node: number): void {
  tabs.show('panel-graph');
  void graphPanel.showNode(node).catch((error) => status.error(error));
}

function memoryContent({ memory }: ExploredModel, subgraph: number): Node[] {
  const plan = subgraphOf(memory, subgraph);
  const chosen = create('p', { class: 'note', role: 'status', text: 'Choose a rectangle to see its tensor.' });
  const figures = [
    figure('Arena', formatBytes(plan.arenaBytes)),
    figure('Peak use', formatBytes(plan.peakBytes)),
    figure('Persistent', formatBytes(plan.persistentBytes)),
    figure('Constants in the file', formatBytes(plan.constantBytes)),
    ...(subgraph === 0
      ? memory.delegated.map(({ delegates, arenaBytes }) => figure(`Arena with ${delegates}`, formatBytes(arenaBytes)))
      : []),
  ];
  const intro =
    'TensorFlow Lite’s own plan, without delegates: tensors that are not live at the same time share memory. A delegate allocates the tensors between its nodes itself.';
  return [
    create('p', { class: 'prose', text: intro }),
    create('dl', { class: 'figures' }, ...figures),
    arenaFigure(plan, (tensor) => {
      chosen.textContent = placeText(tensor);
    }),
    chosen,
  ];
}

/** @param note - What the term means. */
function figure(term: string, value: string, note = ''): HTMLElement {
  const meaning = note === '' ? [] : [create('dd', { class: 'note', text: note })];
  return create('div', {}, create('dt', { text: term }), create('dd', { text: value }), ...meaning);
}

/** A bundle's models are to be chosen from; the first one is shown. */
async function open(file: PickedModel): Promise<void> {
  picked = file;
  try {
    const paths = await worker.open(file.bytes);
    if (picked !== file) return;
    byId('part-field', HTMLElement).hidden = paths === null;
    parts.replaceChildren(...(paths ?? []).map((path) => create('option', { value: path, text: path })));
    if (paths === null) return await explore(file);
    const [first] = paths;
    if (first === undefined) throw new Error(`${file.name} has no models.`);
    await explorePart(first);
  } catch (error) {
    if (picked === file) fail(error);
  }
}

async function explorePart(path: string): Promise<void> {
  const before = picked;
  const bytes = await worker.part(path);
  if (picked === before) await explore({ name: path, bytes, isOwn: before?.isOwn ?? false });
}

function fail(error: unknown): void {
  explored = null;
  results.hidden = true;
  status.error(error);
}

async function explore(model: PickedModel): Promise<void> {
  picked = model;
  status.busy(`Analysing ${model.name}…`);
  try {
    const choice = await limits;
    const found = await worker.explore(model.name, model.bytes, await choice.limits());
    if (picked !== model) return;
    explored = found;
    show(found, choice.title);
  } catch (error) {
    if (picked === model) fail(error);
  }
}

function show(model: ExploredModel, limitsTitle: string): void {
  const { report, memory, sizeBytes } = model;
  const { totals, executionMode } = report;
  const { fused, float, cpu } = totals.quantizedNodes;
  const figures = [
    figure('File', formatBytes(sizeBytes)),
    figure(
      'Nodes on WebNN',
      `${formatCount(totals.delegatedNodes)} of ${formatCount(totals.nodes)}`,
      'a node is one operation of the model',
    ),
    figure('WebNN partitions', formatCount(totals.webnnPartitions), 'groups of nodes that WebNN runs as one graph'),
    figure('Execution mode', executionMode, MODES[executionMode] ?? ''),
    ...(fused + float + cpu === 0 ? [] : [figure('Quantized: fused, float, CPU', `${fused}, ${float}, ${cpu}`)]),
  ];
  byId('summary', HTMLElement).replaceChildren(...figures);
  const reason = byId('summary-reason', HTMLElement);
  reason.hidden = report.webnn.reason === null;
  reason.textContent = report.webnn.reason ?? '';
  subgraphs.replaceChildren(
    ...memory.subgraphs.map(({ index, nodes }) =>
      create('option', { value: index, text: `${index === 0 ? 'main' : index} (${formatCount(nodes.length)} nodes)` }),
    ),
  );
  byId('subgraph-field', HTMLElement).hidden = memory.subgraphs.length < 2;
  byId('results-title', HTMLElement).textContent = model.name;
  results.hidden = false;
  status.ready(`${model.name}, for the WebNN of ${limitsTitle}.`);
  tabs.refresh();
  if (picked?.isOwn) showRun();
}

/** The visitor has given a file: its answer is what is looked for. */
function showRun(): void {
  if (!byId(RUN_PANEL, HTMLElement).hidden) byId('tabs', HTMLElement).scrollIntoView();
}

/** Runs the model on an image or a sound. */
function openInput(file: File): void {
  tabs.show(RUN_PANEL);
  showRun();
  void runPanel.open(file, file.name);
}

/** Makes a button save a file about the model that is shown. */
function onSave(id: string, suffix: string, type: string, content: (model: ExploredModel) => Promise<string> | string) {
  byId(id, HTMLButtonElement).addEventListener('click', async () => {
    if (explored === null) return;
    try {
      saveFile(`${explored.name}${suffix}`, await content(explored), type);
    } catch (error) {
      status.error(error);
    }
  });
}

onSave('save-report', '_report.json', 'application/json', ({ report }) => JSON.stringify(report, null, 2));
onSave('save-memory', '_memory.json', 'application/json', ({ memory }) => JSON.stringify(memory, null, 2));
onSave('save-graphs', '_webnn.json', 'application/json', () => worker.graphsAsJson());
onSave('save-script', '_webnn.js', 'text/javascript', () => worker.graphsAsScript());
subgraphs.addEventListener('change', () => tabs.refresh());
parts.addEventListener('change', () => void explorePart(parts.value).catch(fail));

limits = LimitsChoice.make(() => {
  if (picked !== null) void explore(picked);
});
const picker: ModelPicker = new ModelPicker(progress, {
  picked: open,
  failed(error) {
    status.error(error);
    byId('status', HTMLElement).scrollIntoView({ block: 'nearest' });
  },
  wanted: 'Choose a .tflite or .task model, or an image or a sound for it.',
  inputs: [byId('run-file', HTMLInputElement), byId('run-labels', HTMLInputElement)],
  takers: {
    bundle: (file) => picker.read(file),
    image: openInput,
    sound: openInput,
    text: (file) => {
      tabs.show(RUN_PANEL);
      void runPanel.readLabels(file);
    },
  },
});
if (addressValue(VIEW) === 'run') tabs.show(RUN_PANEL);
/** A file that was dropped on another page. */
async function openDropped(): Promise<void> {
  keepInAddress(DROPPED, null);
  const file = await takeHandedOver();
  if (file === null) return openNamed();
  const { kind } = await recognize(file);
  if (kind === 'model' || kind === 'bundle') return picker.read(file);
  openNamed();
  openInput(file);
}

function openNamed(): void {
  if (!picker.takeFromAddress(FIRST_MODEL)) status.ready('Choose a model.');
}

if (addressValue(DROPPED) === null) openNamed();
else void openDropped().catch(fail);
