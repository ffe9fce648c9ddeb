import { Kind, type Column } from "./data";
import { el, shown } from "./dom";
import { cellText, exact, howOf, lowered, range, share, text } from "./numbers";
import { table } from "./table";
import type { TreeModel } from "./tree_model";

function breadcrumbs(model: TreeModel, row: number, go: (row: number) => void): HTMLElement {
  const steps = model.path(row).map((one, i, all) =>
    i === all.length - 1
      ? el("span", { "aria-current": "location" }, model.name(one))
      : el("button", { type: "button", click: () => go(one) }, model.name(one)),
  );
  return el("nav", { class: "path", "aria-label": "Path of the selected node" }, ...steps);
}

function line(key: string, title: string, value: number | null | undefined, unit: string, said: string, under: string[]): HTMLElement {
  return el("tr", { "data-key": key }, el("th", { scope: "row" }, title),
    el("td", { class: "number", title: exact(value, unit) }, el("span", { class: "value" }, said), el("small", { class: "how" }, under.filter(Boolean).join(" · "))));
}

/** Every quantity of a node with its interval and how it was obtained. */
function quantities(model: TreeModel, row: number): HTMLElement {
  const lines = model.columns
    .filter((column) => column.values[row] !== null && column.values[row] !== undefined)
    .map((column) => {
      const interval = range(column.low?.[row], column.high?.[row], column.unit);
      return line(column.key, column.title, column.values[row], column.unit, cellText(column, row), [interval, howOf(column, row)]);
    });
  const phases = (model.tree.phases ?? [])
    .filter((phase) => phase.time[row] !== null && phase.time[row] !== undefined)
    .map((phase) => line(phase.name, `… ${phase.name}`, phase.time[row], "s", text(phase.time[row], "s"), [share(phase.time[row], model.column("time")?.values[row])]));
  return el("table", { class: "facts quantities" }, el("tbody", {}, ...lines, ...phases));
}

function childTable(model: TreeModel, row: number, width: Column, go: (row: number) => void): HTMLElement {
  const children = model.children[row] ?? [];
  const whole = width.values[row] ?? children.reduce((sum, child) => sum + (width.values[child] ?? 0), 0);
  const largest = Math.max(...children.map((child) => width.values[child] ?? 0), 0);
  return table<number>({
    name: `inside ${model.name(row)}`,
    rows: children,
    sortedBy: 2,
    onClick: go,
    columns: [
      { title: "name", numeric: false, cell: (child) => ({ text: model.name(child), value: model.name(child), title: model.pathText(child) }) },
      { title: "type", numeric: false, cell: (child) => ({ text: model.type(child), value: model.type(child) }) },
      {
        title: lowered(width.title),
        how: width.how.length === 1 ? (width.how[0] ?? "") : "",
        numeric: true,
        cell: (child) => ({
          text: cellText(width, child),
          value: width.values[child] ?? null,
          title: `${exact(width.values[child], width.unit)}, ${howOf(width, child) || "unknown"}`,
          bar: largest > 0 ? (width.values[child] ?? 0) / largest : 0,
        }),
      },
      { title: "share", numeric: true, cell: (child) => ({ text: share(width.values[child], whole), value: width.values[child] ?? null }) },
      ...(width.how.length > 1 ? [{ title: "how", numeric: false, cell: (child: number) => ({ text: howOf(width, child), value: howOf(width, child) }) }] : []),
    ],
  });
}

const kKinds = { [Kind.Model]: "model", [Kind.Module]: "module", [Kind.Operator]: "operator" };

/** What is known of the selected node and of what lies below it. */
export function subtreePanel(model: TreeModel, row: number, width: Column, go: (row: number) => void): HTMLElement {
  const below = model.subtree(row).filter((one) => model.kind(one) === Kind.Operator).length;
  const kind = kKinds[model.kind(row)];
  return el(
    "section",
    { class: "subtree", "aria-label": "Selected node" },
    breadcrumbs(model, row, go),
    el("h3", {}, shown(model.name(row))),
    el("p", { class: "kind" }, [model.type(row), kind, model.kind(row) === Kind.Operator ? "" : `${below.toLocaleString("en")} operators`].filter(Boolean).join(" · ")),
    quantities(model, row),
    (model.children[row]?.length ?? 0) > 0 ? childTable(model, row, width, go) : null,
  );
}
