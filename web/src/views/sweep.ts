import * as Plot from "@observablehq/plot";
import type { Correlations, Item, Sweep, SweepFormat, SweepModel, SweepSeries } from "../data";
import { choice, el, shown } from "../dom";
import { chart, figure, fitting, legend, seriesColour } from "../figure";
import { exact, lowered, range, scaleFor, text } from "../numbers";
import { facts, table } from "../table";

const kFirst = ["energy_j", "latency_median_s"];
const kAxes = { linear: "linear", log: "logarithmic" };

interface Point {
  size: number;
  median: number;
  q1: number;
  q3: number;
  format: string;
  n: number;
  how: string;
  series: string;
  colour: string;
}

function seriesName(model: SweepModel, series: SweepSeries, several: boolean): string {
  const parts = [several ? shown(model.model) : "", model.series.length > 1 ? `batch ${series.batch ?? "?"}, ${series.threads ?? "?"} threads` : ""];
  return parts.filter(Boolean).join(", ") || shown(model.model);
}

function pointsOf(model: SweepModel, series: SweepSeries, key: string, name: string, colour: string): Point[] {
  const formats = series.formats.map((wanted) => model.formats.find((one) => one.format === wanted));
  return formats.flatMap((format) => {
    const value = format?.quantities[key];
    if (!format || !value || format.size === null || value.median === null) return [];
    return [{ size: format.size, median: value.median, q1: value.q1 ?? value.median, q3: value.q3 ?? value.median, format: shown(format.format), n: value.n, how: value.provenance ?? "unknown", series: name, colour }];
  });
}

function lawText(series: SweepSeries, key: string): string {
  const law = series.laws[key];
  if (!law) return "";
  const two = (value: number): string => value.toFixed(2).replace(/^-0\.00$/, "0.00");
  const known = typeof law.low === "number" && typeof law.high === "number";
  const interval = known ? ` (${two(law.low ?? 0)} to ${two(law.high ?? 0)})` : "";
  const isFlat = known && (law.low ?? 0) <= 0.005 && (law.high ?? 0) >= -0.005;
  const how = isFlat ? "does not clearly depend on the size:" : law.exponent < 0 ? "falls with" : "grows with";
  return `${how} size^${two(law.exponent)}${interval}`;
}

/** What was varied; models may differ in that. */
function sizeName(models: SweepModel[]): string {
  const names = [...new Set(models.map((model) => shown(model.size)))];
  return names.length === 1 ? (names[0] ?? "size") : "size";
}

/** Medians with quartiles of one quantity against the size, for all series of the chosen models. */
function curve(sweep: Sweep, models: SweepModel[], key: string, axes: "linear" | "log"): HTMLElement {
  const { title, unit } = sweep.quantities[key] ?? { title: key, unit: "" };
  const all = models.flatMap((model) => model.series.map((series) => ({ model, series, name: seriesName(model, series, models.length > 1) })));
  const points = all.map(({ model, series, name }, i) => pointsOf(model, series, key, name, seriesColour(i)));
  const flat = points.flat();
  const scale = scaleFor(Math.max(...flat.map((point) => Math.abs(point.q3)), 0), unit);
  const breaks = all.flatMap(({ series, name }, i) => (series.breaks[key]?.breaks ?? []).map((one) => ({ ...one, name, colour: seriesColour(i) })));
  const words = all.map(({ series, name }) => [name, lawText(series, key)]).filter(([, law]) => law).map(([name, law]) => `${name} ${law}`);
  const how = [...new Set(flat.map((point) => point.how))].join(", ");
  const varied = sizeName(models);
  const type = axes === "log" ? ("log" as const) : ("linear" as const);
  return figure({
    title: `${title} against ${varied}`,
    caption: `Medians over runs, with the middle half as a band (${how || "unknown"}). ${words.join("; ")}${words.length > 0 ? "." : ""}${breaks.length > 0 ? " Dashed: break points." : ""}`,
    rows: () => [["series", "format", varied, `median (${unit})`, `first quartile (${unit})`, `third quartile (${unit})`, "runs", "how"], ...flat.map((point) => [point.series, point.format, point.size, point.median, point.q1, point.q3, point.n, point.how])],
    draw: (width) =>
      el("div", {},
        chart({
          width,
          height: 340,
          marginLeft: 60,
          inset: 6,
          x: { label: `${varied} →`, type },
          y: { label: `↑ ${lowered(title)}${scale.unit ? ` (${scale.unit})` : ""}`, grid: true, type, zero: axes === "linear" },
          color: { type: "identity" },
          marks: [
            Plot.ruleX(breaks, { x: "at", stroke: "colour", strokeDasharray: "5 3", strokeWidth: 1.5, tip: true, title: (one: (typeof breaks)[number]) => `${one.name}\n${one.kind === "step" ? "Step" : "Change of slope"} between ${one.after} and ${one.before}${one.jump_share === null ? "" : `\n${(100 * one.jump_share).toFixed(0)} % of the value before`}` }),
            ...points.flatMap((line, i) => [
              Plot.areaY(line, { x: "size", y1: (point: Point) => point.q1 / scale.factor, y2: (point: Point) => point.q3 / scale.factor, fill: seriesColour(i), fillOpacity: 0.25 }),
              Plot.lineY(line, { x: "size", y: (point: Point) => point.median / scale.factor, stroke: seriesColour(i), strokeWidth: 2 }),
            ]),
            Plot.dot(flat, { x: "size", y: (point: Point) => point.median / scale.factor, fill: "colour", r: 4, tip: true, title: (point: Point) => `${point.series}\n${varied} ${point.size}\n${text(point.median, unit)} (${range(point.q1, point.q3, unit)})\n${point.n} runs, ${point.how}` }),
          ],
        }),
        all.length > 1 ? legend(all.map(({ name }, i) => ({ name, colour: seriesColour(i) }))) : null),
  });
}

function heatMap(sweep: Sweep, correlations: Correlations, which: "spearman" | "pearson"): HTMLElement {
  const matrix = correlations[which];
  const title = (key: string): string => sweep.quantities[key]?.title ?? key;
  const names = correlations.quantities;
  const known = names.map((_, i) => i).filter((i) => matrix[i]?.some((value, k) => k !== i && value !== null));
  const step = (value: number): number => Math.min(6, Math.max(0, Math.floor(((value + 1) / 2) * 7)));
  const cells = known.flatMap((i) => known.map((k) => ({ a: title(names[i] ?? ""), b: title(names[k] ?? ""), value: matrix[i]?.[k] ?? null })));
  const label = which === "spearman" ? "Spearman" : "Pearson";
  return figure({
    title: `Correlations (${label})`,
    caption: `Over ${correlations.rows} single runs; 1 rises together, −1 one falls as the other rises. Empty: unknown. Derived from what the runs measured.`,
    rows: () => [["", ...names.map(title)], ...names.map((name, i) => [title(name), ...(matrix[i] ?? [])])],
    draw: (width) => {
      const left = Math.min(190, width * 0.3);
      const short = (name: string): string => fitting(name, left);
      const side = (width - left) / Math.max(1, known.length);
      const steps = Array.from({ length: 7 }, (_, i) => ({ name: `${(-1 + (2 * i) / 7).toFixed(1)} to ${(-1 + (2 * i + 2) / 7).toFixed(1)}`, colour: `var(--d${i})` }));
      return el("div", {}, legend(steps), chart({
        width,
        height: 26 * known.length + Math.min(190, width * 0.3),
        marginLeft: left,
        marginTop: 6,
        marginBottom: Math.min(180, width * 0.3),
        padding: 0.03,
        x: { label: null, tickRotate: -55, domain: known.map((i) => title(names[i] ?? "")), tickFormat: short },
        y: { label: null, domain: known.map((i) => title(names[i] ?? "")), tickFormat: short },
        color: { type: "identity" },
        marks: [
          Plot.cell(cells, { x: "b", y: "a", fill: (cell: { value: number | null }) => (cell.value === null ? "var(--none)" : `var(--d${step(cell.value)})`), tip: true, title: (cell: (typeof cells)[number]) => `${cell.a}\n${cell.b}\n${cell.value === null ? "unknown" : cell.value.toFixed(3)}` }),
          ...(side > 30 ? [Plot.text(cells, { x: "b", y: "a", fill: (cell: { value: number | null }) => `var(--d${step(cell.value ?? 0)}-ink)`, text: (cell: { value: number | null }) => (cell.value === null ? "" : cell.value.toFixed(2)), fontSize: 10.5 })] : []),
        ],
      }));
    },
  });
}

interface Box {
  name: string;
  low: number;
  q1: number;
  median: number;
  q3: number;
  high: number;
  n: number;
}

function boxOf(format: SweepFormat): Box | null {
  const quantiles = format.latencies?.quantiles ?? [];
  if (!format.latencies || quantiles.length === 0) return null;
  const at = (wanted: number): number => quantiles.reduce((best, one) => (Math.abs(one[0] - wanted) < Math.abs(best[0] - wanted) ? one : best))[1];
  return { name: shown(format.format), low: at(0.01), q1: at(0.25), median: at(0.5), q3: at(0.75), high: at(0.99), n: format.latencies.n };
}

function latencies(model: SweepModel): HTMLElement | null {
  const boxes = model.formats.map(boxOf).filter((box): box is Box => box !== null);
  if (boxes.length === 0) return null;
  const scale = scaleFor(Math.max(...boxes.map((box) => box.high)), "s");
  const scaled = (of: (box: Box) => number) => (box: Box): number => of(box) / scale.factor;
  const words = (box: Box): string => `${box.name}\nmedian ${text(box.median, "s")}\nmiddle half ${range(box.q1, box.q3, "s")}\n98 % ${range(box.low, box.high, "s")}\n${box.n.toLocaleString("en")} inferences`;
  return figure({
    title: `Latencies of ${shown(model.model)}`,
    caption: "Each inference timed by itself, measured: the line reaches from the 1st to the 99th percentile, the box holds the middle half.",
    rows: () => [["format", "1 % (s)", "25 % (s)", "50 % (s)", "75 % (s)", "99 % (s)", "inferences"], ...boxes.map((box) => [box.name, box.low, box.q1, box.median, box.q3, box.high, box.n])],
    draw: (width) =>
      chart({
        width,
        height: 60 + 26 * boxes.length,
        marginLeft: Math.min(140, width / 3.5),
        x: { label: `latency (${scale.unit}) →`, grid: true },
        y: { label: null, domain: boxes.map((box) => box.name) },
        marks: [
          Plot.ruleY(boxes, { y: "name", x1: scaled((box) => box.low), x2: scaled((box) => box.high), stroke: "var(--muted)" }),
          Plot.barX(boxes, { y: "name", x1: scaled((box) => box.q1), x2: scaled((box) => box.q3), fill: "var(--s0)", tip: true, title: words }),
          Plot.tickX(boxes, { y: "name", x: scaled((box) => box.median), stroke: "var(--ink)", strokeWidth: 2 }),
        ],
      }),
  });
}

function formatTable(sweep: Sweep, model: SweepModel): HTMLElement {
  const keys = Object.keys(sweep.quantities).filter((key) => key !== "size" && model.formats.some((format) => format.quantities[key]?.median !== undefined && format.quantities[key]?.median !== null));
  const ways = (key: string): string => [...new Set(model.formats.map((format) => format.quantities[key]?.provenance).filter(Boolean))].join(", ");
  return table<SweepFormat>({
    name: `sweep ${shown(model.model)}`,
    rows: model.formats,
    columns: [
      { title: "format", numeric: false, cell: (format) => ({ text: shown(format.format), value: format.size ?? shown(format.format), title: format.failures.map(shown).join("\n") }) },
      { title: "runs", numeric: true, cell: (format) => ({ text: format.runs < format.planned_runs ? `${format.runs} of ${format.planned_runs}` : String(format.runs), value: format.runs }) },
      ...keys.map((key) => {
        const { title, unit } = sweep.quantities[key] ?? { title: key, unit: "" };
        return {
          title: lowered(title), how: ways(key), numeric: true,
          cell: (format: SweepFormat) => {
            const value = format.quantities[key];
            return { text: text(value?.median, unit), value: value?.median ?? null, title: value ? `${exact(value.median, unit)}, middle half ${range(value.q1, value.q3, unit)}, ${value.n} runs` : "unknown" };
          },
        };
      }),
    ],
  });
}

function lawTable(sweep: Sweep, model: SweepModel, series: SweepSeries): HTMLElement {
  const rows = Object.keys(sweep.quantities).filter((key) => series.laws[key] || series.breaks[key]?.breaks.length).map((key): [string, string] => {
    const breaks = (series.breaks[key]?.breaks ?? []).map((one) => `${one.kind === "step" ? "step" : "change of slope"} between ${one.after} and ${one.before}${one.jump_share === null ? "" : ` (${(100 * one.jump_share).toFixed(0)} %)`}`);
    return [sweep.quantities[key]?.title ?? key, [lawText(series, key), ...breaks].filter(Boolean).join("; ")];
  });
  const box = facts(rows);
  return el("section", { class: "card" }, el("h3", {}, `How it grows: ${seriesName(model, series, true)}`), el("p", { class: "how" }, "derived from medians over runs; 95 % intervals"), box);
}

export function sweepView(item: Item): HTMLElement | null {
  const { sweep } = item;
  if (!sweep || sweep.models.length === 0) return null;
  const keys = Object.keys(sweep.quantities).filter((key) => key !== "size" && sweep.models.some((model) => model.formats.some((format) => format.quantities[key]?.median !== null && format.quantities[key] !== undefined)));
  let key = kFirst.find((one) => keys.includes(one)) ?? keys[0] ?? "";
  let axes: "linear" | "log" = "linear";
  let which: "spearman" | "pearson" = "spearman";
  // Sizes of different kinds say little in one chart.
  let chosen = new Set(sweep.models.map((model) => model.size)).size === 1 && sweep.models.length > 1 ? -1 : 0;
  const top = el("div", {});
  const place = el("div", {});
  const models = (): SweepModel[] => (chosen < 0 ? sweep.models : sweep.models.slice(chosen, chosen + 1));
  const showCurve = (): void => top.replaceChildren(curve(sweep, models(), key, axes));
  const show = (): void => {
    showCurve();
    const correlations = chosen < 0 ? sweep.correlations : (sweep.models[chosen]?.correlations ?? null);
    const failures = models().flatMap((model) => model.formats.flatMap((format) => format.failures.map((one) => `${shown(format.format)}: ${shown(one)}`)));
    place.replaceChildren(
      el("div", { class: "figures" }, ...[...models().map(latencies), correlations ? heatMap(sweep, correlations, which) : null].filter((one): one is HTMLElement => one !== null)),
      ...models().flatMap((model) => model.series.map((series) => lawTable(sweep, model, series))),
      ...failures.map((one) => el("p", { class: "warning" }, one)),
      ...models().map((model) => formatTable(sweep, model)));
  };
  show();
  return el("div", {},
    el("div", { class: "controls" },
      sweep.models.length > 1 ? choice("Model", [{ value: "-1", text: "all models" }, ...sweep.models.map((model, i) => ({ value: String(i), text: shown(model.model) }))], String(chosen), (value) => { chosen = Number(value); show(); }) : null,
      choice("Quantity", keys.map((one) => ({ value: one, text: sweep.quantities[one]?.title ?? one })), key, (value) => { key = value; showCurve(); }),
      choice("Axes", Object.entries(kAxes).map(([value, name]) => ({ value, text: name })), axes, (value) => { axes = value as typeof axes; showCurve(); }),
      choice("Correlation", [{ value: "spearman", text: "Spearman (ranks)" }, { value: "pearson", text: "Pearson" }], which, (value) => { which = value as typeof which; show(); })),
    top, place);
}
