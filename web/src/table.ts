import { el } from "./dom";
import { download } from "./download";
import { csv } from "./numbers";

export interface Cell {
  text: string;
  /** What the column is sorted by; null sorts last. */
  value: number | string | null;
  title?: string;
  /** Share of the column's largest, drawn behind the text. */
  bar?: number;
  mark?: string;
  tone?: string;
}

export interface TableColumn<Row> {
  title: string;
  hint?: string;
  /** How all its numbers were obtained. */
  how?: string;
  numeric: boolean;
  cell: (row: Row) => Cell;
}

export interface TableOptions<Row> {
  name: string;
  columns: TableColumn<Row>[];
  rows: Row[];
  sortedBy?: number;
  filter?: { label: string; text: (row: Row) => string };
  onClick?: (row: Row) => void;
  /** Rows that matter less. */
  dim?: (row: Row) => boolean;
  download?: boolean;
}

const kFirstRows = 60;

function compare(a: Cell, b: Cell, descending: boolean): number {
  if (a.value === null || b.value === null) return a.value === b.value ? 0 : a.value === null ? 1 : -1;
  const order = typeof a.value === "number" && typeof b.value === "number" ? a.value - b.value : String(a.value).localeCompare(String(b.value));
  return descending ? -order : order;
}

/** A table that is sorted by its heads and filtered by a text; long ones grow on demand. */
export function table<Row>(options: TableOptions<Row>): HTMLElement {
  let sortedBy = options.sortedBy ?? -1;
  let descending = sortedBy >= 0 && (options.columns[sortedBy]?.numeric ?? false);
  let wanted = "";
  let limit = kFirstRows;
  const head = el("tr");
  const body = el("tbody");
  const count = el("span", { class: "count", role: "status" });
  const more = el("button", { type: "button", class: "more", click: () => { limit *= 8; draw(); } });

  const cells = (row: Row): Cell[] => options.columns.map((column) => column.cell(row));
  const chosen = (): Row[] => {
    const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
    const text = options.filter?.text;
    const rows = text ? options.rows.filter((row) => words.every((word) => text(row).toLowerCase().includes(word))) : [...options.rows];
    const column = options.columns[sortedBy];
    return column ? rows.map((row) => ({ row, cell: column.cell(row) })).sort((a, b) => compare(a.cell, b.cell, descending)).map(({ row }) => row) : rows;
  };
  const heads = options.columns.map((column, i) => {
    const sort = () => {
      descending = sortedBy === i ? !descending : column.numeric;
      sortedBy = i;
      draw();
    };
    const th = el("th", { scope: "col", class: column.numeric ? "number" : null, title: column.hint },
      el("button", { type: "button", click: sort }, column.title), column.how ? el("small", { class: "how" }, column.how) : null);
    head.append(th);
    return th;
  });

  function draw(): void {
    heads.forEach((th, i) => {
      if (i === sortedBy) th.setAttribute("aria-sort", descending ? "descending" : "ascending");
      else th.removeAttribute("aria-sort");
    });
    const rows = chosen();
    body.replaceChildren(...rows.slice(0, limit).map((row) => line(row)));
    more.textContent = rows.length > limit ? `Show more (${rows.length - limit} rows left)` : "";
    more.hidden = rows.length <= limit;
    count.textContent = rows.length === options.rows.length ? `${rows.length} rows` : `${rows.length} of ${options.rows.length} rows`;
  }

  function line(row: Row): HTMLTableRowElement {
    const tr = el("tr", options.onClick ? { class: "link", tabindex: 0 } : options.dim?.(row) ? { class: "within" } : {});
    cells(row).forEach((cell, i) => {
      const numeric = options.columns[i]?.numeric;
      const td = el(i === 0 ? "th" : "td", { class: [numeric ? "number" : "", cell.tone ? `verdict-${cell.tone}` : ""].join(" ").trim() || null, title: cell.title, scope: i === 0 ? "row" : null },
        cell.bar !== undefined && el("i", { class: "bar", style: `width:${(100 * Math.min(1, Math.max(0, cell.bar))).toFixed(1)}%` }),
        el("span", {}, cell.text), cell.mark ? el("small", { class: "how" }, cell.mark) : null);
      tr.append(td);
    });
    const click = options.onClick;
    if (click) {
      tr.addEventListener("click", () => click(row));
      tr.addEventListener("keydown", (event) => {
        if (event.key === "Enter") click(row);
      });
    }
    return tr;
  }

  const filter = options.filter && el("input", { type: "search", placeholder: options.filter.label, "aria-label": options.filter.label,
    input: () => { wanted = (filter as HTMLInputElement).value; limit = kFirstRows; draw(); } });
  const save = () => download(`${options.name}.csv`, "text/csv", csv([options.columns.map((column) => (column.how ? `${column.title} (${column.how})` : column.title)), ...chosen().map((row) => cells(row).map((cell) => cell.value))]));
  draw();
  return el("div", { class: "table" },
    el("div", { class: "table-tools" }, filter ?? null, count,
      options.download === false ? null : el("button", { type: "button", click: save, "aria-label": `Save the table as CSV` }, "CSV")),
    el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": options.name }, el("table", {}, el("thead", {}, head), body)), more);
}

/** A table of a few lines that nobody sorts. */
export function facts(rows: [string, Node | string][]): HTMLElement {
  return el("table", { class: "facts" }, el("tbody", {}, ...rows.map(([name, value]) => el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, value)))));
}
