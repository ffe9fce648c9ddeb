import * as Plot from "@observablehq/plot";
import type { Column, Item } from "../data";
import { choice, el } from "../dom";
import { chart, figure, fitting, kRest, legend, plainTick, seriesColour } from "../figure";
import { exact, howOf, lowered, scaleFor, share, text } from "../numbers";
import { columnOf, operatorRows, total, typeTotals, type OperatorRows } from "../operator_rows";
import { table, type TableColumn } from "../table";

const kCosts = ["time", "energy", "predicted_time", "predicted_energy", "flops", "macs", "bytes", "params"];
const kLargestTypes = 15;

function typeColours(rows: OperatorRows, column: Column): Map<string, string> {
  return new Map(typeTotals(rows, column).map(({ type }, i) => [type, seriesColour(i)]));
}

function colourLegend(colours: Map<string, string>): HTMLElement {
  const named = [...colours].filter(([, colour]) => colour !== kRest).map(([name, colour]) => ({ name: name || "(no type)", colour }));
  return legend(named.length < colours.size ? [...named, { name: `${colours.size - named.length} more types`, colour: kRest }] : named);
}

function sumOf(rows: OperatorRows, column: Column): number {
  let sum = 0;
  for (let row = 0; row < rows.size; ++row) sum += total(rows, column, row) ?? 0;
  return sum;
}

function valueColumn(rows: OperatorRows, column: Column, hint: string): TableColumn<number> {
  return {
    title: lowered(column.title),
    hint,
    how: column.how.length === 1 ? (column.how[0] ?? "") : "various",
    numeric: true,
    cell: (row) => ({ text: text(column.values[row], column.unit), value: column.values[row] ?? null, title: `${exact(column.values[row], column.unit)}, ${howOf(column, row) || rows.note(row) || "unknown"}` }),
  };
}

function operatorTable(rows: OperatorRows, cost: Column): HTMLElement {
  const all = sumOf(rows, cost);
  const largest = Math.max(...rows.columns[0]?.values.map((_, row) => total(rows, cost, row) ?? 0) ?? [0]);
  const grouped = rows.count.some((count) => count > 1);
  const columns: TableColumn<number>[] = [
    { title: "type", numeric: false, cell: (row) => ({ text: rows.type(row), value: rows.type(row) }) },
    { title: grouped ? "first" : "operator", hint: "The path of the first operator of this kind", numeric: false, cell: (row) => ({ text: rows.first(row), value: rows.first(row), title: rows.note(row) || rows.first(row) }) },
    ...(grouped ? [{ title: "count", hint: "How often it runs in one run of the model", numeric: true, cell: (row: number) => ({ text: text(rows.count[row], "1"), value: rows.count[row] ?? null }) }] : []),
    { title: `${lowered(cost.title)}, all`, hint: "Of all calls together", numeric: true, cell: (row) => ({ text: text(total(rows, cost, row), cost.unit), value: total(rows, cost, row), title: `${exact(total(rows, cost, row), cost.unit)}, ${howOf(cost, row) || rows.note(row) || "unknown"}`, bar: largest > 0 ? (total(rows, cost, row) ?? 0) / largest : 0 }) },
    { title: "share", hint: "Of the sum of all operators", numeric: true, cell: (row) => ({ text: share(total(rows, cost, row), all), value: total(rows, cost, row) }) },
    { title: "how", hint: "How the number was obtained", numeric: false, cell: (row) => ({ text: howOf(cost, row) || (rows.note(row) ? "failed" : "unknown"), value: howOf(cost, row), title: rows.note(row) }) },
    ...rows.columns.filter((column) => column.values.some((value) => value !== null)).map((column) => valueColumn(rows, column, `Of one call, in ${column.unit === "1" ? "units" : column.unit}`)),
  ];
  return table<number>({
    name: "operators",
    columns,
    rows: Array.from({ length: rows.size }, (_, row) => row),
    sortedBy: grouped ? 3 : 2,
    filter: { label: "Filter by type or path", text: (row) => `${rows.type(row)} ${rows.first(row)} ${rows.note(row)}` },
  });
}

function paretoChart(rows: OperatorRows, cost: Column): HTMLElement {
  const all = sumOf(rows, cost);
  const sorted = Array.from({ length: rows.size }, (_, row) => row).filter((row) => (total(rows, cost, row) ?? 0) > 0).sort((a, b) => (total(rows, cost, b) ?? 0) - (total(rows, cost, a) ?? 0));
  let sum = 0;
  const points = sorted.map((row, i) => ({ rank: i + 1, share: (100 * (sum += total(rows, cost, row) ?? 0)) / all, type: rows.type(row), first: rows.first(row), value: total(rows, cost, row) }));
  const enough = points.find((point) => point.share >= 80)?.rank ?? points.length;
  return figure({
    title: `Pareto curve of ${lowered(cost.title)}`,
    caption: `${enough} of ${points.length} kinds of operators make up 80 % of the ${lowered(cost.title)} of all operators (${cost.how.filter(Boolean).join(", ")}).`,
    rows: () => [["rank", "type", "operator", `${cost.title} (${cost.unit})`, "cumulated share (%)"], ...points.map((one) => [one.rank, one.type, one.first, one.value, one.share])],
    draw: (width) =>
      chart({
        width,
        height: 260,
        x: { label: "kinds of operators, the most costly first →" },
        y: { label: "↑ cumulated share (%)", domain: [0, 100], grid: true },
        marks: [
          Plot.ruleY([80], { stroke: "var(--muted)", strokeDasharray: "4 3" }),
          Plot.areaY(points, { x: "rank", y: "share", fill: "var(--s0)", fillOpacity: 0.15, curve: "step-after" }),
          Plot.lineY(points, { x: "rank", y: "share", stroke: "var(--s0)", strokeWidth: 2, curve: "step-after" }),
          Plot.tip(points, Plot.pointerX({ x: "rank", y: "share", title: (one: (typeof points)[number]) => `${one.rank}. ${one.type}\n${one.first}\n${text(one.value, cost.unit)}\n${one.share.toFixed(1)} % together` })),
        ],
      }),
  });
}

function typeChart(rows: OperatorRows, cost: Column): HTMLElement {
  const types = typeTotals(rows, cost).filter((one) => one.sum > 0);
  const all = types.reduce((sum, one) => sum + one.sum, 0);
  const drawn = types.slice(0, kLargestTypes);
  const scale = scaleFor(drawn[0]?.sum ?? 0, cost.unit);
  return figure({
    title: `${cost.title} by type of operator`,
    caption: `Sums over all calls (${cost.how.filter(Boolean).join(", ")})${types.length > drawn.length ? `; ${types.length - drawn.length} smaller types are left out` : ""}.`,
    rows: () => [["type", `${cost.title} (${cost.unit})`, "share (%)", "calls", "calls with a number"], ...types.map((one) => [one.type, one.sum, (100 * one.sum) / all, one.count, one.measured])],
    draw: (width) =>
      chart({
        width,
        height: 50 + 24 * drawn.length,
        marginLeft: Math.min(150, width / 3),
        x: { label: `${lowered(cost.title)} (${scale.unit}) →`, grid: true },
        y: { label: null, domain: drawn.map((one) => one.type), tickFormat: (type: string) => fitting(type, Math.min(150, width / 3)) },
        marks: [
          Plot.barX(drawn, { x: (one: (typeof drawn)[number]) => one.sum / scale.factor, y: "type", fill: (_one: unknown, i: number) => seriesColour(i), title: (one: (typeof drawn)[number]) => `${one.type}: ${text(one.sum, cost.unit)}, ${share(one.sum, all)} of all operators\n${one.count} calls${one.measured < one.count ? `, ${one.count - one.measured} of them unknown` : ""}`, tip: true }),
        ],
        color: { type: "identity" },
      }),
  });
}

interface Dot {
  row: number;
  x: number;
  y: number;
  weight: number;
}

function rooflineChart(rows: OperatorRows, colours: Map<string, string>): HTMLElement | null {
  const time = columnOf(rows, "time") ?? columnOf(rows, "predicted_time");
  const flops = columnOf(rows, "flops");
  const bytes = columnOf(rows, "bytes");
  if (!time || !flops || !bytes) return null;
  const dots: Dot[] = [];
  let bandwidth = 0;
  for (let row = 0; row < rows.size; ++row) {
    const [t, f, b] = [time.values[row], flops.values[row], bytes.values[row]];
    if (!t || !b) continue;
    bandwidth = Math.max(bandwidth, b / t);
    if (f) dots.push({ row, x: f / b, y: f / t, weight: t * (rows.count[row] ?? 1) });
  }
  if (dots.length < 2) return null;
  const peak = Math.max(...dots.map((dot) => dot.y));
  const [low, high] = [Math.min(...dots.map((dot) => dot.x)) / 1.5, Math.max(...dots.map((dot) => dot.x), peak / bandwidth) * 1.5];
  const ridge = Math.min(high, peak / bandwidth);
  const roof = [{ x: low, y: Math.min(peak, low * bandwidth) }, { x: Math.max(low, ridge), y: Math.min(peak, Math.max(low, ridge) * bandwidth) }, { x: high, y: peak }];
  const scale = scaleFor(peak, "FLOP/s");
  return figure({
    title: "Roofline",
    caption: `One dot per kind of operator, its area is its time (${time.how.filter(Boolean).join(", ")}); FLOPs and bytes are counted. The roof is not that of the machine but the best that any of these operators reached: ${text(peak, "FLOP/s")} and ${text(bandwidth, "B")}/s.`,
    rows: () => [["type", "operator", "FLOPs per byte", "FLOP/s", "time of all calls (s)"], ...dots.map((dot) => [rows.type(dot.row), rows.first(dot.row), dot.x, dot.y, dot.weight])],
    draw: (width) => {
      const picture = chart({
        width,
        height: 340,
        marginLeft: 56,
        inset: 14,
        x: { type: "log", label: "FLOPs per byte moved →", domain: [low, high], grid: true, tickFormat: plainTick },
        y: { type: "log", label: `↑ ${scale.unit}`, grid: true, tickFormat: plainTick },
        r: { range: [2, 16] },
        marks: [
          Plot.line(roof, { x: "x", y: (one: { y: number }) => one.y / scale.factor, stroke: "var(--muted)", strokeDasharray: "5 3", strokeWidth: 1.5 }),
          Plot.dot(dots, { x: "x", y: (dot: Dot) => dot.y / scale.factor, r: "weight", fill: (dot: Dot) => colours.get(rows.type(dot.row)) ?? kRest, fillOpacity: 0.75, stroke: "var(--surface)", tip: true, title: (dot: Dot) => `${rows.type(dot.row)}\n${rows.first(dot.row)}\n${text(dot.y, "FLOP/s")} at ${text(dot.x, "FLOP/B")}\n${text(dot.weight, "s")} in all calls` }),
        ],
        color: { type: "identity" },
      });
      return el("div", {}, picture, colourLegend(colours));
    },
  });
}

function againstChart(rows: OperatorRows, key: string, colours: Map<string, string>): HTMLElement | null {
  const measured = columnOf(rows, key);
  const predicted = columnOf(rows, `predicted_${key}`);
  if (!measured || !predicted) return null;
  const dots: Dot[] = [];
  for (let row = 0; row < rows.size; ++row) {
    const [x, y] = [measured.values[row], predicted.values[row]];
    if (x && y && x > 0 && y > 0) dots.push({ row, x, y, weight: x * (rows.count[row] ?? 1) });
  }
  if (dots.length === 0) return null;
  const ends = [Math.min(...dots.flatMap((dot) => [dot.x, dot.y])) / 1.3, Math.max(...dots.flatMap((dot) => [dot.x, dot.y])) * 1.3];
  const scale = scaleFor(ends[1] ?? 1, measured.unit);
  const word = measured.how.includes("estimated") ? "estimated" : "measured";
  const errors = dots.map((dot) => Math.abs(dot.y / dot.x - 1)).sort((a, b) => a - b);
  const middle = errors[Math.floor(errors.length / 2)] ?? 0;
  return figure({
    title: `${measured.title}: ${word} against predicted`,
    caption: `On the line both are equal. Median error of one operator: ${(100 * middle).toFixed(0)} %.`,
    rows: () => [["type", "operator", `${word} (${measured.unit})`, `predicted (${measured.unit})`], ...dots.map((dot) => [rows.type(dot.row), rows.first(dot.row), dot.x, dot.y])],
    draw: (width) => {
      const picture = chart({
        width,
        height: 340,
        marginLeft: 56,
        inset: 14,
        x: { type: "log", label: `${word} (${scale.unit}) →`, grid: true, tickFormat: plainTick },
        y: { type: "log", label: `↑ predicted (${scale.unit})`, grid: true, tickFormat: plainTick },
        r: { range: [2, 14] },
        marks: [
          Plot.line(ends, { x: (end: number) => end / scale.factor, y: (end: number) => end / scale.factor, stroke: "var(--muted)", strokeDasharray: "5 3" }),
          Plot.dot(dots, { x: (dot: Dot) => dot.x / scale.factor, y: (dot: Dot) => dot.y / scale.factor, r: "weight", fill: (dot: Dot) => colours.get(rows.type(dot.row)) ?? kRest, fillOpacity: 0.75, stroke: "var(--surface)", tip: true, title: (dot: Dot) => `${rows.type(dot.row)}\n${rows.first(dot.row)}\n${word} ${text(dot.x, measured.unit)}, predicted ${text(dot.y, measured.unit)}` }),
        ],
        color: { type: "identity" },
      });
      return el("div", {}, picture, colourLegend(colours));
    },
  });
}

export function operatorsView(item: Item): HTMLElement | null {
  const rows = operatorRows(item);
  if (!rows) return null;
  const costs = kCosts.map((key) => columnOf(rows, key)).filter((one): one is Column => one !== undefined);
  const first = costs[0];
  if (!first) return null;
  const place = el("div", {});
  const show = (cost: Column): void => {
    const colours = typeColours(rows, cost);
    place.replaceChildren(
      operatorTable(rows, cost),
      el("div", { class: "figures" }, ...[typeChart(rows, cost), paretoChart(rows, cost), rooflineChart(rows, colours), againstChart(rows, "time", colours), againstChart(rows, "energy", colours)].filter((one): one is HTMLElement => one !== null)),
    );
  };
  show(first);
  return el("div", {},
    el("div", { class: "controls" }, choice("Quantity", costs.map((one) => ({ value: one.key, text: one.title })), first.key, (key) => show(costs.find((one) => one.key === key) ?? first))),
    place);
}
