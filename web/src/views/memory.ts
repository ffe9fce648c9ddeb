import * as Plot from "@observablehq/plot";
import type { Item, Memory, PeakTensor } from "../data";
import { el, shown } from "../dom";
import { chart, figure } from "../figure";
import { exact, quantityText, scaleFor, share, text } from "../numbers";
import { table } from "../table";

function curve(memory: Memory): HTMLElement {
  const points = memory.steps.map((step, i) => ({ step, bytes: memory.alive[i] ?? 0 }));
  const peak = memory.peak.value ?? 0;
  const scale = scaleFor(peak, "B");
  const { step } = memory.peak_operator;
  const thinned = memory.steps.length < memory.operators ? ` Each of the ${memory.steps.length} points is the largest of its stretch of operators.` : "";
  return figure({
    title: "Activations alive along the run",
    caption: `Bytes of inputs, outputs and everything between that must be kept while an operator runs (${memory.peak.provenance ?? "unknown"}); weights come on top.${thinned}`,
    rows: () => [["operator number", "bytes"], ...points.map((point) => [point.step, point.bytes])],
    draw: (width) =>
      chart({
        width,
        height: 280,
        marginLeft: 54,
        x: { label: "operators in the order of the run →" },
        y: { label: `↑ ${scale.unit}`, grid: true },
        marks: [
          Plot.areaY(points, { x: "step", y: (point: { bytes: number }) => point.bytes / scale.factor, fill: "var(--s0)", fillOpacity: 0.3, curve: "step" }),
          Plot.lineY(points, { x: "step", y: (point: { bytes: number }) => point.bytes / scale.factor, stroke: "var(--s0)", curve: "step" }),
          Plot.dot([{ step, bytes: peak }], { x: "step", y: (point: { bytes: number }) => point.bytes / scale.factor, fill: "var(--s6)", r: 5 }),
          Plot.ruleX(points, Plot.pointerX({ x: "step", stroke: "var(--muted)" })),
          Plot.tip(points, Plot.pointerX({ x: "step", y: (point: { bytes: number }) => point.bytes / scale.factor, title: (point: { step: number; bytes: number }) => `operator ${point.step + 1}\n${text(point.bytes, "B")} alive` })),
        ],
      }),
  });
}

function tensors(memory: Memory): HTMLElement {
  const peak = memory.peak.value ?? 0;
  const largest = memory.peak_tensors[0]?.bytes ?? 0;
  return table<PeakTensor>({
    name: "tensors alive at the peak",
    rows: memory.peak_tensors,
    sortedBy: 2,
    filter: { label: "Filter tensors", text: (row) => `${row.name} ${row.made_by} ${row.type}` },
    columns: [
      { title: "tensor", numeric: false, cell: (row) => ({ text: shown(row.name), value: shown(row.name), title: shown(row.name) }) },
      { title: "type and shape", numeric: false, cell: (row) => ({ text: shown(row.type), value: shown(row.type) }) },
      { title: "bytes", how: "counted", numeric: true, cell: (row) => ({ text: text(row.bytes, "B"), value: row.bytes, title: exact(row.bytes, "B"), bar: largest > 0 ? row.bytes / largest : 0 }) },
      { title: "share", numeric: true, cell: (row) => ({ text: share(row.bytes, peak), value: row.bytes }) },
      { title: "made by", numeric: false, cell: (row) => ({ text: shown(row.made_by), value: shown(row.made_by), title: shown(row.made_by) }) },
    ],
  });
}

export function memoryView(item: Item): HTMLElement | null {
  const { memory } = item;
  if (!memory) return null;
  const { name, type, step } = memory.peak_operator;
  return el("div", {},
    el("div", { class: "tiles" },
      el("div", { class: "tile" }, el("span", { class: "tile-name" }, "Peak of activations"), el("b", { title: exact(memory.peak.value, "B") }, quantityText(memory.peak)), el("span", { class: "how" }, memory.peak.provenance ?? "unknown")),
      el("div", { class: "tile" }, el("span", { class: "tile-name" }, "Weights"), el("b", { title: exact(memory.weights.value, "B") }, quantityText(memory.weights)), el("span", { class: "how" }, memory.weights.provenance ?? "unknown"))),
    el("p", {}, `The peak is at operator ${(step + 1).toLocaleString("en")} of ${memory.operators.toLocaleString("en")}: `, el("b", {}, shown(name)), ` (${shown(type)}).`,
      memory.complete ? "" : " Sizes of some tensors depend on data: the true peak is at least this."),
    curve(memory),
    el("h3", { class: "section" }, "Alive at the peak"),
    tensors(memory),
    memory.other_tensors.count > 0 ? el("p", { class: "note" }, `${memory.other_tensors.count} smaller tensors hold ${text(memory.other_tensors.bytes, "B")} together.`) : null);
}
