import type { Column, Metric, Quantity } from "./data";

const kPrefixes: [number, string][] = [
  [1e15, "P"],
  [1e12, "T"],
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
  [1, ""],
  [1e-3, "m"],
  [1e-6, "µ"],
  [1e-9, "n"],
  [1e-12, "p"],
];
const kBinary: [number, string][] = [
  [2 ** 40, "TiB"],
  [2 ** 30, "GiB"],
  [2 ** 20, "MiB"],
  [2 ** 10, "KiB"],
];
const kDigits = 4;
export const kUnknown = "?";

function digits(value: number): string {
  if (value === 0) return "0";
  const magnitude = Math.floor(Math.log10(Math.abs(value)));
  const decimals = Math.max(0, kDigits - 1 - magnitude);
  return decimals > 20 ? value.toExponential(kDigits - 1) : value.toFixed(decimals);
}

/** The prefix that suits a number: 0.0123 s is read in ms. */
export function scaleFor(value: number, unit: string): { factor: number; unit: string } {
  const size = Math.abs(value);
  if (unit === "B") {
    const found = kBinary.find(([factor]) => size >= factor);
    return found ? { factor: found[0], unit: found[1] } : { factor: 1, unit: "B" };
  }
  if (unit === "%" || unit === "×") return { factor: 1, unit };
  if ((unit === "1" || unit === "") && size < 1e4) return { factor: 1, unit: "" };
  const found = kPrefixes.find(([factor]) => size >= factor * 0.9999999) ?? kPrefixes[kPrefixes.length - 1];
  const [factor, prefix] = size === 0 || !found ? [1, ""] : found;
  // "5.4 k/s" reads better than "5.4 k1/s".
  return { factor, unit: prefix + (unit === "1" ? "" : unit.replace(/^1\//, "/")) };
}

/** "12.34 ms"; "?" where unknown. */
export function text(value: number | null | undefined, unit: string): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return kUnknown;
  if (unit === "share") return `${digits(100 * value)} %`;
  if ((unit === "1" || unit === "") && Number.isInteger(value) && Math.abs(value) < 1e15) {
    return Math.abs(value) < 1e7 ? value.toLocaleString("en") : `${digits(value / scaleFor(value, "1").factor)} ${scaleFor(value, "1").unit}`;
  }
  const scale = scaleFor(value, unit);
  return `${digits(value / scale.factor)} ${scale.unit}`.trim();
}

/** A title inside a sentence: "Time" becomes "time", "MACs" stays. */
export function lowered(title: string): string {
  return /^[A-Z][a-z]/.test(title) ? title.charAt(0).toLowerCase() + title.slice(1) : title;
}

/** The same with all its digits, for those who hover. */
export function exact(value: number | null | undefined, unit: string): string {
  if (value === null || value === undefined) return "unknown";
  const plain = unit === "1" || unit === "" || unit === "share" ? "" : ` ${unit}`;
  return `${value.toLocaleString("en", { maximumSignificantDigits: 9 })}${plain}`;
}

export function share(part: number | null | undefined, whole: number | null | undefined): string {
  if (part === null || part === undefined || !whole) return "";
  return `${((100 * part) / whole).toFixed(1)} %`;
}

export function range(low: number | null | undefined, high: number | null | undefined, unit: string): string {
  if (low === null || low === undefined || high === null || high === undefined) return "";
  const larger = Math.max(Math.abs(low), Math.abs(high));
  if (unit === "share" || larger === 0) return `${text(low, unit)} to ${text(high, unit)}`;
  const scale = scaleFor(larger, unit);
  return `${digits(low / scale.factor)} to ${digits(high / scale.factor)} ${scale.unit}`.trim();
}

export function quantityText(one: Quantity): string {
  return (one.lower_bound ? "≥ " : "") + text(one.value, one.unit);
}

export function howOf(column: Column, row: number): string {
  if (column.values[row] === null || column.values[row] === undefined) return "";
  return column.how[column.how_of?.[row] ?? 0] ?? "";
}

export function cellText(column: Column, row: number): string {
  const bound = column.lower_bound?.includes(row) ? "≥ " : "";
  return bound + text(column.values[row], column.unit);
}

export function metricNamed(metrics: Metric[], name: string): Metric | undefined {
  return metrics.find((one) => one.name === name);
}

/** Lines of CSV; fields that a spreadsheet would take for a formula begin with an apostrophe. */
export function csv(rows: (string | number | null | undefined)[][]): string {
  const field = (value: string | number | null | undefined): string => {
    if (value === null || value === undefined) return "";
    if (typeof value === "number") return String(value);
    const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return rows.map((row) => row.map(field).join(",")).join("\r\n") + "\r\n";
}
