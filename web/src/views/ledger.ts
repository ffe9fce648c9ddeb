import * as Plot from "@observablehq/plot";
import type { Item, Ledger, LedgerLine, Quantity } from "../data";
import { el } from "../dom";
import { chart, figure, legend, seriesColour } from "../figure";
import { exact, quantityText, range, scaleFor, share, text } from "../numbers";

function cells(one: Quantity | null, whole: number | null | undefined): HTMLElement[] {
  if (!one) return [el("td", {}), el("td", {}), el("td", {}), el("td", {})];
  return [
    el("td", { class: "number", title: exact(one.value, one.unit) }, quantityText(one)),
    el("td", { class: "interval" }, range(one.low, one.high, one.unit)),
    el("td", { class: "number" }, share(one.value, whole)),
    el("td", { class: "how" }, one.provenance ?? ""),
  ];
}

function accountTable(ledger: Ledger): HTMLElement {
  const whole = ledger.lines.find((one) => one.role === "whole");
  const head = el("tr", {}, el("th", { scope: "col" }, ""), ...["time", "interval", "share", "how", "energy", "interval", "share", "how"].map((title) => el("th", { scope: "col" }, title)), el("th", { scope: "col" }, "what it is"));
  const line = (one: LedgerLine): HTMLElement =>
    el("tr", { class: `role-${one.role}` }, el("th", { scope: "row" }, one.name), ...cells(one.time, whole?.time?.value), ...cells(one.energy, whole?.energy?.value), el("td", {}, one.note));
  const attribution = el("tr", { class: "role-whole" }, el("th", { scope: "row" }, "Attribution"),
    el("td", { class: "number", title: exact(ledger.attribution_time.value, "share") }, quantityText(ledger.attribution_time)), el("td", {}), el("td", {}), el("td", { class: "how" }, ledger.attribution_time.provenance ?? ""),
    el("td", { class: "number", title: exact(ledger.attribution_energy.value, "share") }, quantityText(ledger.attribution_energy)), el("td", {}), el("td", {}), el("td", { class: "how" }, ledger.attribution_energy.provenance ?? ""),
    el("td", {}, "the share of the whole that the operators explain"));
  return el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Ledger" }, el("table", { class: "ledger" }, el("thead", {}, head), el("tbody", {}, ...ledger.lines.map(line), attribution)));
}

interface Piece {
  name: string;
  from: number;
  to: number;
  value: number;
  colour: string;
  row: string;
}

/** Parts end to end, and the whole under them. A negative remainder reaches back. */
function pieces(ledger: Ledger, of: (line: LedgerLine) => Quantity | null): Piece[] {
  let at = 0;
  const found: Piece[] = [];
  for (const line of ledger.lines) {
    const value = of(line)?.value;
    if (value === null || value === undefined || line.role === "sum") continue;
    if (line.role === "whole") {
      found.push({ name: line.name, from: 0, to: value, value, colour: "var(--plain-strong)", row: "whole" });
      continue;
    }
    found.push({ name: line.name, from: Math.min(at, at + value), to: Math.max(at, at + value), value, colour: line.role === "remainder" ? "var(--rest)" : seriesColour(found.filter((one) => one.row === "parts").length), row: "parts" });
    at += value;
  }
  return found;
}

function balance(ledger: Ledger, title: string, unit: string, of: (line: LedgerLine) => Quantity | null): HTMLElement | null {
  const drawn = pieces(ledger, of);
  const whole = drawn.find((one) => one.row === "whole");
  if (!whole || drawn.length < 2) return null;
  const scale = scaleFor(whole.value, unit);
  const how = [...new Set(ledger.lines.map((line) => of(line)?.provenance).filter(Boolean))].join(", ");
  return figure({
    title,
    caption: `The parts, end to end, above the whole model as it was measured by itself (${how}).`,
    rows: () => [["part", `${unit}`, "share (%)"], ...drawn.map((one) => [one.name, one.value, (100 * one.value) / whole.value])],
    draw: (width) =>
      el("div", {},
        chart({
          width,
          height: 130,
          marginLeft: 50,
          x: { label: `${scale.unit} →`, grid: true },
          y: { label: null, domain: ["parts", "whole"] },
          color: { type: "identity" },
          marks: [Plot.barX(drawn, { x1: (one: Piece) => one.from / scale.factor, x2: (one: Piece) => one.to / scale.factor, y: "row", fill: "colour", insetLeft: 0.5, insetRight: 0.5, tip: true, title: (one: Piece) => `${one.name}: ${text(one.value, unit)}, ${share(one.value, whole.value)} of the whole` })],
        }),
        legend(drawn.map(({ name, colour }) => ({ name, colour })))),
  });
}

export function ledgerView(item: Item): HTMLElement | null {
  const { ledger } = item;
  if (!ledger) return null;
  const figures = [balance(ledger, "Time: parts and whole", "s", (line) => line.time), balance(ledger, "Energy: parts and whole", "J", (line) => line.energy)];
  return el("div", {}, accountTable(ledger), el("div", { class: "figures" }, ...figures.filter((one): one is HTMLElement => one !== null)), ...ledger.explanation.map((sentence) => el("p", { class: "note" }, sentence)));
}
