// node frame_test.mjs PYTHON PROFILES: results in notebooks, as Chromium shows them. PYTHON imports jouletree, PROFILES
// is a folder of profiles on a simulated clock.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { scratchFolder, startBrowser, writePage } from "./browser.mjs";

const [, , python, profiles] = process.argv;
const browser = await startBrowser();
after(() => browser.close());
const folder = scratchFolder();
const steady = join(profiles, "steady");

const kHostile = "</script><script>window.hurt=1</script>";
const hostile = join(folder, "hostile");
cpSync(steady, hostile, { recursive: true });
for (const name of ["profile.json", "tree.jsonl"]) {
  const path = join(hostile, name);
  const text = readFileSync(path, "utf8").replaceAll('"a.Relu"', `"a.${kHostile}"`).replaceAll('"Relu"', `"${kHostile}"`).replaceAll("root.a.Relu", `root.a.${kHostile}`);
  rmSync(path);
  writeFileSync(path, text);
}

/** What notebooks get of results. */
function shownBy(...results) {
  const code = `import json, jouletree as jt; print(json.dumps([one._repr_html_() for one in (${results.join(",")},)]))`;
  const { status, stdout, stderr } = spawnSync(python, ["-c", code], { encoding: "utf8", maxBuffer: 1 << 28 });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

const load = (path) => `jt.load(${JSON.stringify(path)})`;
const [profile, comparison, hostileProfile] = shownBy(load(steady), `jt.compare(${load(steady)}, ${load(join(profiles, "busy"))}, labels=["before", "after"])`, load(hostile));

/** A notebook with these outputs, each in a place of its own. */
async function notebook(name, outputs, { dark = false } = {}) {
  const body = outputs.map((html) => `<div class="output">${html}</div>`).join("\n");
  const address = writePage(folder, name, `<!doctype html><meta charset="utf-8"><title>notebook</title><body>${body}</body>`);
  const context = await browser.newContext({ viewport: { width: 1000, height: 900 }, colorScheme: dark ? "dark" : "light", acceptDownloads: true });
  const page = await context.newPage();
  const seen = { complaints: [], requests: [] };
  page.on("console", (message) => message.type() === "error" && seen.complaints.push(message.text()));
  page.on("pageerror", (error) => seen.complaints.push(error.message));
  page.on("request", (request) => seen.requests.push(request.url()));
  await page.goto(address);
  const frames = [];
  for (const element of await page.locator("iframe").elementHandles()) {
    const frame = await element.contentFrame();
    await frame.waitForSelector("main > *");
    frames.push(frame);
  }
  return { page, frames, seen, address, close: () => context.close() };
}

const nine = (value) => Number(value.toPrecision(9));
const numberIn = (title) => Number.parseFloat(title.replaceAll(",", ""));

test("the frame shows the numbers of the profile, in every view, and fetches nothing", async () => {
  const json = JSON.parse(readFileSync(join(steady, "profile.json"), "utf8"));
  const { frames, seen, address, close } = await notebook("profile", [profile, comparison]);
  const [frame] = frames;
  for (const name of ["time_s", "energy_j", "params"]) {
    const shown = frame.locator(`.tile[data-metric=${name}] b`);
    assert.equal(numberIn(await shown.getAttribute("title")), nine(json.metrics[name].value), name);
  }
  for (const view of ["tree", "operators", "ledger", "overview"]) {
    await frame.locator(`nav.tabs a[data-view=${view}]`).click();
    await frame.waitForSelector(`nav.tabs a[data-view=${view}][aria-current=page]`);
    assert.ok((await frame.locator("main").textContent()).length > 100, view);
    assert.equal(await frame.evaluate(() => location.href), "about:srcdoc");
  }
  await frames[1].locator("nav.tabs a[data-view=compare]").click();
  assert.match(await frames[1].locator("main").textContent(), /before/);
  assert.deepEqual(seen.complaints, []);
  assert.deepEqual(seen.requests.filter((url) => !url.startsWith("about:")), [address]);
  await close();
});

test("a chart and its data can be saved from the frame", async () => {
  const { page, frames, close } = await notebook("saved", [profile]);
  await frames[0].locator("nav.tabs a[data-view=operators]").click();
  const figure = frames[0].locator("figure").first();
  await figure.locator("svg").first().waitFor();
  const saved = async (name) => {
    const [download] = await Promise.all([page.waitForEvent("download"), figure.getByText(name, { exact: true }).click()]);
    return readFileSync(await download.path(), "utf8");
  };
  assert.match(await saved("SVG"), /^<svg[^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
  assert.match(await saved("CSV"), /^type,Time \(s\)/);
  await close();
});

test("names are shown and never run, and the frame reaches neither the notebook nor the network", async () => {
  const { page, frames, seen, close } = await notebook("hostile", [hostileProfile]);
  await frames[0].locator("nav.tabs a[data-view=operators]").click();
  assert.match(await frames[0].locator("main").textContent(), /<script>window\.hurt=1/);
  assert.equal(await frames[0].evaluate(() => window.hurt), undefined);
  assert.equal(await page.evaluate(() => window.hurt), undefined);
  assert.deepEqual(seen.complaints, []);
  const tried = await frames[0].evaluate(async () => {
    const violations = [];
    document.addEventListener("securitypolicyviolation", (event) => violations.push(event.effectiveDirective));
    await fetch("http://127.0.0.1:9/").catch(() => undefined);
    const script = document.createElement("script");
    script.textContent = "window.hurt = 6";
    document.body.append(script);
    await new Promise((done) => setTimeout(done, 100));
    let parent = "refused";
    try {
      parent = window.parent.document.title;
    } catch {
      // As it must be.
    }
    return { violations: violations.sort(), hurt: window.hurt, parent, origin: window.origin };
  });
  assert.deepEqual(tried, { violations: ["connect-src", "script-src-elem"], hurt: undefined, parent: "refused", origin: "null" });
  await close();
});

test("the table stands in for a frame that a viewer takes out", async () => {
  const { page, close } = await notebook("table", [profile]);
  const table = page.locator(".jouletree table").first();
  assert.equal(await table.isVisible(), false);
  await page.evaluate(() => document.querySelector("iframe").remove());
  assert.equal(await table.isVisible(), true);
  assert.match(await page.locator(".jouletree").textContent(), /Time10\.5 ms/);
  await close();
});

test("the frame follows the dark theme of the system", async () => {
  const { frames, close } = await notebook("dark", [profile], { dark: true });
  assert.equal(await frames[0].evaluate(() => document.documentElement.dataset.theme), "dark");
  await close();
});

test("a notebook stays small", () => {
  assert.ok(profile.length < 200_000, `${profile.length} characters`);
});
