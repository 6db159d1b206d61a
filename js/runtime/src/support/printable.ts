/** Text of files for terminals and logs, to which control characters would be commands. */

const CONTROLS = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu;

/** The text in one line, its control characters as `\u001b`. */
export function printable(text: string): string {
  return text.replace(CONTROLS, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
