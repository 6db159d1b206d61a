/** Text of files for terminals and logs, to which control characters would be commands, and lines of CI's commands. */

/** `::error::` at the beginning of a line, `##[error]` and `##vso[...]` anywhere. */
const CONTROLS = /[\p{Cc}\u2028-\u202e\u2066-\u2069]|(?<=^\s*):(?=:)|#(?=#(?:vso)?\[)/gu;

/** Characters of a text that are printed: a file's names may have megabytes. */
const MAX_LENGTH = 10_000;

/** The text in one line, its control characters as `\u001b`; cut where it is too long. */
export function printable(text: string): string {
  const cut = text.length > MAX_LENGTH ? ` (and ${text.length - MAX_LENGTH} more characters)` : '';
  return (
    text
      .slice(0, MAX_LENGTH)
      .replace(CONTROLS, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`) + cut
  );
}
