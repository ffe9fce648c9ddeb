// A headless Chromium for the tests of the page, and pages with made-up data.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const kSkipped = 77;
const kChromium = ["/usr/bin/chromium", "/usr/bin/chromium-browser"];
const kQuiet = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const kWide = { width: 1280, height: 900 };
export const kPhone = { width: 390, height: 844 };

function skip(reason) {
  console.log(`skipped: ${reason}`);
  process.exit(kSkipped);
}

function playwright() {
  const web = join(dirname(fileURLToPath(import.meta.url)), "../../web/package.json");
  try {
    return createRequire(web)("playwright-core");
  } catch {
    return skip("playwright-core is not there; run scripts/fetch-page.sh");
  }
}

export async function startBrowser() {
  const { chromium } = playwright();
  const executablePath = kChromium.find((path) => existsSync(path)) ?? skip("chromium is not installed (Debian: apt install chromium)");
  return chromium.launch({ executablePath, headless: true, args: kQuiet });
}

/** A folder that is gone with the process. */
export function scratchFolder() {
  const folder = mkdtempSync(join(tmpdir(), "jouletree-page-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function writePage(folder, name, html) {
  const file = join(folder, `${name}.html`);
  writeFileSync(file, html);
  return pathToFileURL(file).href;
}

/** Opens a page and remembers what it complains of and asks for. */
export async function openPage(browser, address, { view = "overview", viewport = kWide, dark = false } = {}) {
  const context = await browser.newContext({ viewport, colorScheme: dark ? "dark" : "light", acceptDownloads: true });
  const page = await context.newPage();
  const seen = { complaints: [], requests: [] };
  page.on("console", (message) => message.type() === "error" && seen.complaints.push(message.text()));
  page.on("pageerror", (error) => seen.complaints.push(error.message));
  page.on("request", (request) => seen.requests.push(request.url()));
  await page.goto(`${address}#${view}`);
  await page.waitForSelector("main > *");
  // Charts are drawn when their size is known.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 60)))));
  return { page, seen, close: () => context.close() };
}

/** Goes to another view by its tab; it is there a moment after the click. */
export async function showView(page, view) {
  const tab = page.locator(`nav.tabs a[data-view=${view}]`);
  await tab.click();
  await tab.and(page.locator("[aria-current=page]")).waitFor();
}

export async function downloadedText(page, button) {
  const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
  const stream = await download.createReadStream();
  const pieces = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces).toString("utf8");
}
