/** Formulas that several engines compute. */

/**
 * The error function as Eigen's rational approximation for float32: x * P(x^2) / Q(x^2), with x clamped to the bound. It is
 * accurate to a few units in the last place. Coefficients of the highest power come first.
 */
export const ERF = {
  bound: 4,
  numerator: [
    -2.72614225801306e-10, 2.77068142495902e-8, -2.10102402082508e-6, -5.69250639462346e-5, -7.34990630326855e-4,
    -2.95459980854025e-3, -1.60960333262415e-2,
  ],
  denominator: [
    -1.45660718464996e-5, -2.13374055278905e-4, -1.68282697438203e-3, -7.37332916720468e-3, -1.42647390514189e-2,
  ],
} as const;

/** The input element with its centre nearest to the output element's; the first of two. */
export function nearestIndex(index: number, from: number, to: number): number {
  const middle = ((index + 0.5) * from) / to - 0.5;
  return Math.min(Math.max(Math.ceil(middle - 0.5), 0), from - 1);
}
