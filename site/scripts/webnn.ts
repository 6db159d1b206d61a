/** The WebNN page: reports on the WebNN of this browser, and compares reports. */

import './site.js';
import {
  continueReport,
  crashingOpsOf,
  differencesOf,
  newReport,
  type ProbeCase,
  type Progress,
  type ReportState,
  readReport,
  reportOf,
  reportText,
  type WebnnReport,
  webnnIn,
} from '../../js/apps/probes/src/index.js';
import { browserName } from './common/browser_name.js';
import { capability } from './common/capabilities.js';
import { byId } from './common/dom.js';
import { ProgressBar } from './common/progress_bar.js';
import { saveFile } from './common/save_file.js';
import { StatusLine } from './common/status_line.js';
import { differenceTable, reportTables } from './webnn/report_view.js';
import { clearReport, clearRunning, savedReport, saveReport, saveRunning } from './webnn/saved_state.js';

const status = new StatusLine(byId('status', HTMLElement));
const progress = new ProgressBar(byId('progress', HTMLElement));
const start = byId('start', HTMLButtonElement);
const stop = byId('stop', HTMLButtonElement);
const save = byId('save-report', HTMLButtonElement);
const engine = byId('engine', HTMLSelectElement);
const files = [byId('before', HTMLInputElement), byId('after', HTMLInputElement)] as const;

/** Milliseconds of graphs between two savings of the state. */
const SLICE_MS = 3000;
const EXHAUSTED =
  'This browser creates no WebNN context any more: graphs crashed its GPU process. Restart the browser, open this page ' +
  'again and press Continue.';

let running: AbortController | null = null;
let last: WebnnReport | null = null;
let corpus: Promise<ProbeCase[]> | undefined;

/** The corpus: 2 MB, fetched with the first report. */
function cases(): Promise<ProbeCase[]> {
  corpus ??= fetch('data/webnn_cases.json').then((response) => response.json());
  return corpus;
}

async function run(on: string, state: ReportState): Promise<void> {
  running = new AbortController();
  setRunning(true);
  try {
    status.busy('Fetching the graphs…');
    const outcome = await runSlices(on, state, await cases(), running.signal);
    if (outcome === 'finished') clearReport();
    if (outcome === 'exhausted') status.error(EXHAUSTED);
    else status.ready(outcome === 'finished' ? 'Done.' : 'Stopped. Press Continue to go on.');
  } catch (error) {
    status.error(error);
  } finally {
    progress.hide();
    running = null;
    setRunning(false);
  }
}

async function runSlices(
  on: string,
  state: ReportState,
  all: readonly ProbeCase[],
  signal: AbortSignal,
): Promise<Progress> {
  const { webnnOf } = await import('tflite-webnn/polyfill');
  const scope = webnnOf('tflite');
  const polyfill = webnnIn(scope);
  const browser = browserName(navigator.userAgent);
  const { version = '' } = (scope.navigator as { ml?: { polyfill?: { version: string } } }).ml?.polyfill ?? {};
  const webnn = on === 'polyfill' ? `polyfill, tflite ${version}` : 'browser';
  for (;;) {
    const outcome = await continueReport(state, {
      webnn: on === 'polyfill' ? polyfill : webnnIn(),
      reference: on === 'polyfill' ? null : polyfill,
      cases: all,
      crashingOps: crashingOpsOf(browser),
      budgetMs: SLICE_MS,
      signal,
      beforeEach: saveRunning,
      onProgress: (done, total) => progress.showSteps(`Graph ${done + 1} of ${total}`, done, total),
      onStep: (text) => progress.show(text),
    });
    saveReport({ on, state });
    const created = new Date().toISOString();
    show(reportOf(state, all, { browser, webnn, created, userAgent: navigator.userAgent }));
    if (outcome !== 'unfinished' || signal.aborted) return outcome;
  }
}

function show(report: WebnnReport): void {
  last = report;
  byId('report', HTMLElement).replaceChildren(...reportTables(report));
  byId('results', HTMLElement).hidden = false;
}

function setRunning(isRunning: boolean): void {
  start.disabled = isRunning;
  engine.disabled = isRunning;
  stop.hidden = !isRunning;
  start.textContent = savedReport() === null ? 'Start' : 'Continue';
  if (isRunning) status.busy('Running…');
}

async function compareFiles(): Promise<void> {
  const chosen = files.map(({ files }) => files?.[0]);
  if (chosen.some((file) => file === undefined)) return;
  const target = byId('differences', HTMLElement);
  const message = new StatusLine(byId('compare-status', HTMLElement));
  try {
    const [before, after] = await Promise.all(chosen.map(async (file) => readReport((await file?.text()) ?? '')));
    if (!before || !after) return;
    target.replaceChildren(differenceTable(before, after, differencesOf(before, after)));
    message.ready('');
  } catch (error) {
    target.replaceChildren();
    message.error(error);
  }
}

start.addEventListener('click', () => {
  const unfinished = savedReport();
  void run(unfinished?.on ?? engine.value, unfinished?.state ?? newReport());
});
// A visitor who leaves is no crash of the page.
addEventListener('pagehide', clearRunning);
stop.addEventListener('click', () => running?.abort());
save.addEventListener('click', () => {
  if (last !== null) saveFile('webnn_report.json', reportText(last));
});
for (const input of files) input.addEventListener('change', () => void compareFiles());

const webnn = await capability('webnn');
if (!webnn.there) engine.value = 'polyfill';
for (const option of engine.options) option.disabled = option.value === 'browser' && !webnn.there;
setRunning(false);
status.ready(
  webnn.there ? 'This browser has WebNN.' : `This browser has no WebNN: ${webnn.detail}. The polyfill can be tested.`,
);
