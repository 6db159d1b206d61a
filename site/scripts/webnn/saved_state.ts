/** Keeps an unfinished report in the browser's storage: a page that a graph kills continues when it is opened again. */

import type { ReportState } from '../../../js/apps/probes/src/index.js';

const STATE = 'webnn-report';
const RUNNING = 'webnn-report-running';

/** An unfinished report. */
export interface SavedReport {
  readonly on: string;
  readonly state: ReportState;
}

/** Keeps a report, as far as the storage takes it. */
export function keep(report: SavedReport): void {
  unnote();
  try {
    localStorage.setItem(STATE, JSON.stringify(report));
  } catch {
    forget(); // the storage is full or forbidden: the report lives as long as the page
  }
}

/** Notes the graph that runs next. */
export function note(running: NonNullable<ReportState['campaign']['running']>): void {
  try {
    localStorage.setItem(RUNNING, JSON.stringify(running));
  } catch {
    // as in keep()
  }
}

/** Forgets the graph that runs next. */
export function unnote(): void {
  try {
    localStorage.removeItem(RUNNING);
  } catch {
    // there is no storage
  }
}

/** The unfinished report, with the graph that the page died of; null if there is none. */
export function kept(): SavedReport | null {
  try {
    const report = JSON.parse(localStorage.getItem(STATE) ?? 'null') as SavedReport | null;
    if (report !== null) report.state.campaign.running = JSON.parse(localStorage.getItem(RUNNING) ?? 'null');
    return report;
  } catch {
    return null;
  }
}

/** Forgets the report. */
export function forget(): void {
  unnote();
  try {
    localStorage.removeItem(STATE);
  } catch {
    // there is no storage
  }
}
