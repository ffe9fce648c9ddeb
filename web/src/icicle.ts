import { el, svg } from "./dom";
import type { Colouring } from "./colours";
import type { Column } from "./data";
import { placedBy, type Placed, type TreeModel } from "./tree_model";

const kRows = { lowest: 26, highest: 44, together: 340 };
const kGap = 1;
const kNarrowest = 0.9;
const kLetter = 6.6;
const kMostLevels = 14;

export interface IcicleState {
  width: Column;
  colouring: Colouring;
  zoomed: number;
  selected: number;
  /** Null: nothing is searched for. */
  found: Set<number> | null;
}

export interface IcicleEvents {
  select: (row: number, zoom: boolean) => void;
  hover: (row: number | null, event: PointerEvent | null) => void;
}

/** The tree from above: a node is as wide as its share of the quantity, its children lie under it. */
export class Icicle {
  readonly element: HTMLElement;
  private readonly drawing: SVGSVGElement;
  private placed: Placed[] = [];
  private placedFor: Column | null = null;
  private rowHeight = kRows.lowest;

  constructor(
    private readonly model: TreeModel,
    private state: IcicleState,
    private readonly events: IcicleEvents,
  ) {
    this.drawing = svg("svg", {
      class: "icicle",
      tabindex: 0,
      role: "application",
      "aria-label": "The tree. Arrow keys move, Enter zooms in, Escape zooms out.",
      "aria-describedby": "icicle-status",
    });
    this.element = el("div", { class: "icicle-box" }, this.drawing);
    this.drawing.addEventListener("click", (event) => {
      const row = this.rowAt(event);
      if (row !== null) this.events.select(row, true);
    });
    this.drawing.addEventListener("pointermove", (event) => this.events.hover(this.rowAt(event), event));
    this.drawing.addEventListener("pointerleave", () => this.events.hover(null, null));
    this.drawing.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  show(state: IcicleState): void {
    this.state = state;
    this.draw();
  }

  /** Between 0 and 1 of the whole. */
  share(row: number): number {
    const node = this.placed[row];
    return node ? node.x1 - node.x0 : 0;
  }

  private rowAt(event: Event): number | null {
    const group = event.target instanceof Element ? event.target.closest("[data-row]") : null;
    return group ? Number(group.getAttribute("data-row")) : null;
  }

  private key(event: KeyboardEvent): void {
    const { selected, zoomed } = this.state;
    const parent = this.model.parent(selected);
    const siblings = parent < 0 ? [selected] : this.wide(parent);
    const at = siblings.indexOf(selected);
    const moves: Record<string, number | undefined> = {
      ArrowDown: this.wide(selected)[0],
      ArrowUp: parent < 0 ? undefined : parent,
      ArrowLeft: siblings[at - 1],
      ArrowRight: siblings[at + 1],
      Home: 0,
    };
    if (event.key === "Enter" || event.key === " ") this.events.select(selected, true);
    else if (event.key === "Escape") this.events.select(Math.max(0, this.model.parent(zoomed)), true);
    else if (moves[event.key] !== undefined) this.events.select(moves[event.key] ?? 0, this.isOutside(moves[event.key] ?? 0));
    else return;
    event.preventDefault();
  }

  private isOutside(row: number): boolean {
    return !this.model.path(row).includes(this.state.zoomed);
  }

  /** Children that have a width, from left to right. */
  private wide(row: number): number[] {
    return (this.placed[row]?.children ?? []).filter((node) => node.x1 > node.x0).map((node) => node.data);
  }

  private draw(): void {
    const { width: column, zoomed } = this.state;
    if (this.placedFor !== column) {
      this.placed = placedBy(this.model, column);
      this.placedFor = column;
    }
    const total = this.element.clientWidth;
    const focus = this.placed[zoomed];
    if (total === 0 || !focus) return;
    const extent = Math.max(focus.x1 - focus.x0, 1e-12);
    const at = (x: number): number => ((x - focus.x0) / extent) * total;
    const above = this.model.path(zoomed);
    // By the whole tree, so that zooming does not change it.
    this.rowHeight = Math.min(kRows.highest, Math.max(kRows.lowest, Math.floor(kRows.together / ((this.placed[0]?.height ?? 0) + 1))));
    const groups: SVGElement[] = above.slice(0, -1).map((row, level) => this.node(row, 0, total, level));
    const first = above.length - 1;
    let deepest = first;
    const pending: Placed[] = [focus];
    for (let node = pending.pop(); node; node = pending.pop()) {
      const left = Math.max(0, at(node.x0));
      const right = Math.min(total, at(node.x1));
      if (right - left < kNarrowest && node !== focus) continue;
      const level = first + node.depth - focus.depth;
      if (level - first > kMostLevels) continue;
      deepest = Math.max(deepest, level);
      groups.push(this.node(node.data, left, right, level));
      for (const child of node.children ?? []) pending.push(child);
    }
    const height = (deepest + 1) * this.rowHeight;
    this.drawing.setAttribute("width", String(total));
    this.drawing.setAttribute("height", String(height));
    this.drawing.setAttribute("viewBox", `0 0 ${total} ${height}`);
    this.drawing.replaceChildren(...groups);
  }

  private node(row: number, left: number, right: number, level: number): SVGElement {
    const { colouring, found, selected } = this.state;
    // Gaps between nodes of a pixel would hide them.
    const width = Math.max(kNarrowest, right - left - (right - left > 3 ? kGap : 0));
    const isDim = found !== null && !found.has(row);
    const classes = ["node", row === selected ? "selected" : "", isDim ? "dim" : "", found?.has(row) ? "found" : ""];
    const y = level * this.rowHeight;
    const marks = { class: classes.filter(Boolean).join(" "), "data-row": row };
    const place = { x: left.toFixed(2), y, width: width.toFixed(2), height: this.rowHeight - kGap, fill: colouring.fill(row) };
    const letters = Math.floor((width - 8) / kLetter);
    // Most nodes of a large tree have no room for a name: one element is enough for them.
    if (letters < 2) return svg("rect", { ...marks, ...place });
    const name = this.model.name(row);
    const fitting = name.length > letters ? `${name.slice(0, Math.max(1, letters - 1))}…` : name;
    return svg("g", marks, svg("rect", { ...place, rx: 2 }), svg("text", { x: left + 4, y: y + this.rowHeight / 2 + 4, fill: colouring.ink(row) }, fitting));
  }
}
