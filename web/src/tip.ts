import { el } from "./dom";

/** The box that follows the pointer. */
export class Tip {
  readonly element = el("div", { class: "tip", hidden: true });

  show(event: PointerEvent, title: string, lines: string[]): void {
    this.element.replaceChildren(el("b", {}, title), ...lines.map((line) => el("div", {}, line)));
    this.element.hidden = false;
    const { offsetWidth, offsetHeight } = this.element;
    const left = Math.min(event.clientX + 14, document.documentElement.clientWidth - offsetWidth - 8);
    const below = event.clientY + 16;
    const top = below + offsetHeight > window.innerHeight ? event.clientY - offsetHeight - 10 : below;
    this.element.style.left = `${Math.max(4, left)}px`;
    this.element.style.top = `${Math.max(4, top)}px`;
  }

  hide(): void {
    this.element.hidden = true;
  }
}
