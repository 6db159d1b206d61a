// Continues a report on WebNN for `python3 -m tools.probe`; its state travels with each call.

import { continueReport, crashingOpsOf, newReport, reportOf, reportText, webnnIn } from '/probes/index.mjs';

const RUNNING = '/exchange/webnn-report-running';

/** The corpus, fetched once. */
let fetched;
function corpus() {
  fetched ??= fetch('/exchange/webnn-report-cases').then((response) => response.json());
  return fetched;
}

/**
 * Runs a slice of the report.
 *
 * @param request - `{ state, on, browser, ops, contexts, times, everyRank, budgetMs }`; `on` is `webnn` or `polyfill`, `state` null at
 *     first, `times` whether speed and fusion are measured, `everyRank` whether operators go on after they have lost a context.
 * @returns `{ state, progress, version }`; `version` is the polyfill's.
 */
export async function slice({ state, on, browser, ops, contexts, times, everyRank, budgetMs }) {
  const { webnnOf } = await import('/package/polyfill.mjs');
  const scope = webnnOf('tflite');
  const polyfill = webnnIn(scope);
  const current = state ?? newReport();
  const all = await corpus();
  const progress = await continueReport(current, {
    webnn: on === 'polyfill' ? polyfill : webnnIn(),
    reference: on === 'polyfill' ? null : polyfill,
    cases: ops.length === 0 ? all : all.filter(({ graph }) => ops.includes(graph.operators[0].op)),
    ...(contexts.length === 0 ? {} : { contexts }),
    crashingOps: crashingOpsOf(browser),
    times,
    everyCase: everyRank,
    budgetMs,
    beforeEach: (running) => {
      const noted = fetch(RUNNING, { method: 'PUT', body: JSON.stringify(running) });
      return on === 'polyfill' ? undefined : noted; // no graph of the polyfill ends a process: nothing waits for the note
    },
  });
  const { engine, version } = scope.navigator.ml.polyfill;
  return { state: current, progress, polyfill: `polyfill, ${engine} ${version}` };
}

/** The report as text. */
export async function text({ state, browser, webnn, created }) {
  return reportText(reportOf(state, await corpus(), { browser, webnn, created, userAgent: navigator.userAgent }));
}
