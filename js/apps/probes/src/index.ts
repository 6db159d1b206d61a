/** Probes of WebNN in any browser, for the site's WebNN page and `python3 -m tools.probe`. */

export { countsText, type Difference, differencesOf, fusedText } from './compare_reports.js';
export { isFused } from './fusion.js';
export { crashingOpsOf, KNOWN_BUGS, type KnownBug } from './known_bugs.js';
export type { ProbeCase } from './probe_case.js';
export { type ContextReport, type OperatorReport, readReport, reportText, type WebnnReport } from './report.js';
export {
  continueReport,
  newReport,
  type Progress,
  type ReportOptions,
  type ReportOrigin,
  type ReportState,
  reportOf,
} from './run_report.js';
export { CONTEXTS, type Webnn, webnnIn } from './webnn.js';
