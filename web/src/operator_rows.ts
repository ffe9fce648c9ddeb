import { Kind, type Column, type Item, type Operators, type Tree } from "./data";
import { shown } from "./dom";
import { derivedColumns } from "./tree_model";

/** Kinds of operators; a tree that was not measured has one of each operator. */
export interface OperatorRows {
  size: number;
  type: (row: number) => string;
  first: (row: number) => string;
  note: (row: number) => string;
  count: number[];
  /** Of one call. */
  columns: Column[];
}

function ofKinds(kinds: Operators): OperatorRows {
  const text = (index: number | undefined): string => shown(kinds.texts[index ?? -1] ?? "");
  return {
    size: kinds.type.length,
    type: (row) => text(kinds.type[row]),
    first: (row) => text(kinds.first[row]),
    note: (row) => text(kinds.note[row]),
    count: kinds.count,
    columns: [...kinds.columns, ...derivedColumns(kinds.columns)],
  };
}

function picked(column: Column, rows: number[]): Column {
  const of = <Value>(values: Value[]): Value[] => rows.map((row) => values[row] as Value);
  return {
    ...column,
    values: of(column.values),
    ...(column.low && { low: of(column.low) }),
    ...(column.high && { high: of(column.high) }),
    ...(column.how_of && { how_of: of(column.how_of) }),
    lower_bound: [],
  };
}

function ofTree(tree: Tree): OperatorRows {
  const rows = tree.kind.map((kind, row) => (kind === Kind.Operator ? row : -1)).filter((row) => row >= 0);
  const path = (row: number): string => {
    const names: string[] = [];
    for (let at = row; (tree.parent[at] ?? -1) >= 0; at = tree.parent[at] ?? -1) names.unshift(shown(tree.texts[tree.name[at] ?? -1] ?? ""));
    return names.join(".");
  };
  const columns = tree.columns.map((column) => picked(column, rows));
  return {
    size: rows.length,
    type: (i) => shown(tree.texts[tree.type[rows[i] ?? -1] ?? -1] ?? ""),
    first: (i) => path(rows[i] ?? 0),
    note: () => "",
    count: rows.map(() => 1),
    columns: [...columns, ...derivedColumns(columns)],
  };
}

export function operatorRows(item: Item): OperatorRows | null {
  if (item.operators && item.operators.type.length > 0) return ofKinds(item.operators);
  if (item.tree && item.tree.kind.includes(Kind.Operator)) return ofTree(item.tree);
  return null;
}

/** Of all calls of a kind. */
export function total(rows: OperatorRows, column: Column, row: number): number | null {
  const value = column.values[row];
  return value === null || value === undefined ? null : value * (rows.count[row] ?? 1);
}

export function columnOf(rows: OperatorRows, key: string): Column | undefined {
  return rows.columns.find((one) => one.key === key && one.values.some((value) => value !== null));
}

/** Types with their sums of a quantity, the largest first. */
export function typeTotals(rows: OperatorRows, column: Column): { type: string; sum: number; count: number; measured: number }[] {
  const types = new Map<string, { type: string; sum: number; count: number; measured: number }>();
  for (let row = 0; row < rows.size; ++row) {
    const type = rows.type(row);
    const entry = types.get(type) ?? { type, sum: 0, count: 0, measured: 0 };
    const value = total(rows, column, row);
    const count = rows.count[row] ?? 1;
    entry.sum += value ?? 0;
    entry.count += count;
    if (value !== null) entry.measured += count;
    types.set(type, entry);
  }
  return [...types.values()].sort((a, b) => b.sum - a.sum || a.type.localeCompare(b.type));
}
