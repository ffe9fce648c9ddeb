// node page_test.mjs PAGE: what the page does with made-up data, in Chromium. PAGE is the page without data, as
// web/build.mjs --html writes it.
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { after, test } from "node:test";
import { downloadedText, kPhone, openPage, scratchFolder, showView, startBrowser, writePage } from "./browser.mjs";
import * as sample from "./sample_data.mjs";

const template = process.argv[2] ?? process.env.JOULETREE_PAGE;
const browser = await startBrowser();
after(() => browser.close());
const folder = scratchFolder();
const html = readFileSync(template, "utf8");
const made = (name, data) => writePage(folder, name, sample.embedded(html, data));

const profiles = [sample.profile(sample.resnet()), sample.profile(sample.resnet(), { seed: 9, label: "resnet-18 (tuned)" }), sample.profile(sample.bert(), { training: true })];
const all = sample.page([...profiles, sample.recording(), sample.sweep(), sample.crossvalidation()], { problems: ["profiles/half: ends in the middle of a line"], comparison: sample.comparison(profiles) });
const address = made("all", all);
const kViews = ["overview", "tree", "operators", "memory", "ledger", "training", "recording", "sweep", "crossvalidation", "compare"];

for (const [look, options] of Object.entries({ light: {}, dark: { dark: true }, phone: { viewport: kPhone } })) {
  for (const view of kViews) {
    test(`${view} is drawn without complaints (${look})`, async () => {
      const { page, seen, close } = await openPage(browser, address, { view, ...options });
      assert.deepEqual(seen.complaints, []);
      assert.equal(await page.locator("nav.tabs a[aria-current=page]").getAttribute("data-view"), view);
      for (const drawing of await page.locator(".drawing").all()) assert.ok((await drawing.locator("svg").count()) > 0, "a chart is empty");
      const [needed, there] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
      assert.ok(needed <= there, `the page is ${needed} pixels wide on ${there}`);
      await close();
    });
  }
}

test("the code of the page stays below 300 KB", () => {
  assert.ok(statSync(template).size <= 300 * 1024);
});

test("no chart or name is drawn by parsing text", () => {
  const script = html.slice(html.indexOf("<script>"));
  for (const wanted of [/\beval\(/, /new Function\b/, /document\.write/, /insertAdjacentHTML/]) assert.doesNotMatch(script, wanted);
});

test("a click on a module zooms into it, and the path leads back", async () => {
  const { page, close } = await openPage(browser, address, { view: "tree" });
  const widthOf = (name) => page.locator(".icicle g", { hasText: new RegExp(`^${name}$`) }).first().locator("rect").evaluate((rect) => rect.getBoundingClientRect().width);
  const before = await widthOf("layer2");
  await page.locator(".icicle g", { hasText: /^layer2$/ }).first().click();
  assert.ok((await widthOf("layer2")) > 2 * before);
  assert.deepEqual(await page.locator(".path > *").allTextContents(), ["resnet-18", "layer2"]);
  assert.equal(await page.locator(".subtree h3").textContent(), "layer2");
  await page.locator(".path button").first().click();
  assert.ok(Math.abs((await widthOf("layer2")) - before) < 1);
  await close();
});

test("the tree is walked with the keys alone", async () => {
  const { page, close } = await openPage(browser, address, { view: "tree" });
  const selected = () => page.locator(".path").textContent();
  await page.locator(".icicle").focus();
  await page.keyboard.press("ArrowDown");
  assert.equal(await selected(), "resnet-18conv1");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  assert.equal(await selected(), "resnet-18layer1");
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowDown");
  assert.equal(await selected(), "resnet-18layer10");
  await page.keyboard.press("Escape");
  assert.equal(await selected(), "resnet-18");
  await page.keyboard.press("/");
  await page.keyboard.type("conv2");
  assert.match(await page.locator(".controls .count").textContent(), /^8 found, [\d.]+ % of the time$/);
  await close();
});

test("a search marks what it finds, and Enter goes there", async () => {
  const { page, close } = await openPage(browser, address, { view: "tree" });
  const search = page.getByLabel("Search the tree");
  await search.fill("layer3 add");
  assert.equal(await page.locator(".controls .count").textContent().then((text) => text.split(" ")[0]), "2");
  await search.press("Enter");
  assert.equal(await page.locator(".subtree h3").textContent(), "add");
  assert.ok((await page.locator(".icicle .dim").count()) > 0);
  await search.fill("");
  assert.equal(await page.locator(".icicle .dim").count(), 0);
  await close();
});

test("numbers in the table of operators are those of the data, and sort and filter", async () => {
  const { page, close } = await openPage(browser, address, { view: "operators" });
  const { tree } = profiles[0];
  const times = tree.columns[0].values.filter((_, i) => tree.kind[i] === 2).sort((a, b) => b - a);
  const shown = await page.locator("td.number:nth-child(3)").evaluateAll((cells) => cells.map((cell) => Number.parseFloat(cell.title.replaceAll(",", ""))));
  assert.deepEqual(shown, times.map((time) => Number(time.toPrecision(9))));
  await page.getByRole("button", { name: "type", exact: true }).click();
  assert.equal(await page.locator(".table tbody th").first().textContent(), "Add");
  await page.getByPlaceholder("Filter by type or path").fill("layer1 relu");
  assert.equal(await page.locator(".table .count").first().textContent(), "2 of 36 rows");
  await close();
});

test("charts are saved as pictures and their data as tables", async () => {
  const { page, close } = await openPage(browser, address, { view: "operators" });
  const first = page.locator("figure").first();
  const picture = await downloadedText(page, first.getByText("SVG", { exact: true }));
  assert.match(picture, /^<svg[^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
  assert.doesNotMatch(picture, /var\(--|<script|<style/);
  const table = await downloadedText(page, first.getByText("CSV", { exact: true }));
  assert.match(table, /^type,Time \(s\),share \(%\),calls,calls with a number\r\nConv,/);
  await close();
});

test("hostile names are shown, and never run", async () => {
  const hostile = sample.profile(sample.hostile());
  hostile.notes = [...sample.kHostile];
  hostile.facts = sample.kHostile.map((name) => [name, name]);
  const page_ = sample.page([hostile, sample.profile(sample.hostile(), { seed: 3, training: true })], { problems: sample.kHostile });
  for (const view of ["overview", "tree", "operators", "memory", "training", "compare"]) {
    const { page, seen, close } = await openPage(browser, made("hostile", page_), { view });
    assert.deepEqual(seen.complaints, []);
    assert.equal(await page.evaluate(() => window.hurt), undefined);
    assert.equal(await page.locator("main img, main script, main iframe, main b:empty").count(), 0);
    assert.match(await page.locator("main").textContent(), /<\/script><script>window\.hurt = 3<\/script>/);
    await close();
  }
});

test("a cell of a saved table is no formula", async () => {
  const { page, close } = await openPage(browser, made("formula", sample.page([sample.profile(sample.hostile())])), { view: "operators" });
  const table = await downloadedText(page, page.locator(".table-tools button").first());
  assert.match(table, /"'=HYPERLINK/);
  assert.doesNotMatch(table, /(^|,|")=HYPERLINK/m);
  await close();
});

/** Milliseconds from the beginning of the navigation to the first picture, and until a search is answered. */
async function timesOf(address) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (!document.querySelector(".icicle .node")) return;
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(() => (window.drawnAt = performance.now())));
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto(`${address}#tree`);
  await page.waitForFunction(() => window.drawnAt);
  const drawn = await page.evaluate(() => window.drawnAt);
  const searched = await page.evaluate(async () => {
    const begin = performance.now();
    const search = document.querySelector("input[type=search]");
    search.value = "softmax";
    search.dispatchEvent(new Event("input"));
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    return performance.now() - begin;
  });
  assert.match(await page.locator(".controls .count").textContent(), /^239 found, /);
  await context.close();
  return { drawn, searched };
}

test("a tree of 5,000 nodes answers within a second of opening and takes less than 2 MB", async () => {
  const large = made("large", sample.page([sample.profile(sample.large(5000))]));
  assert.ok(statSync(new URL(large)).size < 2e6);
  // Other tests may hold the processor: the best of three openings counts.
  const tries = [];
  while (tries.length < 3 && !tries.some(({ drawn, searched }) => drawn < 1000 && searched < 1000)) tries.push(await timesOf(large));
  const { drawn, searched } = tries.at(-1);
  console.log(`5,000 nodes: drawn ${drawn.toFixed(0)} ms after opening, a search takes ${searched.toFixed(0)} ms`);
  assert.ok(drawn < 1000 && searched < 1000, JSON.stringify(tries));
});

test("no request leaves the page, and none could", async () => {
  const { page, seen, close } = await openPage(browser, address, { view: "tree" });
  for (const view of kViews) await showView(page, view);
  assert.deepEqual(seen.requests.map((url) => url.split("#")[0]), [address]);
  const blocked = await page.evaluate(async () => {
    const violations = [];
    document.addEventListener("securitypolicyviolation", (event) => violations.push(event.effectiveDirective));
    await fetch("http://127.0.0.1:9/").catch(() => undefined);
    const image = new Image();
    image.src = "http://127.0.0.1:9/x.png";
    document.body.append(image);
    const script = document.createElement("script");
    script.textContent = "window.hurt = 6";
    document.body.append(script);
    await new Promise((done) => setTimeout(done, 100));
    return [violations.sort(), window.hurt];
  });
  assert.deepEqual(blocked, [["connect-src", "img-src", "script-src-elem"], undefined]);
  await close();
});

test("colours have the contrast that accessibility guidelines ask for", async () => {
  for (const dark of [false, true]) {
    const { page, close } = await openPage(browser, address, { dark });
    const weak = await page.evaluate(() => {
      const style = getComputedStyle(document.documentElement);
      const light = (name) => {
        const probe = document.createElement("i");
        probe.style.color = `var(${name})`;
        document.body.append(probe);
        const parts = getComputedStyle(probe).color.match(/[\d.]+/g).slice(0, 3).map((part) => Number(part) / 255);
        probe.remove();
        const [r, g, b] = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const contrast = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
      const texts = [["--ink", "--page"], ["--ink", "--surface"], ["--muted", "--page"], ["--muted", "--surface"], ["--accent", "--surface"], ["--ink", "--plain"], ["--ink", "--none"], ["--ink", "--warn"]];
      for (let i = 0; i < 8; ++i) texts.push([`--s${i}-ink`, `--s${i}`]);
      for (let i = 0; i < 7; ++i) texts.push([`--r${i}-ink`, `--r${i}`], [`--d${i}-ink`, `--d${i}`]);
      const shapes = Array.from({ length: 8 }, (_, i) => [`--s${i}`, "--surface"]);
      const below = (pairs, least) => pairs.map(([a, b]) => [a, b, contrast(a, b)]).filter(([, , found]) => found < least);
      return style ? [...below(texts, 4.5), ...below(shapes, 3)] : [];
    });
    assert.deepEqual(weak, []);
    await close();
  }
});

test("the theme follows the system until somebody chooses", async () => {
  const { page, close } = await openPage(browser, address, { dark: true });
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  assert.equal(await theme(), "dark");
  await page.locator("button.theme").click();
  assert.equal(await theme(), "light");
  await close();
});

test("on paper there are no controls and no dark background", async () => {
  const { page, close } = await openPage(browser, address, { view: "tree", dark: true });
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  assert.equal(await page.locator(".controls").first().isVisible(), false);
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(255, 255, 255)");
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).color), "rgb(22, 32, 42)");
  await close();
});

test("data of another version are refused in words", async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(made("newer", { ...all, version: 2 }));
  assert.match(await page.locator("[role=alert]").textContent(), /have version 2; this page reads version 1/);
  await context.close();
});

test("data that a view cannot understand do not hide the other views", async () => {
  const odd = { ...sample.sweep(), sweep: { quantities: {}, models: [{ model: "m", size: 3 }] } };
  const { page, seen, close } = await openPage(browser, made("odd", sample.page([profiles[0], odd])), { view: "sweep" });
  assert.match(await page.locator("[role=alert]").textContent(), /This view cannot be shown/);
  await showView(page, "tree");
  await page.locator(".icicle .node").first().waitFor();
  assert.ok((await page.locator(".icicle .node").count()) > 10);
  assert.deepEqual(seen.complaints, []);
  await close();
});

test("what could not be read is listed first", async () => {
  const { page, close } = await openPage(browser, address);
  assert.match(await page.locator("main section").first().textContent(), /Not everything is shown.*ends in the middle/);
  await close();
});

test("a study shows its break points and correlations", async () => {
  const { page, close } = await openPage(browser, address, { view: "sweep" });
  assert.match(await page.locator("main").textContent(), /step between 300 and 350 \(35 %\)/);
  assert.match(await page.locator("main").textContent(), /grows with size\^1\.09 \(0\.98 to 1\.20\)/);
  assert.match(await page.locator(".warning").first().textContent(), /500: run 7 failed/);
  await close();
});
