/** The explorer page: a model on the visitor's input, and its placement and memory, node by node. */

import './site.js';
import { addressValue, keepInAddress } from './common/address.js';
import { byId, create } from './common/dom.js';
import type { FileHandlers } from './common/file_intake.js';
import { recognize } from './common/file_kinds.js';
import { formatBytes, formatCount } from './common/format.js';
import { takeHandedOver } from './common/hand_over.js';
import { modelWorker } from './common/load_model.js';
import { ModelPicker, type PickedModel } from './common/model_picker.js';
import { ProgressBar } from './common/progress_bar.js';
import { saveFile } from './common/save_file.js';
import { StatusLine } from './common/status_line.js';
import { workerCalls } from './common/worker_calls.js';
import { allocationText, arenaFigure } from './explorer/arena_view.js';
import { isBundle } from './explorer/bundle.js';
import { type ExploredModel, nodesOf, subgraphOf } from './explorer/explored_model.js';
import { fileContent } from './explorer/file_view.js';
import { GraphPanel } from './explorer/graph_panel.js';
import { LimitsChoice } from './explorer/limits_choice.js';
import { nodeTable, sizeTable, tensorTable } from './explorer/tables.js';
import { Tabs } from './explorer/tabs.js';
import type { ExplorerCalls } from './explorer_worker.js';
import { RunPanel } from './run/run_panel.js';

// Shown if the address names none.
const FIRST_MODEL = 'face_detection_short_range';
// `explorer.html#view=graph` opens another tab than Run.
const VIEW = 'view';
const [PANEL, RUN_PANEL] = ['panel-', 'panel-run'];
// `file=dropped`: the home page has stored it.
const DROPPED = 'file';

const worker = workerCalls<ExplorerCalls>('explorer_worker');
const status = new StatusLine(byId('status', HTMLElement));
const progress = new ProgressBar(byId('progress', HTMLElement));
const results = byId('results', HTMLElement);
const subgraphs = byId('subgraph', HTMLSelectElement);
const parts = byId('part', HTMLSelectElement);
const graphPanel = new GraphPanel((graph) => worker.layOut(graph));
const runPanel = new RunPanel(progress);
const tabs = new Tabs(byId('tabs', HTMLElement), fill, ({ id }) => {
  keepInAddress(VIEW, id === RUN_PANEL ? null : id.slice(PANEL.length));
  if (picked === null || analysisError === null) return;
  if (id === RUN_PANEL) present(picked);
  else status.error(analysisError);
});

const MODES: Readonly<Record<string, string>> = {
  direct: 'WebNN runs the entire model',
  stepped: 'WebNN and the CPU alternate',
  cpu: 'WebNN is not used',
};

let limits: Promise<LimitsChoice>;
let picked: PickedModel | null = null;
/** The analysis of the model; the tab Run needs none. */
let explored: ExploredModel | null = null;
let exploring: PickedModel | null = null;
/** Why there is no analysis: the model may run all the same. */
let analysisError: unknown = null;

/** Fills the panel of a tab. */
function fill(panel: HTMLElement): void {
  if (picked === null) return;
  if (panel.id === RUN_PANEL) {
    present(picked);
    runPanel.show(picked);
    return;
  }
  if (explored === null) return void explore(picked);
  const subgraph = Number(subgraphs.value);
  const memory = subgraphOf(explored.memory, subgraph);
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
      chosen.textContent = allocationText(tensor);
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
    const paths = isBundle(file.bytes) ? await worker.open(file.bytes) : null;
    if (picked !== file) return;
    byId('part-field', HTMLElement).hidden = paths === null;
    parts.replaceChildren(...(paths ?? []).map((path) => create('option', { value: path, text: path })));
    if (paths === null) return show(file);
    const [first] = paths;
    if (first === undefined) throw new Error(`${file.name} has no models.`);
    await openPart(first);
  } catch (error) {
    if (picked === file) fail(error);
  }
}

async function openPart(path: string): Promise<void> {
  const before = picked;
  const bytes = await worker.part(path);
  if (picked === before) show({ name: path, bytes, isOwn: before?.isOwn ?? false });
}

function fail(error: unknown): void {
  explored = null;
  analysisError = null;
  results.hidden = true;
  status.error(error);
}

/** Shows a model in the tab that is selected. */
function show(model: PickedModel): void {
  picked = model;
  explored = null;
  exploring = null;
  analysisError = null;
  results.dataset.analysed = 'no';
  tabs.refresh();
  if (model.isOwn) showRun();
}

/** Shows the views of a model. */
function present({ name }: PickedModel): void {
  byId('results-title', HTMLElement).textContent = name;
  results.hidden = false;
  status.ready(`${name} is open.`);
}

async function explore(model: PickedModel): Promise<void> {
  if (exploring === model) return;
  exploring = model;
  analysisError = null;
  status.busy(`Analysing ${model.name}…`);
  try {
    const choice = await limits;
    const found = await worker.explore(model.name, model.bytes, await choice.limits());
    if (exploring !== model) return;
    explored = found;
    present(model);
    showAnalysis(found, choice.title);
  } catch (error) {
    if (exploring === model) failAnalysis(model, error);
  }
}

function failAnalysis(model: PickedModel, error: unknown): void {
  explored = null;
  analysisError = error;
  results.dataset.analysed = 'failed';
  present(model);
  if (byId(RUN_PANEL, HTMLElement).hidden) status.error(error);
}

function showAnalysis(model: ExploredModel, limitsTitle: string): void {
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
  results.dataset.analysed = 'yes';
  status.ready(`${model.name}, for the WebNN of ${limitsTitle}.`);
  tabs.refresh();
}

/** The visitor has chosen a file: its output is what is looked for. */
function showRun(): void {
  if (!byId(RUN_PANEL, HTMLElement).hidden) byId('tabs', HTMLElement).scrollIntoView();
}

/** Shows the tab Run for a file that comes with the model, without the error of a file before it. */
function openRun(): void {
  tabs.show(RUN_PANEL);
  if (picked !== null && !results.hidden) present(picked);
  showRun();
}

/** Runs the model on an image or a sound. */
function openInput(file: File): void {
  openRun();
  void picker.settled.then(() => runPanel.open(file, file.name));
}

/** Lets a button save a file about the model that is shown. */
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
parts.addEventListener('change', () => void openPart(parts.value).catch(fail));

limits = LimitsChoice.create(() => {
  exploring = null;
  if (picked !== null) void explore(picked);
});
const handlers: FileHandlers = {
  bundle: (file) => picker.read(file),
  image: openInput,
  sound: openInput,
  text(file) {
    openRun();
    void picker.settled.then(() => runPanel.readLabels(file)).catch((error) => status.error(error));
  },
};
const picker = new ModelPicker(progress, {
  picked: open,
  failed(error) {
    status.error(error);
    byId('status', HTMLElement).scrollIntoView({ block: 'nearest' });
  },
  requested: 'Choose a .tflite or .task model, or an image or a sound for it.',
  inputs: [byId('run-file', HTMLInputElement), byId('run-labels', HTMLInputElement)],
  handlers,
});
tabs.show(PANEL + (addressValue(VIEW) ?? 'run'));
// The module comes while the model does.
if (byId(RUN_PANEL, HTMLElement).hidden) void worker.preload();
else modelWorker();

/** Files that were dropped on another page. */
async function openDropped(): Promise<void> {
  keepInAddress(DROPPED, null);
  const dropped = await Promise.all(
    (await takeHandedOver()).map(async (file) => ({ file, kind: (await recognize(file)).kind })),
  );
  const models = dropped.filter(({ kind }) => kind === 'model' || kind === 'bundle');
  for (const { file } of models) picker.read(file);
  if (models.length === 0) openNamed();
  for (const { file, kind } of dropped) if (kind !== 'bundle') handlers[kind]?.(file);
}

function openNamed(): void {
  if (!picker.chooseFromAddress(FIRST_MODEL)) status.ready('Choose a model.');
}

if (addressValue(DROPPED) === null) openNamed();
else void openDropped().catch(fail);
