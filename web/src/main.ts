import "./style.css";
import { kFormat, kVersion, type Item, type PageData } from "./data";
import { choice, el, shown } from "./dom";
import { followNews, liveAddresses, type LiveAddresses } from "./live";
import { Place } from "./place";
import { themeSwitch } from "./theme";
import { comparable, compareView } from "./views/compare";
import { crossvalidationView } from "./views/crossvalidation";
import { ledgerView } from "./views/ledger";
import { memoryView } from "./views/memory";
import { operatorsView } from "./views/operators";
import { overview } from "./views/overview";
import { recordingView } from "./views/recording";
import { sweepView } from "./views/sweep";
import { trainingView } from "./views/training";
import { treeView } from "./views/tree";

interface View {
  key: string;
  title: string;
  /** Whether there is something to show of an item; cheap. */
  has: (item: Item) => boolean;
  show: (item: Item) => HTMLElement | null;
}

const kViews: View[] = [
  { key: "tree", title: "Tree", has: (item) => (item.tree?.parent.length ?? 0) > 0, show: treeView },
  { key: "operators", title: "Operators", has: (item) => (item.operators?.type.length ?? 0) > 0 || (item.tree?.parent.length ?? 0) > 1, show: operatorsView },
  { key: "memory", title: "Memory", has: (item) => item.memory !== undefined, show: memoryView },
  { key: "ledger", title: "Ledger", has: (item) => item.ledger !== undefined, show: ledgerView },
  { key: "training", title: "Training", has: (item) => (item.tree?.phases?.length ?? 0) > 0, show: trainingView },
  { key: "recording", title: "Recording", has: (item) => item.recording !== undefined, show: recordingView },
  { key: "sweep", title: "Sweep", has: (item) => item.sweep !== undefined, show: sweepView },
  { key: "crossvalidation", title: "Cross-validation", has: (item) => item.crossvalidation !== undefined, show: crossvalidationView },
];
/** Milliseconds that charts take to be drawn. */
const kDrawn = 500;
const kCompare = "compare";
const kOverview = "overview";

function parse(text: string): PageData {
  const data = JSON.parse(text) as PageData;
  if (data.format !== kFormat) throw new Error("The data in this page are not those of jouletree report.");
  if (data.version !== kVersion) throw new Error(`The data in this page have version ${data.version}; this page reads version ${kVersion}.`);
  return data;
}

class Page {
  private readonly content = el("main", { id: "content", tabindex: -1 });
  private readonly heading = el("h1");
  private readonly tabs = el("nav", { class: "tabs", "aria-label": "Views" });
  private readonly chooser = el("div", { class: "controls chooser" });
  private readonly chosen = new Map<string, number>();
  private current = "";

  constructor(
    private data: PageData,
    root: HTMLElement,
    live: LiveAddresses | null,
  ) {
    const news = el("span", { class: "live", role: "status" });
    root.replaceChildren(
      el("a", { class: "skip", href: "#content", click: (event) => { event.preventDefault(); this.content.focus(); } }, "Skip to the content"),
      el("header", {}, this.heading, live ? news : null, live ? el("a", { class: "index", href: live.index }, "All results") : null, themeSwitch()),
      this.tabs, this.chooser, this.content,
      el("footer", {}, live ? `Made by ${data.program}. This page asks the server that it came from for news, and nobody else.` : `Made by ${data.program}. This page fetches nothing and sends nothing.`));
    this.showHead();
    window.addEventListener("hashchange", () => this.go());
    // Paper cannot be unfolded.
    window.addEventListener("beforeprint", () => {
      for (const closed of this.content.querySelectorAll("details")) closed.open = true;
    });
    this.go();
    if (live) followNews(live, (text) => this.update(parse(text)), (text) => { if (news.textContent !== text) news.textContent = text; });
  }

  private showHead(): void {
    this.tabs.replaceChildren(...this.available().map(({ key, title }) => el("a", { href: `#${key}`, "data-view": key, click: (event) => this.follow(event, key) }, title)));
    this.heading.textContent = this.title();
    document.title = `${this.title()} – JouleTree`;
  }

  /** Shows newer data at the same place. */
  private update(data: PageData): void {
    const place = new Place(this.content);
    const view = this.current;
    // Charts are drawn later: until then the page must not become shorter and scroll away.
    this.content.style.minHeight = `${this.content.offsetHeight}px`;
    this.data = data;
    this.showHead();
    this.current = "";
    this.go();
    if (this.current === view) place.restore(this.content);
    setTimeout(() => { this.content.style.minHeight = ""; }, kDrawn);
  }

  private title(): string {
    const [first] = this.data.items;
    if (!first) return "JouleTree";
    return this.data.items.length === 1 ? shown(first.label) : `${shown(first.label)} and ${this.data.items.length - 1} more`;
  }

  private available(): { key: string; title: string }[] {
    return [{ key: kOverview, title: "Overview" }, ...kViews.filter((view) => this.data.items.some(view.has)),
      ...(comparable(this.data).length > 1 || this.data.comparison ? [{ key: kCompare, title: "Compare" }] : [])];
  }

  /** At once, before the address changes. In a frame of a notebook it is not the page's own, and would lead to the notebook. */
  private follow(event: Event, key: string): void {
    const { ctrlKey, metaKey, shiftKey } = event as MouseEvent;
    if (ctrlKey || metaKey || shiftKey) return;
    if (location.protocol === "about:") event.preventDefault();
    this.go(key);
  }

  private go(wanted = decodeURIComponent(location.hash.slice(1))): void {
    const key = this.available().some((one) => one.key === wanted) ? wanted : kOverview;
    if (key === this.current) return;
    this.current = key;
    for (const tab of this.tabs.querySelectorAll("a")) {
      if (tab.dataset.view === key) {
        tab.setAttribute("aria-current", "page");
        this.tabs.scrollLeft = tab.offsetLeft - (this.tabs.clientWidth - tab.offsetWidth) / 2;
      } else tab.removeAttribute("aria-current");
    }
    this.show();
  }

  private show(): void {
    const view = kViews.find((one) => one.key === this.current);
    const items = view ? this.data.items.filter(view.has) : [];
    this.chooser.replaceChildren();
    if (!view) {
      this.place(() => (this.current === kCompare ? compareView(this.data) : overview(this.data)));
      return;
    }
    const at = Math.min(this.chosen.get(view.key) ?? 0, items.length - 1);
    if (items.length > 1) {
      this.chooser.append(choice("Of", items.map((item, i) => ({ value: String(i), text: shown(item.label) })), String(at), (value) => {
        this.chosen.set(view.key, Number(value));
        this.show();
      }));
    }
    const item = items[at];
    if (item) this.place(() => el("div", {}, el("h2", { class: "view-title" }, `${view.title}: ${shown(item.label)}`), view.show(item) ?? el("p", {}, "There is nothing to show here.")));
  }

  /** Data that a view cannot understand do not hide the other views. */
  private place(make: () => HTMLElement): void {
    try {
      this.content.replaceChildren(make());
    } catch (error) {
      this.content.replaceChildren(el("p", { class: "warning", role: "alert" }, `This view cannot be shown: ${error instanceof Error ? error.message : String(error)}`));
    }
  }
}

const root = document.getElementById("page");
if (root) {
  try {
    new Page(parse(document.getElementById("data")?.textContent ?? ""), root, liveAddresses());
  } catch (error) {
    root.replaceChildren(el("p", { class: "warning", role: "alert" }, `This page cannot be shown. ${error instanceof Error ? error.message : String(error)}`));
  }
}
