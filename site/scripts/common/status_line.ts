/** The page's status line, also read by screen readers. */

/** Writes into an element with `role="status"`. */
export class StatusLine {
  readonly #element: HTMLElement;

  /** @param element - In the template: `<p class="status" role="status" id="..."></p>`. */
  constructor(element: HTMLElement) {
    this.#element = element;
  }

  /** Work is in progress; `data-kind` is `busy`. */
  busy(text: string): void {
    this.#say('busy', text);
  }

  /** Work is done; `data-kind` is `ready`. */
  ready(text: string): void {
    this.#say('ready', text);
  }

  /** Work failed: shows the messages of the error and its causes. `data-kind` is `error`. */
  error(error: unknown): void {
    this.#say('error', describeError(error));
  }

  #say(kind: 'busy' | 'ready' | 'error', text: string): void {
    this.#element.dataset.kind = kind;
    this.#element.textContent = text;
  }
}

/** Describes an error and its causes, one per line. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = error.name === 'Error' ? error.message : `${error.name}: ${error.message}`;
  return error.cause === undefined ? own : `${own}\n${describeError(error.cause)}`;
}
