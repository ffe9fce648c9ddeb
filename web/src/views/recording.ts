import * as Plot from "@observablehq/plot";
import type { Item, RecordedCurve, RecordedPlot, RecordedRun } from "../data";
import { el, shown } from "../dom";
import { chart, figure, legend, seriesColour } from "../figure";
import { exact, quantityText, text } from "../numbers";
import { table } from "../table";

interface Point {
  time: number;
  value: number | null;
  low: number | null;
  high: number | null;
}

/** Both ends of every span; where time passes without a value, the line is broken. */
function pointsOf(curve: RecordedCurve): Point[] {
  const points: Point[] = [];
  let last = Number.NEGATIVE_INFINITY;
  curve.begin.forEach((begin, i) => {
    const end = curve.end[i] ?? begin;
    const value = curve.value[i] ?? null;
    const one = { value, low: curve.low?.[i] ?? value, high: curve.high?.[i] ?? value };
    if (points.length > 0 && begin > last + 1e-6 * (1 + Math.abs(last))) points.push({ time: last, value: null, low: null, high: null });
    points.push({ time: begin, ...one }, { time: end, ...one });
    last = end;
  });
  return points;
}

function plotFigure(plot: RecordedPlot): HTMLElement {
  const curves = plot.curves.map((curve, i) => ({ curve, name: shown(curve.name), colour: seriesColour(i), points: pointsOf(curve) }));
  const ways = [...new Set(plot.curves.map((curve) => curve.provenance))].join(", ");
  const thinned = plot.curves.some((curve) => curve.low !== undefined);
  return figure({
    title: plot.title,
    caption: `Over the recorded time, runs one behind the other; ${ways || "unknown"}.${thinned ? " Lines are means, bands reach from the lowest to the highest value." : ""}`,
    rows: () => [["curve", "from (s)", "to (s)", plot.unit, "lowest", "highest", "how"], ...plot.curves.flatMap((curve) => curve.begin.map((begin, i) => [curve.name, begin, curve.end[i], curve.value[i], curve.low?.[i], curve.high?.[i], curve.provenance]))],
    draw: (width) =>
      el("div", {},
        chart({
          width,
          height: 260,
          marginLeft: 56,
          x: { label: "time (s) →", domain: [0, Math.max(plot.end, 1e-9)], grid: true },
          y: { label: `↑ ${plot.unit}`, zero: true, grid: true, nice: true },
          marks: [
            ...curves.flatMap(({ points, colour }) => [
              ...(thinned ? [Plot.areaY(points, { x: "time", y1: "low", y2: "high", fill: colour, fillOpacity: 0.22 })] : []),
              Plot.lineY(points, { x: "time", y: "value", stroke: colour, strokeWidth: 1.6 }),
            ]),
            Plot.ruleY([0], { stroke: "var(--line)" }),
          ],
        }),
        curves.length > 1 ? legend(curves) : null),
  });
}

function runTable(runs: RecordedRun[]): HTMLElement {
  const cell = (quantity: RecordedRun["time"]) => ({ text: quantityText(quantity), value: quantity.value, title: `${exact(quantity.value, quantity.unit)}, ${quantity.provenance ?? "unknown"}` });
  const ways = (of: (run: RecordedRun) => RecordedRun["time"]): string => [...new Set(runs.map((run) => of(run).provenance).filter(Boolean))].join(", ");
  return table<RecordedRun>({
    name: "runs",
    rows: runs,
    columns: [
      { title: "run", numeric: true, cell: (run) => ({ text: String(run.number), value: run.number }) },
      { title: "command", numeric: false, cell: (run) => ({ text: shown(run.command), value: shown(run.command) }) },
      { title: "began", numeric: false, cell: (run) => ({ text: shown(run.began).slice(0, 19), value: shown(run.began) }) },
      { title: "ended", numeric: false, cell: (run) => ({ text: shown(run.end), value: shown(run.end) }) },
      { title: "time", how: "measured", numeric: true, cell: (run) => cell(run.time) },
      { title: "energy", how: ways((run) => run.energy), numeric: true, cell: (run) => cell(run.energy) },
      { title: "mean power", how: ways((run) => run.power), numeric: true, cell: (run) => ({ ...cell(run.power), text: text(run.power.value, "W") }) },
    ],
  });
}

export function recordingView(item: Item): HTMLElement | null {
  const { recording } = item;
  if (!recording) return null;
  return el("div", {},
    el("div", { class: "figures" }, ...recording.plots.map(plotFigure)),
    recording.runs.length > 0 ? runTable(recording.runs) : null);
}
