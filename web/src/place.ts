// Where somebody is in a view, so that new data can be shown at the same place.

/** A part of a view that has more of a place than its fields tell. */
export interface Placed {
  get: () => string;
  set: (place: string) => void;
}
const placed = new WeakMap<Element, Placed>();

export function hasPlace(element: HTMLElement, place: Placed): void {
  element.setAttribute("data-placed", "");
  placed.set(element, place);
}

const nameOf = (field: Element): string => field.closest("label")?.querySelector("span")?.textContent ?? field.getAttribute("aria-label") ?? field.getAttribute("placeholder") ?? "";

/** Fields, opened details, what parts say of themselves, and how far the page is scrolled. */
export class Place {
  private readonly fields = new Map<string, string>();
  private readonly open = new Map<string, boolean>();
  private readonly parts: string[];
  private readonly focused: string;
  private readonly scroll: [number, number] = [window.scrollX, window.scrollY];

  constructor(root: HTMLElement) {
    for (const field of root.querySelectorAll<HTMLInputElement | HTMLSelectElement>("input, select")) this.fields.set(nameOf(field), field.value);
    root.querySelectorAll("details").forEach((one, i) => this.open.set(`${i} ${one.querySelector("summary")?.textContent ?? ""}`, one.open));
    this.parts = [...root.querySelectorAll("[data-placed]")].map((one) => placed.get(one)?.get() ?? "");
    const active = document.activeElement;
    this.focused = active && root.contains(active) ? nameOf(active) : "";
  }

  restore(root: HTMLElement): void {
    // A field may bring others with it, so each is looked for anew.
    for (const [name, value] of this.fields) {
      const field = [...root.querySelectorAll<HTMLInputElement | HTMLSelectElement>("input, select")].find((one) => nameOf(one) === name);
      if (!field || field.value === value) continue;
      const before = field.value;
      field.value = value;
      if (field instanceof HTMLSelectElement && field.selectedIndex < 0) field.value = before;
      else field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? "change" : "input"));
    }
    root.querySelectorAll("[data-placed]").forEach((one, i) => placed.get(one)?.set(this.parts[i] ?? ""));
    root.querySelectorAll("details").forEach((one, i) => {
      const open = this.open.get(`${i} ${one.querySelector("summary")?.textContent ?? ""}`);
      if (open !== undefined) one.open = open;
    });
    if (this.focused !== "") [...root.querySelectorAll<HTMLElement>("input, select")].find((one) => nameOf(one) === this.focused)?.focus({ preventScroll: true });
    window.scrollTo(...this.scroll);
  }
}
