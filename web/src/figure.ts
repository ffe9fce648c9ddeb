import * as Plot from "@observablehq/plot";
import { download, standalone } from "./download";
import { el } from "./dom";
import { csv } from "./numbers";

export interface Figure {
  title: string;
  /** What it shows and how its numbers were obtained. */
  caption: string;
  /** Drawn again when the width changes. */
  draw: (width: number) => SVGSVGElement | HTMLElement;
  rows: () => (string | number | null | undefined)[][];
}

const kNarrowest = 280;

function fileName(title: string): string {
  return title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
}

/** A chart with its title, and buttons that save it as a picture and its data as a table. */
export function figure(one: Figure): HTMLElement {
  const place = el("div", { class: "drawing" });
  const saveSvg = () => {
    const drawn = [...place.querySelectorAll("svg")].sort((a, b) => b.clientWidth * b.clientHeight - a.clientWidth * a.clientHeight)[0];
    if (drawn) download(`${fileName(one.title)}.svg`, "image/svg+xml", standalone(drawn));
  };
  const saveCsv = () => download(`${fileName(one.title)}.csv`, "text/csv", csv(one.rows()));
  const box = el(
    "figure",
    {},
    el(
      "div",
      { class: "figure-head" },
      el("h3", {}, one.title),
      el(
        "div",
        { class: "figure-tools" },
        el("button", { type: "button", click: saveSvg, "aria-label": `Save "${one.title}" as SVG` }, "SVG"),
        el("button", { type: "button", click: saveCsv, "aria-label": `Save the data of "${one.title}" as CSV` }, "CSV"),
      ),
    ),
    place,
    el("figcaption", {}, one.caption),
  );
  let width = 0;
  const redraw = () => {
    const now = Math.max(kNarrowest, Math.floor(place.clientWidth));
    if (now === width || place.clientWidth === 0) return;
    width = now;
    const drawn = one.draw(now);
    const picture = drawn instanceof SVGSVGElement ? drawn : drawn.querySelector("svg");
    picture?.setAttribute("role", "img");
    picture?.setAttribute("aria-label", `${one.title}. ${one.caption}`);
    place.replaceChildren(drawn);
  };
  new ResizeObserver(redraw).observe(place);
  return box;
}

/** Settings that all charts share. Colours follow the theme because they are variables of the page. */
export function chart(options: Plot.PlotOptions): SVGSVGElement {
  return Plot.plot({
    marginBottom: 42,
    ...options,
    style: { background: "transparent", fontSize: "12px", fontFamily: "inherit", overflow: "visible", ...(options.style as object) },
  }) as SVGSVGElement;
}

/** Without prefixes: the label of the axis has one. */
export function plainTick(value: number): string {
  return String(Number(value.toPrecision(3)));
}

/** A name that fits a margin of this width. */
export function fitting(name: string, margin: number): string {
  const letters = Math.max(3, Math.floor((margin - 8) / 7));
  return name.length > letters ? `${name.slice(0, letters - 1)}…` : name;
}

/** Where series are told apart by colour; the same order in both themes. */
export const kSeries = ["var(--s0)", "var(--s1)", "var(--s2)", "var(--s3)", "var(--s4)", "var(--s5)", "var(--s6)", "var(--s7)"];
export const kRest = "var(--rest)";

export function seriesColour(index: number): string {
  return index < kSeries.length ? (kSeries[index] ?? kRest) : kRest;
}

/** Swatches with names, beside or under a chart. */
export function legend(entries: { name: string; colour: string }[]): HTMLElement {
  return el(
    "div",
    { class: "legend" },
    ...entries.map(({ name, colour }) => el("span", {}, el("i", { style: `background:${colour}` }), name)),
  );
}
