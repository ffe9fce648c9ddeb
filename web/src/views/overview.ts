import type { Item, Metric, PageData } from "../data";
import { el, shown } from "../dom";
import { exact, kUnknown, quantityText, range, text } from "../numbers";
import { facts } from "../table";

const kFirst = ["time_s", "energy_j", "power_w", "macs", "params", "memory_bytes", "attribution_time", "accuracy"];

function tile(metric: Metric): HTMLElement {
  return el("div", { class: "tile", "data-metric": metric.name },
    el("span", { class: "tile-name" }, metric.title),
    el("b", { title: exact(metric.value, metric.unit) }, quantityText(metric)),
    el("span", { class: "interval" }, range(metric.low, metric.high, metric.unit)),
    el("span", { class: `how how-${(metric.provenance ?? "").split(" ")[0]}` }, metric.provenance ?? "unknown"));
}

function tiles(item: Item): HTMLElement | null {
  const known = kFirst.map((name) => item.metrics.find((one) => one.name === name && one.value !== null)).filter((one): one is Metric => one !== undefined);
  return known.length > 0 ? el("div", { class: "tiles" }, ...known.slice(0, 8).map(tile)) : null;
}

function latency(item: Item): HTMLElement | null {
  const { latency: one } = item;
  if (!one) return null;
  const values: [string, number][] = [["fastest", one.min], ["median", one.median], ["mean", one.mean], ["90 % within", one.p90], ["99 % within", one.p99], ["slowest", one.max]];
  return el("section", {}, el("h3", {}, `Latency of ${one.runs.toLocaleString("en")} single runs`),
    el("div", { class: "row" }, ...values.map(([name, value]) => el("span", { class: "pair", title: exact(value, "s") }, el("small", {}, name), text(value, "s")))), el("p", { class: "how" }, "measured"));
}

/** What studies have in the place of metrics. */
function studyLines(item: Item): string[] {
  const per = (value: number | null | undefined): string => (typeof value === "number" ? `${value.toFixed(1)} %` : kUnknown);
  const models = (item.sweep?.models ?? []).map((model) => {
    const runs = model.formats.reduce((sum, format) => sum + format.runs, 0);
    return `${shown(model.model)}: ${model.formats.length} sizes (${shown(model.size)}), ${runs} runs`;
  });
  const { crossvalidation: cv } = item;
  if (!cv) return models;
  return [...models, `Mean absolute error of whole models that were left out: energy ${per(cv.overall.model)}${cv.overall_time ? `, time ${per(cv.overall_time.model)}` : ""}`];
}

function metricTable(item: Item): HTMLElement {
  const rows = item.metrics.map((metric) =>
    el("tr", { "data-metric": metric.name }, el("th", { scope: "row" }, metric.title), el("td", { class: "number", title: exact(metric.value, metric.unit) }, quantityText(metric)), el("td", { class: "interval" }, range(metric.low, metric.high, metric.unit)), el("td", { class: "how" }, metric.provenance ?? "")));
  return el("details", {}, el("summary", {}, "All metrics"), el("table", { class: "facts" }, el("tbody", {}, ...rows)));
}

function card(item: Item): HTMLElement {
  return el("section", { class: "card" },
    el("h2", {}, shown(item.label)),
    el("p", { class: "kind" }, `${item.kind} · `, el("code", {}, shown(item.source))),
    ...item.warnings.map((one) => el("p", { class: "warning" }, shown(one))),
    ...studyLines(item).map((line) => el("p", {}, line)),
    tiles(item), latency(item),
    item.metrics.length > 0 ? metricTable(item) : null,
    item.facts.length > 0 ? el("details", {}, el("summary", {}, "How it was made"), facts(item.facts.map(([name, value]) => [shown(name), shown(value)]))) : null,
    item.notes.length > 0 ? el("details", { open: item.notes.length <= 4 }, el("summary", {}, `${item.notes.length} ${item.notes.length === 1 ? "note" : "notes"}`), el("ul", {}, ...item.notes.map((one) => el("li", {}, shown(one))))) : null);
}

export function overview(data: PageData): HTMLElement {
  return el("div", {},
    data.problems.length > 0
      ? el("section", { class: "problems", role: "alert" }, el("h2", {}, "Not everything is shown"), el("ul", {}, ...data.problems.map((one) => el("li", {}, shown(one)))))
      : null,
    ...data.items.map(card),
    el("p", { class: "note" }, "Every number says how it was obtained: counted from the graph, measured by a clock or sensor, estimated by a power model where there is no sensor, predicted by a fitted model, or derived from one of these. Unknown is “?”, never 0."));
}
