import * as Plot from "@observablehq/plot";
import { Kind, type ComparedMetric, type Comparison, type Item, type PageData } from "../data";
import { differencesOf, isTested, kPartLevels, kTypeLevels, noiseText, testedPairs, wholeOf, type Pair } from "../differences";
import { choice, el, shown } from "../dom";
import { chart, figure, fitting, kRest } from "../figure";
import { exact, howOf, quantityText, range, scaleFor, text } from "../numbers";
import { columnOf, operatorRows, typeTotals } from "../operator_rows";
import { table, type TableColumn } from "../table";
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

/** What the test of the windows says of the whole model, where there is one. */
function testOf(comparison: Comparison, metric: ComparedMetric, i: number): Pair | undefined {
  const whole = wholeOf(differencesOf(comparison, comparison.labels[0] ?? "", comparison.labels[i] ?? ""), metric.name);
  return typeof whole?.p === "number" ? whole : undefined;
}

function metricTable(comparison: Comparison): HTMLElement {
  const within = (metric: ComparedMetric): boolean => {
    const tests = comparison.labels.slice(1).map((_, i) => testOf(comparison, metric, i + 1));
    return tests.length > 0 && tests.every((one) => one?.within);
  };
  const place = (metric: ComparedMetric): number => (within(metric) ? 0 : weight(metric));
  const rows = [...comparison.metrics].sort((a, b) => place(b) - place(a));
  return table<ComparedMetric>({
    name: "comparison",
    rows,
    dim: within,
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
            const [verdict, tested] = [metric.verdicts[i] ?? "", testOf(comparison, metric, i)];
            const words = tested?.within ? "within the noise" : verdict === "unknown" ? "" : verdict;
            return { text: [differenceText(metric, i), words].filter(Boolean).join(" "), ...(tested && { title: tested.verdict, mark: tested.verdict.slice(tested.verdict.indexOf("p ")) }), value: metric.compared[i] ?? null, ...(!tested?.within && (verdict === "better" || verdict === "worse") ? { tone: verdict } : {}) };
          },
        }]),
      ]),
    ],
  });
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
    const [one, other] = [i === undefined ? null : (a.values[i] ?? null), k === undefined ? null : (b.values[k] ?? null)];
    return {
      name: path,
      type: i !== undefined ? first.type(i) : k !== undefined ? second.type(k) : "",
      ...untested(one, other),
      verdict: !both ? (i === undefined ? "only in the second" : "only in the first") : shared === null ? "no interval" : shared ? "intervals overlap" : "intervals apart",
      how: [...new Set([i === undefined ? "" : howOf(a, i), k === undefined ? "" : howOf(b, k)].filter(Boolean))].join(", "),
    };
  });
}

function untested(first: number | null, second: number | null): Pick<Pair, "first" | "second" | "change" | "ratio" | "within"> {
  return { first, second, change: (second ?? 0) - (first ?? 0), ratio: first && second ? second / first : null, within: false };
}

const size = (pair: Pair): number => Math.abs(pair.change ?? 0);

function pairTable(name: string, rows: Pair[], unit: string, labels: [string, string]): HTMLElement {
  const largest = Math.max(...rows.map((pair) => size(pair)), 0);
  const tested = rows.some((pair) => pair.p !== undefined);
  const texts = (title: string, of: (pair: Pair) => string): TableColumn<Pair> => ({ title, numeric: false, cell: (pair) => ({ text: of(pair), value: of(pair), title: of(pair) }) });
  const number = (title: string, of: (pair: Pair) => number | null): TableColumn<Pair> => ({ title, numeric: true, cell: (pair) => ({ text: of(pair) === null ? "" : text(of(pair), unit), value: of(pair), title: exact(of(pair), unit) }) });
  const times = (value: number): string => value.toPrecision(3);
  return table<Pair>({
    name,
    rows: tested ? rows : [...rows].sort((a, b) => size(b) - size(a)),
    dim: (pair) => pair.within,
    filter: { label: "Filter by path or type", text: (pair) => `${pair.name} ${pair.type} ${pair.verdict}` },
    columns: [
      texts("path", (pair) => pair.name),
      ...(tested ? [] : [texts("type", (pair) => pair.type)]),
      number(labels[0], (pair) => pair.first),
      number(labels[1], (pair) => pair.second),
      { title: "difference", numeric: true, cell: (pair) => ({ text: `${size(pair) > 0 && pair.change === size(pair) ? "+" : ""}${text(pair.change, unit)}`, value: pair.change, title: exact(pair.change, unit), bar: largest > 0 ? size(pair) / largest : 0 }) },
      { title: "ratio", numeric: true, cell: (pair) => ({ text: pair.ratio === null ? "" : `× ${times(pair.ratio)}`, value: pair.ratio, title: exact(pair.ratio, "1") }) },
      ...(tested ? [{
        title: "95 % interval", hint: "Of the ratio; it holds the noise, too", numeric: false,
        cell: ({ low, high }: Pair) => (typeof low === "number" && typeof high === "number" ? { text: `${times(low)} to ${times(high)}`, value: low, title: `${low} to ${high}` } : { text: "", value: null }),
      }] : []),
      texts(tested ? "larger than the noise?" : "intervals", (pair) => pair.verdict),
      texts("how", (pair) => pair.how),
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
  return [...new Set([...a.keys(), ...b.keys()])].map((type) => ({ name: type, type, ...untested(a.get(type) ?? null, b.get(type) ?? null), verdict: "", how: "" }));
}

function changeChart(title: string, rows: Pair[], unit: string, labels: [string, string]): HTMLElement | null {
  const drawn = rows.filter((pair) => size(pair) > 0).sort((a, b) => size(b) - size(a)).slice(0, kMostBars);
  if (drawn.length === 0) return null;
  const scale = scaleFor(Math.max(...drawn.map((pair) => size(pair))), unit);
  return figure({
    title,
    caption: `${labels[1]} less ${labels[0]}, sums over all calls: bars to the right are more${rows.some((pair) => pair.p !== undefined) ? ", grey ones are within the noise" : ""}. The ${drawn.length} largest of ${rows.length}.`,
    rows: () => [["type", `${labels[0]} (${unit})`, `${labels[1]} (${unit})`, `difference (${unit})`], ...rows.map((pair) => [pair.name, pair.first, pair.second, pair.change])],
    draw: (width) =>
      chart({
        width,
        height: 60 + 22 * drawn.length,
        marginLeft: Math.min(160, width / 3),
        x: { label: `${scale.unit} →`, grid: true },
        y: { label: null, domain: drawn.map((pair) => pair.name), tickFormat: (name: string) => fitting(name, Math.min(160, width / 3)) },
        color: { type: "identity" },
        marks: [
          Plot.barX(drawn, { x: (pair: Pair) => (pair.change ?? 0) / scale.factor, y: "name", fill: (pair: Pair) => (pair.within ? kRest : (pair.change ?? 0) > 0 ? "var(--s6)" : "var(--s2)"), tip: true, title: (pair: Pair) => `${pair.name}\n${labels[0]}: ${text(pair.first, unit)}\n${labels[1]}: ${text(pair.second, unit)}${pair.verdict && `\n${pair.verdict}`}` }),
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
    const tested = isTested(chosen.key) ? differencesOf(data.comparison, firstItem.label, secondItem.label) : undefined;
    const modules = tested ? testedPairs(tested, chosen.key, kPartLevels) : pairs(first, second, chosen.key, Kind.Module);
    const types = tested ? testedPairs(tested, chosen.key, kTypeLevels) : typePairs(firstItem, secondItem, chosen.key);
    const base = data.comparison?.differences?.[0]?.first;
    const note = tested ? noiseText(tested) : isTested(chosen.key) && base !== undefined ? `Only differences from ${shown(base)}, the first profile, are tested against the noise.` : "";
    const bars = changeChart(`${column.title} by type of operator: what changed`, types, column.unit, labels);
    place.replaceChildren(...[note ? el("p", { class: "noise" }, note) : null, bars, tested && types.length > 0 ? el("h3", { class: "section" }, `${column.title} by type of operator`) : null, tested && types.length > 0 ? pairTable("types compared", types, column.unit, labels) : null,
      el("h3", { class: "section" }, `${column.title} by module, ${tested ? "what is larger than the noise" : "the largest differences"} first`), modules.length > 0 ? pairTable("modules compared", modules, column.unit, labels) : el("p", {}, "They have no modules in common."),
      el("h3", { class: "section" }, `${column.title} by operator`), pairTable("operators compared", pairs(first, second, chosen.key, Kind.Operator), column.unit, labels)].filter((one): one is HTMLElement => one !== null));
  };
  const havePairs = items.length > 1;
  if (havePairs) show();
  const { comparison } = data;
  return el("div", {},
    comparison ? el("section", {}, el("h3", { class: "section" }, "The differences that matter first"), metricTable(comparison), ...comparison.notes.map((note) => el("p", { class: "note" }, shown(note)))) : null,
    ...(havePairs ? [el("h3", { class: "section" }, "Where they differ"), pickers, place] : []));
}
