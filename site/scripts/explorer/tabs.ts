/** Tabs after the ARIA practices: arrow keys move between them, and one panel is visible. Panels are filled lazily. */

/** Tabs of an element with `role="tablist"`; each button's aria-controls names its panel. */
export class Tabs {
  readonly #buttons: readonly HTMLButtonElement[];
  readonly #fill: (panel: HTMLElement) => void;
  readonly #shown: (panel: HTMLElement) => void;
  readonly #filled = new Set<HTMLElement>();

  /**
   * @param fill - Fills a panel before it is first shown.
   * @param shown - Called each time the visitor selects a tab.
   */
  constructor(list: HTMLElement, fill: (panel: HTMLElement) => void, shown: (panel: HTMLElement) => void = () => {}) {
    this.#fill = fill;
    this.#shown = shown;
    this.#buttons = [...list.querySelectorAll<HTMLButtonElement>('[role="tab"]')];
    this.#buttons.forEach((button, index) => {
      button.addEventListener('click', () => this.#select(button));
      button.addEventListener('keydown', ({ key }) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
        const next = step && this.#buttons.at((index + step) % this.#buttons.length);
        if (!next) return;
        next.focus();
        this.#select(next);
      });
    });
  }

  /** Empties all panels and refills the visible one. */
  refresh(): void {
    this.#filled.clear();
    const shown = this.#buttons.find((button) => button.getAttribute('aria-selected') === 'true') ?? this.#buttons[0];
    if (shown !== undefined) this.#show(shown);
  }

  /** Shows the panel of this id; does nothing where there is none. */
  show(panelId: string): void {
    const button = this.#buttons.find((one) => one.getAttribute('aria-controls') === panelId);
    if (button !== undefined) this.#show(button);
  }

  #select(button: HTMLButtonElement): void {
    this.#shown(this.#panelOf(button));
    this.#show(button);
  }

  #show(button: HTMLButtonElement): void {
    for (const other of this.#buttons) {
      const isShown = other === button;
      other.setAttribute('aria-selected', String(isShown));
      other.tabIndex = isShown ? 0 : -1;
      this.#panelOf(other).hidden = !isShown;
    }
    const panel = this.#panelOf(button);
    if (this.#filled.has(panel)) return;
    this.#filled.add(panel);
    this.#fill(panel);
  }

  #panelOf(button: HTMLButtonElement): HTMLElement {
    const panel = document.getElementById(button.getAttribute('aria-controls') ?? '');
    if (panel === null) throw new Error('a tab in the template has no panel');
    return panel;
  }
}
