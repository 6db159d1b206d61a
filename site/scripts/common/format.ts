/** Formats numbers in English, whatever the browser's language. */

const BYTE_UNITS = ['B', 'kB', 'MB', 'GB'] as const;

/** 1234567 becomes `1.2 MB`. A kB is 1000 bytes. */
export function formatBytes(sizeBytes: number): string {
  let value = sizeBytes;
  let unit = 0;
  while (value >= 999.5 && unit < BYTE_UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit === 0 || value >= 99.95 ? 0 : 1;
  return `${value.toFixed(digits)} ${BYTE_UNITS[unit]}`;
}

/** Three significant digits: `0.42 ms`, `4.27 ms`, `42.7 ms`, `427 ms`; seconds from 10,000 ms on. */
export function formatMilliseconds(milliseconds: number): string {
  if (milliseconds >= 10_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  const digits = milliseconds >= 99.95 ? 0 : milliseconds >= 9.995 ? 1 : 2;
  return `${milliseconds.toFixed(digits)} ms`;
}

/** `12,345`. An integer. Without Intl, whose first use on a page takes as long as all other scripts there. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** 0.4567 becomes `45.7%`. */
export function formatPercent(share: number): string {
  return `${(share * 100).toFixed(1)}%`;
}

/** A numerical difference: `3.1e-7`, or `0`. */
export function formatDifference(value: number): string {
  return value === 0 ? '0' : value.toExponential(1);
}
