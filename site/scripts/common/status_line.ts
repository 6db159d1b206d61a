/** The line that tells what a page is doing, for eyes and for screen readers. */

/** What an element with `role="status"` says. */
export class StatusLine {
  readonly #element: HTMLElement;

  /** @param element - In the template: `<p class="status" role="status" id="..."></p>`. */
  constructor(element: HTMLElement) {
    this.#element = element;
  }

  /** Something goes on; `data-kind` is `busy`. */
  busy(text: string): void {
    this.#say('busy', text);
  }

  /** It is done; `data-kind` is `ready`. */
  ready(text: string): void {
    this.#say('ready', text);
  }

  /** It failed: the error's own words, which say what to do, and those of its causes. `data-kind` is `error`. */
  error(error: unknown): void {
    this.#say('error', describeError(error));
  }

  #say(kind: 'busy' | 'ready' | 'error', text: string): void {
    this.#element.dataset.kind = kind;
    this.#element.textContent = text;
  }
}

/** Words for an error and its causes, one a line. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = error.name === 'Error' ? error.message : `${error.name}: ${error.message}`;
  return error.cause === undefined ? own : `${own}\n${describeError(error.cause)}`;
}
