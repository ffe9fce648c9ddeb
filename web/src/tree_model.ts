import { hierarchy, partition, type HierarchyRectangularNode } from "d3-hierarchy";
import { Kind, type Column, type Tree } from "./data";
import { shown } from "./dom";
import { howOf } from "./numbers";

/** Rows of a tree, with what is computed from them once. */
export class TreeModel {
  readonly children: number[][];
  readonly depth: number[];
  readonly columns: Column[];

  constructor(readonly tree: Tree) {
    this.children = tree.parent.map(() => []);
    this.depth = tree.parent.map(() => 0);
    tree.parent.forEach((parent, row) => {
      if (parent < 0) return;
      this.children[parent]?.push(row);
      this.depth[row] = (this.depth[parent] ?? 0) + 1;
    });
    this.columns = [...tree.columns, ...derivedColumns(tree.columns)];
  }

  get size(): number {
    return this.tree.parent.length;
  }
  name(row: number): string {
    return shown(this.tree.texts[this.tree.name[row] ?? -1] ?? "");
  }
  type(row: number): string {
    return shown(this.tree.texts[this.tree.type[row] ?? -1] ?? "");
  }
  kind(row: number): Kind {
    return this.tree.kind[row] ?? Kind.Operator;
  }
  parent(row: number): number {
    return this.tree.parent[row] ?? -1;
  }
  /** From the root to the row. */
  path(row: number): number[] {
    const rows: number[] = [];
    for (let at = row; at >= 0; at = this.parent(at)) rows.unshift(at);
    return rows;
  }
  pathText(row: number): string {
    return this.path(row)
      .slice(1)
      .map((one) => this.name(one))
      .join(".");
  }
  column(key: string): Column | undefined {
    return this.columns.find((one) => one.key === key);
  }
  subtree(row: number): number[] {
    const rows = [row];
    for (let i = 0; i < rows.length; ++i) rows.push(...(this.children[rows[i] ?? 0] ?? []));
    return rows;
  }
}

const kDerived: { key: string; title: string; unit: string; above: string; below: string }[] = [
  { key: "power", title: "Power", unit: "W", above: "energy", below: "time" },
  { key: "speed", title: "FLOPs per second", unit: "FLOP/s", above: "flops", below: "time" },
  { key: "intensity", title: "FLOPs per byte", unit: "FLOP/B", above: "flops", below: "bytes" },
  { key: "time_ratio", title: "Time, predicted", unit: "×", above: "predicted_time", below: "time" },
  { key: "energy_ratio", title: "Energy, predicted", unit: "×", above: "predicted_energy", below: "energy" },
];

export const kRatios = ["time_ratio", "energy_ratio"];

/** Quotients of two columns. Their provenance is that of the less certain one. */
export function derivedColumns(columns: Column[]): Column[] {
  const found: Column[] = [];
  for (const { key, title, unit, above, below } of kDerived) {
    const top = columns.find((one) => one.key === above);
    const bottom = columns.find((one) => one.key === below);
    if (!top || !bottom || columns.some((one) => one.key === key)) continue;
    const values = top.values.map((value, row) => {
      const divisor = bottom.values[row];
      return value === null || !divisor ? null : value / divisor;
    });
    if (values.every((value) => value === null)) continue;
    const how: string[] = [];
    const howOfRow = values.map((_, row) => {
      const both = [...new Set([howOf(top, row), howOf(bottom, row)].filter((one) => one !== ""))];
      const word = `derived (${both.join(", ")})`;
      if (!how.includes(word)) how.push(word);
      return how.indexOf(word);
    });
    // An estimate never stands under the word measured.
    const against = bottom.how.includes("estimated") ? "estimated" : "measured";
    found.push({ key, title: kRatios.includes(key) ? `${title} ÷ ${against}` : title, unit, values, how, how_of: howOfRow });
  }
  return found;
}

/** What can be the width of a node: sums, not rates. */
export function widthColumns(model: TreeModel): Column[] {
  const sums = model.tree.columns.filter((one) => one.values.some((value) => value !== null && value > 0));
  const power = model.column("power");
  return power ? [...sums, power] : sums;
}

export type Placed = HierarchyRectangularNode<number>;

/** By row: where a node lies between 0 and 1. It is as wide as its children need, or wider where more is known of it. */
export function placedBy(model: TreeModel, column: Column): Placed[] {
  const root = hierarchy<number>(0, (row) => model.children[row]);
  const known = (row: number): number => Math.max(0, column.values[row] ?? 0);
  root.eachAfter((node) => {
    const below = (node.children ?? []).reduce((sum, child) => sum + (child.value ?? 0), 0);
    Object.assign(node, { value: Math.max(known(node.data), below) });
  });
  const placed: Placed[] = [];
  partition<number>()(root).each((node) => {
    placed[node.data] = node;
  });
  return placed;
}
