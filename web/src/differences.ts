import type { Comparison, Differences } from "./data";
import { shown } from "./dom";

/** One part of two models. Tested ones come from the program; others have no `p`. */
export interface Pair {
  name: string;
  type: string;
  first: number | null;
  second: number | null;
  change: number | null;
  ratio: number | null;
  low?: number | null;
  high?: number | null;
  p?: number | null;
  verdict: string;
  /** Whether it is no larger than the noise. */
  within: boolean;
  how: string;
}

const kMetrics: Record<string, string> = { time: "time_s", energy: "energy_j" };
const kWhole = 0;
/** Levels of rows: the whole with its modules, and types of operators. */
export const kPartLevels = [kWhole, 1];
export const kTypeLevels = [2];
const kSmallest = 1e-4;

/** As `jouletree compare` prints it. */
function probability(p: number): string {
  return p < kSmallest ? "below 0.0001" : String(Number(p.toPrecision(2)));
}

export function differencesOf(comparison: Comparison | undefined, first: string, second: string): Differences | undefined {
  return comparison?.differences?.find((one) => one.first === first && one.second === second);
}

/** Whether the program tests differences in this quantity. */
export function isTested(key: string): boolean {
  return key in kMetrics;
}

function verdictOf(all: Differences, row: number): string {
  const { only, p, significant, untested, texts } = all.rows;
  if ((only[row] ?? -1) >= 0) return `only in ${shown(only[row] === 0 ? all.first : all.second)}`;
  const found = p[row];
  if (typeof found !== "number") return `not tested: ${shown(texts[untested[row] ?? -1] ?? "not known")}`;
  return `${significant[row] ? "larger than" : "within"} the noise, p ${probability(found)}`;
}

/** What the program found about the parts of a level: what is larger than the noise first, what is within it last. */
export function testedPairs(all: Differences, key: string, levels: number[]): Pair[] {
  const { rows } = all;
  const pairs: Pair[] = [];
  for (let row = 0; row < (rows.level?.length ?? 0); ++row) {
    if (!levels.includes(rows.level[row] ?? -1) || rows.texts[rows.metric[row] ?? -1] !== kMetrics[key]) continue;
    const name = rows.level[row] === kWhole ? "(whole model)" : shown(rows.texts[rows.name[row] ?? -1] ?? "") || "(top)";
    pairs.push({
      name, type: "", first: rows.a[row] ?? null, second: rows.b[row] ?? null, change: rows.change[row] ?? null, ratio: rows.ratio[row] ?? null,
      low: rows.low[row] ?? null, high: rows.high[row] ?? null, p: rows.p[row] ?? null, verdict: verdictOf(all, row), within: rows.significant[row] === false,
      how: shown(rows.texts[rows.how[row] ?? -1] ?? ""),
    });
  }
  const rank = (pair: Pair): number => (pair.within ? 2 : pair.p === null && pair.verdict.startsWith("not") ? 1 : 0);
  return pairs.sort((a, b) => rank(a) - rank(b));
}

/** The whole model, in a metric of the catalogue. */
export function wholeOf(all: Differences | undefined, metric: string): Pair | undefined {
  const key = Object.keys(kMetrics).find((one) => kMetrics[one] === metric);
  return all && key ? testedPairs(all, key, [kWhole])[0] : undefined;
}

/** What the rows must be larger than, and how many are. */
export function noiseText(all: Differences): string {
  if (all.doubt) return `Cannot be told from noise: ${shown(all.doubt)}.`;
  const tested = all.rows.significant?.filter((one) => one !== null) ?? [];
  const larger = tested.filter(Boolean).length;
  const count = tested.length > 0 ? `${larger === 0 ? "None" : larger} of ${tested.length} ${tested.length === 1 ? "difference" : "differences"} in time and energy ${larger > 1 ? "are" : "is"} larger than the noise. ` : "";
  return count + (all.noise === null ? "" : `Two profiles of one model, measured like these, differ by up to ${Math.ceil(100 * all.noise)} % by themselves (95 %).`);
}
