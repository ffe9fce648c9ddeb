import * as Plot from "@observablehq/plot";
import { Kind, type Item, type Phase } from "../data";
import { choice, el } from "../dom";
import { chart, figure, legend, seriesColour } from "../figure";
import { exact, scaleFor, share, text } from "../numbers";
import { table, type TableColumn } from "../table";
import { TreeModel } from "../tree_model";

type Quantity = "time" | "energy";
const kUnits = { time: "s", energy: "J" };
const kMostRows = 30;

/** Modules of the deepest level that still fits. */
function modulesToShow(model: TreeModel): number[] {
  let rows = [0];
  for (;;) {
    const next = rows.flatMap((row) => {
      const inside = (model.children[row] ?? []).filter((child) => model.kind(child) === Kind.Module);
      return inside.length > 0 ? inside : [row];
    });
    if (next.length > kMostRows || next.length === rows.length) return rows;
    rows = next;
  }
}

function sum(phases: Phase[], quantity: Quantity, row: number): number | null {
  const known = phases.map((phase) => phase[quantity][row]).filter((value): value is number => typeof value === "number");
  return known.length > 0 ? known.reduce((a, b) => a + b, 0) : null;
}

function bars(model: TreeModel, phases: Phase[], quantity: Quantity, how: string): HTMLElement {
  const rows = modulesToShow(model);
  const label = (row: number): string => model.pathText(row) || model.name(row);
  const pieces = rows.flatMap((row) => phases.map((phase, i) => ({ row: label(row), phase: phase.name, colour: seriesColour(i), value: phase[quantity][row] ?? 0 }))).filter((piece) => piece.value > 0);
  const largest = Math.max(...rows.map((row) => sum(phases, quantity, row) ?? 0), 0);
  const unit = kUnits[quantity];
  const scale = scaleFor(largest, unit);
  return figure({
    title: `${quantity === "time" ? "Time" : "Energy"} of one training step by module and phase`,
    caption: `What the operators of each phase add up to (${how}).`,
    rows: () => [["module", ...phases.map((phase) => `${phase.name} (${unit})`)], ...rows.map((row) => [label(row), ...phases.map((phase) => phase[quantity][row] ?? null)])],
    draw: (width) => {
      const left = Math.min(190, width / 3);
      // The ends of paths tell more than their beginnings.
      const letters = Math.floor((left - 8) / 7);
      return el("div", {},
        chart({
          width,
          height: 60 + 24 * rows.length,
          marginLeft: left,
          x: { label: `${scale.unit} →`, grid: true },
          y: { label: null, domain: rows.map(label), tickFormat: (name: string) => (name.length > letters ? `…${name.slice(1 - letters)}` : name) },
          color: { type: "identity" },
          marks: [Plot.barX(pieces, { x: (piece: { value: number }) => piece.value / scale.factor, y: "row", fill: "colour", order: null, insetRight: 0.5, tip: true, title: (piece: (typeof pieces)[number]) => `${piece.row}\n${piece.phase}: ${text(piece.value, unit)}` })],
        }),
        legend(phases.map((phase, i) => ({ name: phase.name, colour: seriesColour(i) }))));
    },
  });
}

function moduleTable(model: TreeModel, phases: Phase[], quantity: Quantity, how: string): HTMLElement {
  const unit = kUnits[quantity];
  const whole = sum(phases, quantity, 0);
  const rows = Array.from({ length: model.size }, (_, row) => row).filter((row) => model.kind(row) !== Kind.Operator);
  const value = (title: string, of: (row: number) => number | null): TableColumn<number> => ({
    title, how, numeric: true, cell: (row) => ({ text: text(of(row), unit), value: of(row), title: exact(of(row), unit) }),
  });
  return table<number>({
    name: "phases by module",
    rows,
    filter: { label: "Filter modules", text: (row) => `${model.pathText(row)} ${model.type(row)}` },
    columns: [
      { title: "module", numeric: false, cell: (row) => ({ text: model.pathText(row) || model.name(row), value: row, title: model.pathText(row) }) },
      { title: "type", numeric: false, cell: (row) => ({ text: model.type(row), value: model.type(row) }) },
      value("all", (row) => sum(phases, quantity, row)),
      { title: "share", numeric: true, cell: (row) => ({ text: share(sum(phases, quantity, row), whole), value: sum(phases, quantity, row) }) },
      ...phases.map((phase) => value(phase.name, (row) => phase[quantity][row] ?? null)),
    ],
  });
}

export function trainingView(item: Item): HTMLElement | null {
  const phases = item.tree?.phases;
  if (!item.tree || !phases || phases.length === 0) return null;
  const model = new TreeModel(item.tree);
  const place = el("div", {});
  const show = (quantity: Quantity): void => {
    const how = model.column(quantity)?.how.join(", ") ?? "unknown";
    place.replaceChildren(bars(model, phases, quantity, how), moduleTable(model, phases, quantity, how));
  };
  show("time");
  const hasEnergy = phases.some((phase) => phase.energy.some((value) => value !== null));
  const choices = [{ value: "time", text: "Time" }, ...(hasEnergy ? [{ value: "energy", text: "Energy" }] : [])];
  return el("div", {}, el("div", { class: "controls" }, choice("Quantity", choices, "time", (value) => show(value as Quantity))), place);
}
