/** Draws a graph that can be panned, zoomed and searched, with selectable boxes. */

import { select } from 'd3-selection';
import { type ZoomBehavior, zoom, zoomIdentity } from 'd3-zoom';
import { svg } from '../common/svg.js';
import { BOX_HEIGHT, BOX_WIDTH, type Diagram, type PlacedBox, type PlacedLine } from './diagram.js';
import type { Box } from './graph.js';

const ZOOM_STEP = 1.4;
/** Step of the arrow keys, in pixels. */
const PAN_STEP = 80;
const MAX_ZOOM = 3;
/** Minimum initial scale: readable, even if wider than the frame. */
const MIN_FIRST_ZOOM = 0.75;
/** Lines that span more, in the diagram's units, are faint: many of them would hide the others. */
const FAR = 10 * BOX_HEIGHT;
/** Maximum length of a title, in characters. */
const TITLE_LENGTH = 27;
/** Boxes drawn at a time, the first ones first: the browser shows them, and responds to input, before the next ones. */
const SLICE_BOXES = 150;

const PAN_KEYS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [PAN_STEP, 0],
  ArrowRight: [-PAN_STEP, 0],
  ArrowUp: [0, PAN_STEP],
  ArrowDown: [0, -PAN_STEP],
};

/** The frame of the diagram. Selecting a box calls `onChoose`. */
export class GraphView {
  readonly #svg = svg('svg', { class: 'graph-diagram', 'aria-hidden': 'true' });
  readonly #lines = svg('g');
  readonly #boxes = svg('g');
  readonly #content = svg('g', {}, this.#lines, this.#boxes);
  readonly #zoom: ZoomBehavior<SVGSVGElement, unknown>;
  #diagram: Diagram = { width: 0, height: 0, boxes: [], lines: [] };
  #elements = new Map<string, SVGGElement>();
  #found: ReadonlySet<string> = new Set();
  #chosen: string | null = null;

  /** @param frame - Focusable, with a label: the keys + - 0 and the arrows work in it. */
  constructor(
    readonly frame: HTMLElement,
    readonly onChoose: (box: Box) => void,
  ) {
    this.#svg.append(arrowHead(), this.#content);
    frame.replaceChildren(this.#svg);
    this.#zoom = zoom<SVGSVGElement, unknown>()
      // Scrolling the page with the pointer over the diagram continues to scroll.
      .filter((event: MouseEvent) => (event.type === 'wheel' ? event.ctrlKey || event.metaKey : !event.button))
      .on('zoom', ({ transform }) => this.#content.setAttribute('transform', String(transform)));
    select(this.#svg).call(this.#zoom).on('dblclick.zoom', null);
    this.#content.addEventListener('click', ({ target }) => this.#choose(target));
    frame.addEventListener('keydown', (event) => this.#key(event));
  }

  /** Shows the top of a diagram; settles when all is drawn, or when another diagram is shown. */
  async show(diagram: Diagram): Promise<void> {
    this.#diagram = diagram;
    this.#elements = new Map();
    this.#found = new Set();
    this.#chosen = null;
    this.#lines.replaceChildren();
    this.#boxes.replaceChildren();
    this.#goToTop(diagram);
    const slices = Math.ceil(diagram.boxes.length / SLICE_BOXES);
    for (let slice = 0; slice < slices; slice++) {
      if (slice > 0) await nextTask();
      if (this.#diagram !== diagram) return;
      // Lines are in the order of the boxes that they lead to.
      this.#lines.append(...sliceOf(diagram.lines, slice, slices).map(lineElement));
      this.#boxes.append(...sliceOf(diagram.boxes, slice, slices).map((box) => this.#boxElement(box)));
    }
  }

  #boxElement(box: PlacedBox): SVGGElement {
    const element = boxElement(box);
    element.classList.toggle('found', this.#found.has(box.id));
    element.classList.toggle('chosen', this.#chosen === box.id);
    this.#elements.set(box.id, element);
    return element;
  }

  #goToTop(diagram: Diagram): void {
    const { width, height } = this.#size();
    const fittingScale = Math.min(1, width / diagram.width, height / diagram.height);
    this.#zoom.scaleExtent([fittingScale / 2, MAX_ZOOM]);
    const scale = Math.min(1, Math.max(MIN_FIRST_ZOOM, width / diagram.width));
    const top = diagram.boxes.find(({ y }) => y <= BOX_HEIGHT);
    const x = diagram.width * scale <= width ? diagram.width / 2 : (top?.x ?? diagram.width / 2);
    this.#move(zoomIdentity.translate(width / 2 - x * scale, 0).scale(scale));
  }

  /** Fits the entire diagram into the frame. */
  fit(): void {
    const { width, height } = this.#size();
    const { width: diagramWidth, height: diagramHeight } = this.#diagram;
    const scale = Math.min(1, width / diagramWidth, height / diagramHeight);
    const x = (width - diagramWidth * scale) / 2;
    this.#move(zoomIdentity.translate(x, (height - diagramHeight * scale) / 2).scale(scale));
  }

  /** Zooms in, or out for negative steps. */
  zoomIn(times = 1): void {
    this.#zoom.scaleBy(select(this.#svg), ZOOM_STEP ** times);
  }

  /** Marks the boxes found by a search. */
  mark(ids: ReadonlySet<string>): void {
    this.#found = ids;
    for (const [id, element] of this.#elements) element.classList.toggle('found', ids.has(id));
  }

  /**
   * Marks a box as the chosen one.
   *
   * @param isSought - Scroll it into view: it was chosen outside of the diagram.
   */
  choose(id: string, isSought: boolean): void {
    this.#chosen = id;
    for (const [other, element] of this.#elements) element.classList.toggle('chosen', other === id);
    const box = this.#diagram.boxes.find((one) => one.id === id);
    if (box !== undefined && isSought) this.#zoom.translateTo(select(this.#svg), box.x, box.y);
  }

  #move(transform: typeof zoomIdentity): void {
    this.#zoom.transform(select(this.#svg), transform);
  }

  #size(): { width: number; height: number } {
    return { width: Math.max(1, this.frame.clientWidth), height: Math.max(1, this.frame.clientHeight) };
  }

  #choose(target: EventTarget | null): void {
    const id = target instanceof Element ? target.closest<SVGGElement>('.graph-box')?.dataset.id : undefined;
    const box = this.#diagram.boxes.find((one) => one.id === id);
    if (box !== undefined) this.onChoose(box);
  }

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const pan = PAN_KEYS[event.key];
    if (pan !== undefined) this.#zoom.translateBy(select(this.#svg), ...this.#scaled(pan));
    else if (event.key === '+') this.zoomIn();
    else if (event.key === '-') this.zoomIn(-1);
    else if (event.key === '0') this.fit();
    else return;
    event.preventDefault();
  }

  /** Converts pixels to units of the diagram. */
  #scaled([x, y]: readonly [number, number]): [number, number] {
    const scale = this.#content.transform.baseVal.consolidate()?.matrix.a ?? 1;
    return [x / scale, y / scale];
  }
}

/** The items of one of `slices` parts of a list. */
function sliceOf<Item>(items: readonly Item[], slice: number, slices: number): Item[] {
  const [first, end] = [slice, slice + 1].map((part) => Math.round((part * items.length) / slices));
  return items.slice(first, end);
}

/** Lets the browser draw and respond to input. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

function boxElement(box: PlacedBox): SVGGElement {
  const left = box.x - BOX_WIDTH / 2;
  const top = box.y - BOX_HEIGHT / 2;
  const element = svg(
    'g',
    { class: `graph-box graph-box-${box.kind}`, 'data-id': box.id },
    svg('title', {}, `${box.title}\n${box.detail}`),
    svg('rect', {
      x: left,
      y: top,
      width: BOX_WIDTH,
      height: BOX_HEIGHT,
      rx: box.kind === 'tensor' ? BOX_HEIGHT / 2 : 6,
    }),
    svg('text', { class: 'graph-title', x: box.x, y: box.y - 4 }, cut(box.title)),
    svg('text', { class: 'graph-detail', x: box.x, y: box.y + 14 }, cut(box.detail)),
  );
  return element;
}

function cut(text: string): string {
  return text.length > TITLE_LENGTH ? `${text.slice(0, TITLE_LENGTH - 1)}…` : text;
}

function lineElement({ points }: PlacedLine): SVGPathElement {
  const path = points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`);
  const isFar = (points.at(-1)?.y ?? 0) - (points[0]?.y ?? 0) > FAR;
  return svg('path', {
    class: isFar ? 'graph-line far' : 'graph-line',
    d: path.join(''),
    'marker-end': 'url(#graph-arrow)',
  });
}

function arrowHead(): SVGDefsElement {
  const marker = svg(
    'marker',
    { id: 'graph-arrow', viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: 'auto' },
    svg('path', { class: 'graph-arrow', d: 'M0 0L8 4L0 8z' }),
  );
  return svg('defs', {}, marker);
}
