// What `jouletree report` embeds in the page. src/report/page/ writes it; a change that an older page would read
// wrongly raises kVersion here and there.

export const kFormat = "jouletree page";
export const kVersion = 1;

/** How a number was obtained: "counted", "measured", "measured in place", "estimated", "predicted", "derived". */
export type Provenance = string;

export interface Quantity {
  value: number | null;
  unit: string;
  provenance: Provenance | null;
  low?: number | null;
  high?: number | null;
  lower_bound?: boolean;
}

export interface Metric extends Quantity {
  name: string;
  title: string;
}

/** A quantity of many rows. `how` lists provenances; `how_of` says which one, where it is not the first for all. */
export interface Column {
  key: string;
  title: string;
  unit: string;
  values: (number | null)[];
  low?: (number | null)[];
  high?: (number | null)[];
  how: Provenance[];
  how_of?: number[];
  /** Rows whose value is only a lower bound. */
  lower_bound?: number[];
}

export enum Kind {
  Model = 0,
  Module = 1,
  Operator = 2,
}

/** Rows in the order of the tree: a parent before its children. Names and types are indices into `texts`. */
export interface Tree {
  texts: string[];
  parent: number[];
  kind: Kind[];
  name: number[];
  type: number[];
  columns: Column[];
  phases?: Phase[];
}

/** What the operators of one phase of a training step add up to, for every row of the tree. */
export interface Phase {
  name: string;
  time: (number | null)[];
  energy: (number | null)[];
}

/** Kinds of operators; columns are those of one call. */
export interface Operators {
  texts: string[];
  type: number[];
  first: number[];
  count: number[];
  /** Why there is no number; an index into `texts`, or -1. */
  note: number[];
  columns: Column[];
}

export interface LedgerLine {
  name: string;
  note: string;
  role: "sum" | "part" | "whole" | "remainder";
  time: Quantity | null;
  energy: Quantity | null;
}

export interface Ledger {
  lines: LedgerLine[];
  attribution_time: Quantity;
  attribution_energy: Quantity;
  explanation: string[];
}

export interface PeakTensor {
  name: string;
  type: string;
  bytes: number;
  made_by: string;
}

/** Bytes of activations that are alive; `steps` are operators in the order of the run, thinned out where many. */
export interface Memory {
  operators: number;
  steps: number[];
  alive: number[];
  complete: boolean;
  weights: Quantity;
  peak: Quantity;
  peak_operator: { name: string; type: string; step: number };
  peak_tensors: PeakTensor[];
  other_tensors: { count: number; bytes: number };
}

export interface LevelErrors {
  ml: number | null;
  module: number | null;
  model: number | null;
}

export interface Fold extends LevelErrors {
  left_out?: string;
  type?: string;
  operators?: number;
  time?: LevelErrors;
  coverage?: LevelErrors;
}

/** As `jouletree crossvalidate --format json` prints it. */
export interface CrossValidation {
  method: string;
  features: string;
  predictions_look_at: string;
  energy_provenance: Provenance;
  folds: Fold[];
  operator_types?: Fold[];
  overall: LevelErrors;
  overall_time?: LevelErrors;
  intervals: { level: number; coverage: LevelErrors; width: LevelErrors };
}

export interface Latency {
  runs: number;
  mean: number;
  median: number;
  p90: number;
  p99: number;
  min: number;
  max: number;
}

/** Whatever a path held. A view shows the items that have what it needs. */
export interface Item {
  kind: "profile" | "counted" | "compared" | "predicted" | "crossvalidation" | "sweep" | "recording";
  label: string;
  source: string;
  facts: [string, string][];
  metrics: Metric[];
  warnings: string[];
  notes: string[];
  latency?: Latency;
  tree?: Tree;
  operators?: Operators;
  ledger?: Ledger;
  memory?: Memory;
  crossvalidation?: CrossValidation;
  sweep?: Sweep;
  recording?: Recording;
}

/** A value from each `begin` to the `end` beside it, in seconds. Long curves are means, with the bounds of what they stand for. */
export interface RecordedCurve {
  name: string;
  provenance: Provenance;
  begin: number[];
  end: number[];
  value: number[];
  low?: number[];
  high?: number[];
}

export interface RecordedPlot {
  title: string;
  unit: string;
  end: number;
  curves: RecordedCurve[];
}

export interface RecordedRun {
  number: number;
  command: string;
  began: string;
  end: string;
  time: Quantity;
  energy: Quantity;
  power: Quantity;
}

/** What `jouletree run` recorded; plots are over the time of all runs, one behind the other. */
export interface Recording {
  plots: RecordedPlot[];
  runs: RecordedRun[];
}

export interface SweepQuantity {
  median: number | null;
  q1: number | null;
  q3: number | null;
  min: number | null;
  max: number | null;
  n: number;
  provenance: Provenance | null;
}

export interface SweepFormat {
  format: string;
  size: number | null;
  batch: number | null;
  threads: number | null;
  runs: number;
  planned_runs: number;
  failures: string[];
  quantities: Record<string, SweepQuantity | null>;
  /** Pairs of a share and seconds. */
  latencies: { n: number; quantiles: [number, number][] } | null;
}

export interface ScalingLaw {
  exponent: number;
  low: number | null;
  high: number | null;
  factor: number;
  r2: number | null;
  n: number;
}

export interface SweepBreak {
  after: number;
  before: number;
  at: number;
  kind: "step" | "slope";
  jump: number | null;
  jump_share: number | null;
  p: number | null;
}

export interface SweepSeries {
  batch: number | null;
  threads: number | null;
  formats: string[];
  laws: Record<string, ScalingLaw | null>;
  breaks: Record<string, { criterion: string; breaks: SweepBreak[] } | null>;
}

export interface Correlations {
  rows: number;
  quantities: string[];
  spearman: (number | null)[][];
  pearson: (number | null)[][];
}

export interface SweepModel {
  model: string;
  engine?: string | null;
  /** What was varied: "sequence", "input[2]", "elements". */
  size: string;
  formats: SweepFormat[];
  series: SweepSeries[];
  correlations: Correlations | null;
}

/** As `sweep.json` has it; whatever else stands there is not looked at. */
export interface Sweep {
  quantities: Record<string, { title: string; unit: string }>;
  models: SweepModel[];
  correlations: Correlations | null;
}

export interface ComparedMetric {
  name: string;
  title: string;
  unit: string;
  comparison: "ratio" | "difference" | "none";
  values: Quantity[];
  /** Against the first item; the first is null. */
  compared: (number | null)[];
  verdicts: (string | null)[];
}

/** Rows of `Differences`, one list per fact. Names, metrics, `how` and reasons are indices into `texts`, or -1. */
export interface DifferenceRows {
  texts: string[];
  /** 0: the whole model, 1: a module, 2: a type of operator. */
  level: number[];
  name: number[];
  metric: number[];
  how: number[];
  a: (number | null)[];
  b: (number | null)[];
  change: (number | null)[];
  ratio: (number | null)[];
  low: (number | null)[];
  high: (number | null)[];
  /** Corrected for all rows of the level; null where there was no test. */
  p: (number | null)[];
  significant: (boolean | null)[];
  /** Why there was no test. */
  untested: number[];
  /** Which model alone has the part: 0 the first, 1 the second; -1: both have it. */
  only: number[];
}

/** In what a profile differs from the first one, as `jouletree compare` tests it; the largest difference first. */
export interface Differences {
  first: string;
  second: string;
  /** By what share two profiles like these differ by themselves. */
  noise: number | null;
  /** Why nothing can be told; empty where something can. */
  doubt: string;
  rows: DifferenceRows;
}

export interface Comparison {
  labels: string[];
  metrics: ComparedMetric[];
  notes: string[];
  differences?: Differences[];
}

export interface PageData {
  format: string;
  version: number;
  program: string;
  /** What could not be read, one sentence each. */
  problems: string[];
  items: Item[];
  comparison?: Comparison;
}
