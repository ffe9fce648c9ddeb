import { el } from "./dom";

type Theme = "auto" | "light" | "dark";
const kNext: Record<Theme, Theme> = { auto: "light", light: "dark", dark: "auto" };

/** Follows the system until somebody chooses. */
export function themeSwitch(): HTMLElement {
  let theme: Theme = "auto";
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  const button = el("button", { type: "button", class: "theme" });
  const show = (): void => {
    document.documentElement.dataset.theme = theme === "auto" ? (system.matches ? "dark" : "light") : theme;
    button.textContent = `Theme: ${theme}`;
    button.setAttribute("aria-label", `Theme: ${theme}. Press for ${kNext[theme]}.`);
  };
  button.addEventListener("click", () => {
    theme = kNext[theme];
    show();
  });
  system.addEventListener("change", show);
  show();
  return button;
}
