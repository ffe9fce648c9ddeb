// Elements are made of text nodes only, so that names from models and files are shown and never parsed.

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | null | undefined | ((event: Event) => void)>;

function fill(element: Element, attributes: Attributes, children: Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child !== null && child !== undefined && child !== false) element.append(child);
}

export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

export function svg<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[Tag] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  fill(element, attributes, children);
  return element;
}

/** A labelled list of choices. */
export function choice(
  label: string,
  options: { value: string; text: string }[],
  chosen: string,
  onChange: (value: string) => void,
): HTMLLabelElement {
  const select = el("select", { change: () => onChange(select.value) });
  for (const { value, text } of options) {
    select.append(el("option", { value, selected: value === chosen }, text));
  }
  return el("label", { class: "choice" }, el("span", {}, label), select);
}

/** Control characters and bidirectional marks of names would otherwise act on what stands around them. */
export function shown(name: string): string {
  return name.replaceAll(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "\ufffd");
}
