import * as Plot from "@observablehq/plot";
import type { CrossValidation, Fold, Item, LevelErrors } from "../data";
import { el, shown } from "../dom";
import { chart, figure, fitting, legend, seriesColour } from "../figure";
import { table } from "../table";

const kLevels: { key: keyof LevelErrors; title: string; what: string }[] = [
  { key: "ml", title: "operators", what: "single operators" },
  { key: "module", title: "modules", what: "parts of models" },
  { key: "model", title: "models", what: "whole models" },
];

interface Row {
  name: string;
  errors: Partial<LevelErrors>;
}

const per = (value: number | null | undefined): string => (value === null || value === undefined ? "" : `${value.toFixed(1)} %`);

function dots(title: string, caption: string, rows: Row[], mark: number | null): HTMLElement | null {
  const points = rows.flatMap((row) => kLevels.map((level, i) => ({ name: row.name, level: level.title, colour: seriesColour(i), value: row.errors[level.key] ?? null }))).filter((point): point is typeof point & { value: number } => point.value !== null);
  if (points.length === 0) return null;
  return figure({
    title,
    caption,
    rows: () => [["left out", ...kLevels.map((level) => `${level.title} (%)`)], ...rows.map((row) => [row.name, ...kLevels.map((level) => row.errors[level.key] ?? null)])],
    draw: (width) =>
      el("div", {},
        chart({
          width,
          height: 60 + 26 * rows.length,
          marginLeft: Math.min(170, width / 3),
          x: { label: "per cent →", grid: true, zero: mark === null },
          y: { label: null, domain: rows.map((row) => row.name), tickFormat: (name: string) => fitting(name, Math.min(170, width / 3)) },
          color: { type: "identity" },
          marks: [
            ...(mark === null ? [Plot.ruleX([0])] : [Plot.ruleX([mark], { stroke: "var(--s6)", strokeDasharray: "4 3", strokeWidth: 1.5 })]),
            Plot.ruleY(rows, { y: "name", stroke: "var(--line)" }),
            Plot.dot(points, { x: "value", y: "name", fill: "colour", r: 6, stroke: "var(--surface)", tip: true, title: (point: (typeof points)[number]) => `${point.name}\n${point.level}: ${per(point.value)}` }),
          ],
        }),
        legend(kLevels.map((level, i) => ({ name: `${level.title}: ${level.what}`, colour: seriesColour(i) })))),
  });
}

function nameOf(fold: Fold): string {
  return shown(fold.left_out ?? fold.type ?? "");
}

function foldTable(report: CrossValidation, folds: Fold[], first: string): HTMLElement {
  const all: Fold = { left_out: "overall", ...report.overall, ...(report.overall_time && { time: report.overall_time }), coverage: report.intervals.coverage };
  const column = (title: string, of: (fold: Fold) => number | null | undefined) => ({ title, numeric: true, cell: (fold: Fold) => ({ text: per(of(fold)), value: of(fold) ?? null }) });
  const columns = kLevels.flatMap(({ key, title }) => [column(`energy, ${title}`, (fold) => fold[key]), column(`time, ${title}`, (fold) => fold.time?.[key]), column(`inside, ${title}`, (fold) => fold.coverage?.[key])]);
  return table<Fold>({
    name: "cross-validation",
    rows: [...folds, all],
    columns: [{ title: first, numeric: false, cell: (fold) => ({ text: nameOf(fold), value: nameOf(fold) }) }, ...columns.filter((one) => [...folds, all].some((fold) => one.cell(fold).value !== null))],
  });
}

export function crossvalidationView(item: Item): HTMLElement | null {
  const report = item.crossvalidation;
  if (!report) return null;
  const types = report.operator_types ?? [];
  const folds = types.length > 0 ? types : report.folds;
  const rows = (of: (fold: Fold) => Partial<LevelErrors> | undefined): Row[] => folds.map((fold) => ({ name: nameOf(fold), errors: of(fold) ?? {} }));
  const level = 100 * report.intervals.level;
  const energies = report.energy_provenance === "estimated" ? "the true ones are estimates, not measured" : `the true ones are ${report.energy_provenance}`;
  const figures = [
    dots("Error of the predicted energy", `Mean absolute error for what the predictor had not seen; ${energies}.`, rows((fold) => fold), null),
    dots("Error of the predicted time", "Mean absolute error for what the predictor had not seen.", rows((fold) => fold.time), null),
    dots(`Inside their ${level.toFixed(0)} % interval`, `How many energies lie inside the interval that was predicted for them. It should be about ${level.toFixed(0)} %, the dashed line.`, rows((fold) => fold.coverage), level),
  ];
  return el("div", {},
    el("p", {}, `Method: ${shown(report.method)}. A prediction looks at: ${shown(report.predictions_look_at ?? report.features)}.`),
    el("div", { class: "figures" }, ...figures.filter((one): one is HTMLElement => one !== null)),
    el("h3", { class: "section" }, "All numbers"),
    foldTable(report, folds, types.length > 0 ? "operator type" : "left out"),
    el("p", { class: "note" }, `Mean width of the intervals: ${kLevels.map(({ key, title }) => `${title} ${per(report.intervals.width[key]) || "?"}`).join(", ")}.`));
}
