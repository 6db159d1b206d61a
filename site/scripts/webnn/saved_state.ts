/** Saves an unfinished report in the browser's storage: a page that a graph crashes continues when it is opened again. */

import type { ReportState } from '../../../js/apps/probes/src/index.js';

const STATE = 'webnn-report';
const RUNNING = 'webnn-report-running';

/** An unfinished report. */
export interface SavedReport {
  readonly on: string;
  readonly state: ReportState;
}

/** Saves a report, if the storage accepts it. */
export function saveReport(report: SavedReport): void {
  clearRunning();
  try {
    localStorage.setItem(STATE, JSON.stringify(report));
  } catch {
    clearReport(); // the storage is full or forbidden: the report lives as long as the page
  }
}

/** Saves the graph that runs next. */
export function saveRunning(running: NonNullable<ReportState['probeRun']['running']>): void {
  try {
    localStorage.setItem(RUNNING, JSON.stringify(running));
  } catch {
    // as in saveReport()
  }
}

/** Removes the graph that runs next. */
export function clearRunning(): void {
  try {
    localStorage.removeItem(RUNNING);
  } catch {
    // there is no storage
  }
}

/** The unfinished report, with the graph that crashed the page; null if there is none. */
export function savedReport(): SavedReport | null {
  try {
    const report = JSON.parse(localStorage.getItem(STATE) ?? 'null') as SavedReport | null;
    if (report !== null) report.state.probeRun.running = JSON.parse(localStorage.getItem(RUNNING) ?? 'null');
    return report;
  } catch {
    return null;
  }
}

/** Removes the report. */
export function clearReport(): void {
  clearRunning();
  try {
    localStorage.removeItem(STATE);
  } catch {
    // there is no storage
  }
}
