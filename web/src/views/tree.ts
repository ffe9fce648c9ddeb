import { colouredBy, colouredByType, type Colouring } from "../colours";
import type { Column, Item } from "../data";
import { choice, el } from "../dom";
import { download, standalone } from "../download";
import { legend } from "../figure";
import { Icicle, type IcicleState } from "../icicle";
import { cellText, csv, howOf, lowered, text } from "../numbers";
import { hasPlace } from "../place";
import { subtreePanel } from "../subtree";
import { TreeModel, widthColumns } from "../tree_model";
import { Tip } from "../tip";

const kByType = "type";

function matches(model: TreeModel, words: string): Set<number> | null {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return null;
  const found = new Set<number>();
  for (let row = 0; row < model.size; ++row) {
    const said = `${model.pathText(row)} ${model.type(row)}`.toLowerCase();
    const own = `${model.name(row)} ${model.type(row)}`.toLowerCase();
    // Whole paths match too, but the last word must be the node's own: else all that lies below would match.
    if (wanted.every((word) => said.includes(word)) && own.includes(wanted[wanted.length - 1] ?? "")) found.add(row);
  }
  return found;
}

/** Matches of which none lies inside another, so that their shares can be added. */
function outermost(model: TreeModel, found: Set<number>): number[] {
  return [...found].filter((row) => !model.path(row).slice(0, -1).some((above) => found.has(above)));
}

class TreeView {
  readonly element = el("div", { class: "tree-view" });
  private readonly model: TreeModel;
  private readonly icicle: Icicle;
  private readonly panel = el("div", { class: "tree-panel" });
  private readonly colours = el("div", {});
  private readonly status = el("p", { id: "icicle-status", class: "status", role: "status" });
  private readonly matchCount = el("span", { class: "count", role: "status" });
  private readonly tip = new Tip();
  private readonly search = el("input", { type: "search", placeholder: "Search names and types ( / )", "aria-label": "Search the tree" });
  private state: IcicleState;
  private colourKey = kByType;

  constructor(tree: NonNullable<Item["tree"]>) {
    this.model = new TreeModel(tree);
    const columns = widthColumns(this.model);
    const first = columns[0] ?? emptyColumn(this.model);
    this.state = { width: first, colouring: this.colouring(kByType, first), zoomed: 0, selected: 0, found: null };
    this.icicle = new Icicle(this.model, this.state, {
      select: (row, zoom) => this.select(row, zoom),
      hover: (row, event) => this.hover(row, event),
    });
    this.search.addEventListener("input", () => this.find());
    this.search.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.next();
    });
    this.element.append(this.controls(columns), this.colours, el("div", { class: "tree-columns" }, el("div", { class: "tree-left" }, this.icicle.element, this.status), this.panel), this.tip.element);
    hasPlace(this.element, { get: () => JSON.stringify([this.model.pathText(this.state.zoomed), this.model.pathText(this.state.selected)]), set: (place) => this.goTo(place) });
    this.show();
  }

  /** To nodes of the same paths in another tree. */
  private goTo(place: string): void {
    const [zoomed, selected] = JSON.parse(place || "[]") as (string | undefined)[];
    const rowOf = (path: string | undefined): number => {
      for (let row = 0; path && row < this.model.size; ++row) if (this.model.pathText(row) === path) return row;
      return 0;
    };
    this.change({ zoomed: rowOf(zoomed), selected: rowOf(selected) });
  }

  private controls(columns: Column[]): HTMLElement {
    const byColour = this.model.columns.filter((one) => one.values.some((value) => value !== null && value > 0));
    return el(
      "div",
      { class: "controls" },
      choice("Width", columns.map((one) => ({ value: one.key, text: one.title })), this.state.width.key, (key) => {
        const width = columns.find((one) => one.key === key);
        if (width) this.change({ width, colouring: this.colouring(this.colourKey, width) });
      }),
      choice("Colour", [{ value: kByType, text: "Operator type" }, ...byColour.map((one) => ({ value: one.key, text: one.title }))], kByType, (key) => {
        this.colourKey = key;
        this.change({ colouring: this.colouring(key, this.state.width) });
      }),
      el("label", { class: "choice search" }, el("span", {}, "Search"), this.search),
      this.matchCount,
      el("span", { class: "figure-tools" },
        el("button", { type: "button", click: () => this.select(0, true) }, "Whole model"),
        el("button", { type: "button", "aria-label": "Save the tree as SVG", click: () => this.saveSvg() }, "SVG"),
        el("button", { type: "button", "aria-label": "Save the tree as CSV", click: () => this.saveCsv() }, "CSV")),
    );
  }

  private colouring(key: string, width: Column): Colouring {
    const column = this.model.column(key);
    return column ? colouredBy(column) : colouredByType(this.model, width);
  }

  private change(part: Partial<IcicleState>): void {
    this.state = { ...this.state, ...part };
    this.show();
  }

  private select(row: number, zoom: boolean): void {
    const isLeaf = (this.model.children[row]?.length ?? 0) === 0;
    const zoomed = !zoom ? this.state.zoomed : isLeaf ? Math.max(0, this.model.parent(row)) : row;
    this.change({ selected: row, zoomed });
  }

  private find(): void {
    const found = matches(this.model, this.search.value);
    this.change({ found });
    const share = found ? outermost(this.model, found).reduce((sum, row) => sum + this.icicle.share(row), 0) : 0;
    this.matchCount.textContent = found ? `${found.size.toLocaleString("en")} found, ${(100 * share).toFixed(1)} % of the ${lowered(this.state.width.title)}` : "";
  }

  private next(): void {
    const found = [...(this.state.found ?? [])];
    if (found.length === 0) return;
    const row = found.find((one) => one > this.state.selected) ?? found[0] ?? 0;
    this.select(row, true);
  }

  private show(): void {
    const { width, selected, colouring } = this.state;
    this.icicle.show(this.state);
    this.colours.replaceChildren(legend(colouring.legend));
    const inside = (row: number): void => this.select(row, true);
    this.panel.replaceChildren(subtreePanel(this.model, selected, width, inside));
    this.status.textContent = `Width: ${width.title} (${provenances(width)}). A module is as wide as its operators together, or wider where it takes more than they do. Selected: ${this.model.pathText(selected) || this.model.name(selected)}, ${text(width.values[selected], width.unit)}.`;
  }

  private hover(row: number | null, event: PointerEvent | null): void {
    if (row === null || !event) {
      this.tip.hide();
      return;
    }
    const { width } = this.state;
    const coloured = this.model.column(this.colourKey);
    const line = (column: Column): string => `${column.title}: ${cellText(column, row)} ${howOf(column, row)}`;
    const lines = [this.model.type(row), line(width), `${(100 * this.icicle.share(row)).toFixed(1)} % of the width of the whole`];
    if (coloured && coloured !== width) lines.push(line(coloured));
    this.tip.show(event, this.model.pathText(row) || this.model.name(row), lines.filter(Boolean));
  }

  private saveSvg(): void {
    const drawn = this.icicle.element.querySelector("svg");
    if (drawn) download("tree.svg", "image/svg+xml", standalone(drawn));
  }

  private saveCsv(): void {
    const { columns } = this.model;
    const head = ["path", "type", ...columns.flatMap((one) => [`${one.title} (${one.unit})`, "how"])];
    const rows = this.model.subtree(this.state.zoomed).map((row) => [this.model.pathText(row), this.model.type(row), ...columns.flatMap((one) => [one.values[row] ?? null, howOf(one, row)])]);
    download("tree.csv", "text/csv", csv([head, ...rows]));
  }

  focusSearch(): void {
    this.search.focus();
  }
}

function provenances(column: Column): string {
  return column.how.filter(Boolean).join(", ") || "unknown";
}

function emptyColumn(model: TreeModel): Column {
  return { key: "operators", title: "Operators", unit: "1", values: Array.from({ length: model.size }, (_, row) => (model.children[row]?.length ? null : 1)), how: ["counted"] };
}

export function treeView(item: Item): HTMLElement | null {
  if (!item.tree || item.tree.parent.length === 0) return null;
  const view = new TreeView(item.tree);
  const onKey = (event: KeyboardEvent): void => {
    if (!view.element.isConnected) document.removeEventListener("keydown", onKey);
    else if (event.key === "/" && !(event.target instanceof HTMLInputElement)) {
      event.preventDefault();
      view.focusSearch();
    }
  };
  document.addEventListener("keydown", onKey);
  return view.element;
}
