import * as Plot from "@observablehq/plot";
import { Kind, type ComparedMetric, type Comparison, type Item, type PageData } from "../data";
import { choice, el, shown } from "../dom";
import { chart, figure, fitting } from "../figure";
import { exact, howOf, quantityText, range, scaleFor, text } from "../numbers";
import { columnOf, operatorRows, typeTotals } from "../operator_rows";
import { table } from "../table";
import { TreeModel } from "../tree_model";

const kQuantities = ["time", "energy", "predicted_time", "predicted_energy", "flops", "macs", "bytes", "params"];
const kMostBars = 20;

/** How far apart the furthest value is from the first, as a ratio; a difference without a verdict comes later. */
function weight(metric: ComparedMetric): number {
  const first = metric.values[0]?.value;
  const furthest = Math.max(...metric.values.slice(1).map(({ value }) => (value && first && value > 0 && first > 0 ? Math.abs(Math.log(value / first)) : 0)));
  const verdicts = metric.verdicts.slice(1);
  if (verdicts.some((one) => one === "better" || one === "worse")) return 1e3 + furthest;
  if (verdicts.some((one) => one === "different")) return 1e2 + furthest;
  return verdicts.some((one) => one !== "same" && one !== "unknown") ? 1 + furthest : furthest - 1;
}

function differenceText(metric: ComparedMetric, i: number): string {
  const value = metric.compared[i];
  if (value === null || value === undefined) return "";
  return metric.comparison === "difference" ? `${value > 0 ? "+" : ""}${text(value, metric.unit)}` : `× ${value.toPrecision(3)}`;
}

function metricTable(comparison: Comparison): HTMLElement {
  const rows = [...comparison.metrics].sort((a, b) => weight(b) - weight(a));
  return table<ComparedMetric>({
    name: "comparison",
    rows,
    columns: [
      { title: "metric", numeric: false, cell: (metric) => ({ text: metric.title, value: metric.title }) },
      ...comparison.labels.flatMap((label, i) => [
        {
          title: shown(label), numeric: true,
          cell: (metric: ComparedMetric) => {
            const value = metric.values[i];
            return { text: value ? quantityText(value) : "", value: value?.value ?? null, title: value ? `${exact(value.value, value.unit)} ${range(value.low, value.high, value.unit)} ${value.provenance ?? ""}` : "", mark: value?.value === null ? "" : (value?.provenance ?? "") };
          },
        },
        ...(i === 0 ? [] : [{
          title: `against ${shown(comparison.labels[0] ?? "the first")}`, numeric: false,
          cell: (metric: ComparedMetric) => {
            const verdict = metric.verdicts[i] ?? "";
            return { text: [differenceText(metric, i), verdict === "unknown" ? "" : verdict].filter(Boolean).join(" "), value: metric.compared[i] ?? null, ...(verdict === "better" || verdict === "worse" ? { tone: verdict } : {}) };
          },
        }]),
      ]),
    ],
  });
}

interface Pair {
  name: string;
  type: string;
  first: number | null;
  second: number | null;
  verdict: string;
  how: string;
}

/** Whether two intervals share a point; unknown where one has none. */
function overlap(a: { low: number | null | undefined; high: number | null | undefined }, b: typeof a): boolean | null {
  if (typeof a.low !== "number" || typeof a.high !== "number" || typeof b.low !== "number" || typeof b.high !== "number") return null;
  return a.low <= b.high && b.low <= a.high;
}

/** Nodes of two trees, matched by their paths. */
function pairs(first: TreeModel, second: TreeModel, key: string, kind: Kind): Pair[] {
  const [a, b] = [first.column(key), second.column(key)];
  if (!a || !b) return [];
  const rowsOf = (model: TreeModel): Map<string, number> => new Map(Array.from({ length: model.size }, (_, row) => row).filter((row) => model.kind(row) === kind).map((row) => [model.pathText(row), row]));
  const [left, right] = [rowsOf(first), rowsOf(second)];
  return [...new Set([...left.keys(), ...right.keys()])].map((path) => {
    const [i, k] = [left.get(path), right.get(path)];
    const bounds = (column: typeof a, row: number | undefined) => (row === undefined ? { low: null, high: null } : { low: column.low?.[row], high: column.high?.[row] });
    const both = i !== undefined && k !== undefined;
    const shared = both ? overlap(bounds(a, i), bounds(b, k)) : null;
    return {
      name: path,
      type: i !== undefined ? first.type(i) : k !== undefined ? second.type(k) : "",
      first: i === undefined ? null : (a.values[i] ?? null),
      second: k === undefined ? null : (b.values[k] ?? null),
      verdict: !both ? (i === undefined ? "only in the second" : "only in the first") : shared === null ? "no interval" : shared ? "intervals overlap" : "intervals apart",
      how: [...new Set([i === undefined ? "" : howOf(a, i), k === undefined ? "" : howOf(b, k)].filter(Boolean))].join(", "),
    };
  });
}

const change = (pair: Pair): number => (pair.second ?? 0) - (pair.first ?? 0);

function pairTable(name: string, rows: Pair[], unit: string, labels: [string, string]): HTMLElement {
  const largest = Math.max(...rows.map((pair) => Math.abs(change(pair))), 0);
  return table<Pair>({
    name,
    rows: [...rows].sort((a, b) => Math.abs(change(b)) - Math.abs(change(a))),
    filter: { label: "Filter by path or type", text: (pair) => `${pair.name} ${pair.type} ${pair.verdict}` },
    columns: [
      { title: "path", numeric: false, cell: (pair) => ({ text: pair.name, value: pair.name, title: pair.name }) },
      { title: "type", numeric: false, cell: (pair) => ({ text: pair.type, value: pair.type }) },
      { title: labels[0], numeric: true, cell: (pair) => ({ text: pair.first === null ? "" : text(pair.first, unit), value: pair.first, title: exact(pair.first, unit) }) },
      { title: labels[1], numeric: true, cell: (pair) => ({ text: pair.second === null ? "" : text(pair.second, unit), value: pair.second, title: exact(pair.second, unit) }) },
      { title: "difference", numeric: true, cell: (pair) => ({ text: `${change(pair) > 0 ? "+" : ""}${text(change(pair), unit)}`, value: change(pair), bar: largest > 0 ? Math.abs(change(pair)) / largest : 0 }) },
      { title: "ratio", numeric: true, cell: (pair) => ({ text: pair.first && pair.second ? `× ${(pair.second / pair.first).toPrecision(3)}` : "", value: pair.first && pair.second ? pair.second / pair.first : null }) },
      { title: "intervals", numeric: false, cell: (pair) => ({ text: pair.verdict, value: pair.verdict }) },
      { title: "how", numeric: false, cell: (pair) => ({ text: pair.how, value: pair.how }) },
    ],
  });
}

function typePairs(first: Item, second: Item, key: string): Pair[] {
  const sums = [first, second].map((item) => {
    const rows = operatorRows(item);
    const column = rows && columnOf(rows, key);
    return new Map(rows && column ? typeTotals(rows, column).map((one) => [one.type, one.sum]) : []);
  });
  const [a, b] = [sums[0] ?? new Map<string, number>(), sums[1] ?? new Map<string, number>()];
  return [...new Set([...a.keys(), ...b.keys()])].map((type) => ({ name: type, type, first: a.get(type) ?? null, second: b.get(type) ?? null, verdict: "", how: "" }));
}

function changeChart(title: string, rows: Pair[], unit: string, labels: [string, string]): HTMLElement | null {
  const drawn = rows.filter((pair) => change(pair) !== 0).sort((a, b) => Math.abs(change(b)) - Math.abs(change(a))).slice(0, kMostBars);
  if (drawn.length === 0) return null;
  const scale = scaleFor(Math.max(...drawn.map((pair) => Math.abs(change(pair)))), unit);
  return figure({
    title,
    caption: `${labels[1]} less ${labels[0]}, sums over all calls: bars to the right are more. The ${drawn.length} largest of ${rows.length}.`,
    rows: () => [["type", `${labels[0]} (${unit})`, `${labels[1]} (${unit})`, `difference (${unit})`], ...rows.map((pair) => [pair.name, pair.first, pair.second, change(pair)])],
    draw: (width) =>
      chart({
        width,
        height: 60 + 22 * drawn.length,
        marginLeft: Math.min(160, width / 3),
        x: { label: `${scale.unit} →`, grid: true },
        y: { label: null, domain: drawn.map((pair) => pair.name), tickFormat: (name: string) => fitting(name, Math.min(160, width / 3)) },
        color: { type: "identity" },
        marks: [
          Plot.barX(drawn, { x: (pair: Pair) => change(pair) / scale.factor, y: "name", fill: (pair: Pair) => (change(pair) > 0 ? "var(--s6)" : "var(--s2)"), tip: true, title: (pair: Pair) => `${pair.name}\n${labels[0]}: ${text(pair.first, unit)}\n${labels[1]}: ${text(pair.second, unit)}` }),
          Plot.ruleX([0]),
        ],
      }),
  });
}

/** Items that can be laid side by side. */
export function comparable(data: PageData): Item[] {
  return data.items.filter((item) => item.tree);
}

export function compareView(data: PageData): HTMLElement {
  const items = comparable(data);
  const models = items.map((item) => new TreeModel(item.tree ?? { texts: [], parent: [], kind: [], name: [], type: [], columns: [] }));
  const place = el("div", {});
  const chosen = { first: 0, second: 1, key: "" };
  const keysOf = (): string[] => kQuantities.filter((key) => models[chosen.first]?.column(key) && models[chosen.second]?.column(key));
  const pickers = el("div", { class: "controls" });
  const show = (): void => {
    const keys = keysOf();
    if (!keys.includes(chosen.key)) chosen.key = keys[0] ?? "";
    const names = items.map((item, i) => ({ value: String(i), text: shown(item.label) }));
    const [first, second] = [models[chosen.first], models[chosen.second]];
    const [firstItem, secondItem] = [items[chosen.first], items[chosen.second]];
    const column = first?.column(chosen.key);
    pickers.replaceChildren(
      choice("First", names, String(chosen.first), (value) => { chosen.first = Number(value); show(); }),
      choice("Second", names, String(chosen.second), (value) => { chosen.second = Number(value); show(); }),
      choice("Quantity", keys.map((key) => ({ value: key, text: first?.column(key)?.title ?? key })), chosen.key, (value) => { chosen.key = value; show(); }));
    if (!first || !second || !firstItem || !secondItem || !column) {
      place.replaceChildren(el("p", {}, "These two have no quantity in common."));
      return;
    }
    const labels: [string, string] = [shown(firstItem.label), shown(secondItem.label)];
    const modules = pairs(first, second, chosen.key, Kind.Module);
    const types = typePairs(firstItem, secondItem, chosen.key);
    const bars = changeChart(`${column.title} by type of operator: what changed`, types, column.unit, labels);
    place.replaceChildren(...[bars, el("h3", { class: "section" }, `${column.title} by module, the largest differences first`), modules.length > 0 ? pairTable("modules compared", modules, column.unit, labels) : el("p", {}, "They have no modules in common."),
      el("h3", { class: "section" }, `${column.title} by operator`), pairTable("operators compared", pairs(first, second, chosen.key, Kind.Operator), column.unit, labels)].filter((one): one is HTMLElement => one !== null));
  };
  show();
  const { comparison } = data;
  return el("div", {},
    comparison ? el("section", {}, el("h3", { class: "section" }, "The differences that matter first"), metricTable(comparison), ...comparison.notes.map((note) => el("p", { class: "note" }, shown(note)))) : null,
    el("h3", { class: "section" }, "Where they differ"), pickers, place);
}
