import type { Column } from "./data";
import { kRatios, type TreeModel } from "./tree_model";
import { kRest, kSeries } from "./figure";
import { text } from "./numbers";

export interface Colouring {
  title: string;
  fill: (row: number) => string;
  ink: (row: number) => string;
  legend: { name: string; colour: string }[];
}

const kSteps = 7;
const kPlain = "var(--plain)";

/** Types of operators in the order of what they add up to, so that the largest ones have colours. */
function typesByWeight(model: TreeModel, weight: Column | undefined): string[] {
  const sums = new Map<string, number>();
  for (let row = 0; row < model.size; ++row) {
    if (model.children[row]?.length) continue;
    const type = model.type(row);
    sums.set(type, (sums.get(type) ?? 0) + Math.max(0, weight?.values[row] ?? 0));
  }
  return [...sums].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0])).map(([type]) => type);
}

export function colouredByType(model: TreeModel, weight: Column | undefined): Colouring {
  const types = typesByWeight(model, weight);
  const index = new Map(types.map((type, i) => [type, i]));
  const place = (row: number): number => index.get(model.type(row)) ?? kSeries.length;
  const inner = (row: number): boolean => (model.children[row]?.length ?? 0) > 0;
  return {
    title: "Operator type",
    fill: (row) => (inner(row) ? kPlain : (kSeries[place(row)] ?? kRest)),
    ink: (row) => (inner(row) ? "var(--ink)" : place(row) < kSeries.length ? `var(--s${place(row)}-ink)` : "var(--rest-ink)"),
    legend: [
      ...types.slice(0, kSeries.length).map((name, i) => ({ name: name || "(no type)", colour: kSeries[i] ?? kRest })),
      ...(types.length > kSeries.length ? [{ name: `${types.length - kSeries.length} more types`, colour: kRest }] : []),
      { name: "modules", colour: kPlain },
    ],
  };
}

function quantile(sorted: number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.round(share * (sorted.length - 1))))] ?? 0;
}

/** By a quantity, in steps of equal ratio; predicted ÷ measured on both sides of 1. */
export function colouredBy(column: Column): Colouring {
  const isRatio = kRatios.includes(column.key);
  const known = column.values.filter((value): value is number => value !== null && value > 0).sort((a, b) => a - b);
  let low = quantile(known, 0.05) || 1;
  let high = quantile(known, 0.95) || 1;
  if (isRatio) {
    high = Math.min(4, Math.max(1.25, high, 1 / low));
    low = 1 / high;
  }
  if (high <= low) high = low * 1.0001;
  const name = isRatio ? "d" : "r";
  const step = (value: number): number =>
    Math.min(kSteps - 1, Math.max(0, Math.floor((Math.log(value / low) / Math.log(high / low)) * kSteps)));
  const of = (row: number): number | null => {
    const value = column.values[row];
    return value === null || value === undefined || value <= 0 ? null : step(value);
  };
  const border = (i: number): number => low * (high / low) ** (i / kSteps);
  return {
    title: column.title,
    fill: (row) => (of(row) === null ? "var(--none)" : `var(--${name}${of(row)})`),
    ink: (row) => (of(row) === null ? "var(--ink)" : `var(--${name}${of(row)}-ink)`),
    legend: [
      ...Array.from({ length: kSteps }, (_, i) => ({
        name: i === 0 ? `< ${text(border(1), column.unit)}` : i === kSteps - 1 ? `≥ ${text(border(i), column.unit)}` : `≥ ${text(border(i), column.unit)}`,
        colour: `var(--${name}${i})`,
      })),
      { name: "unknown", colour: "var(--none)" },
    ],
  };
}
