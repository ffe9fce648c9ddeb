// node browser_test.mjs PROGRAM PROFILES: what `jouletree serve` shows, in Chromium, while files change under it.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { appendFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, describe, test } from "node:test";
import { kPhone, openPage, scratchFolder, startBrowser } from "../page/browser.mjs";

const [, , program, profiles] = process.argv;
const browser = await startBrowser();
const servers = [];
after(async () => {
  for (const server of servers) server.kill("SIGKILL");
  await browser.close();
});

/** A folder with one profile, and the address of its server. */
async function serve(...flags) {
  const folder = scratchFolder();
  cpSync(join(profiles, "steady"), join(folder, "first"), { recursive: true });
  const server = spawn(program, ["serve", folder, "--listen", "0", ...flags], { stdio: ["ignore", "ignore", "pipe"] });
  servers.push(server);
  for await (const line of createInterface({ input: server.stderr })) {
    const found = /serving .* at (http:\/\/[^/]+)\//.exec(line);
    if (found) return { address: found[1], folder, server };
  }
  throw new Error("the server did not start");
}

const line = (second) => `${JSON.stringify({
  date: `2026-11-19 04:00:${String(second).padStart(2, "0")}.000000+00:00`, metrics: { cpu: {} }, run: 1, duration_s: 1,
  energy: { total_j: 9, total_w: 9, provenance: "measured", summed: ["rapl:package-0"], domains: { "rapl:package-0": { power_w: 9, energy_j: 9, level: "package", provenance: "measured" } } },
})}\n`;

/** Another time of the whole, as a new measurement would give. */
function rewrite(profile, factor) {
  const file = join(profile, "profile.json");
  const json = JSON.parse(readFileSync(file, "utf8"));
  for (const node of json.tree) if (node.time_s !== null) node.time_s *= factor;
  writeFileSync(file, JSON.stringify(json));
}

const numberIn = (title) => Number.parseFloat(title.replaceAll(",", ""));

// Pages wait most of the time, so all of them wait at once.
describe("the site", { concurrency: true }, () => {
  test("the list follows what is added, and leads to pages and back", async () => {
    const { address, folder } = await serve();
    const { page, seen, close } = await openPage(browser, `${address}/`);
    assert.deepEqual(await page.locator("tbody th a").allTextContents(), ["first"]);
    cpSync(join(profiles, "device"), join(folder, "second"), { recursive: true });
    const added = page.locator("tbody th a", { hasText: "second" });
    await added.waitFor();
    assert.equal(await page.locator("tbody tr").count(), 2);
    await added.click();
    await page.locator("nav.tabs").waitFor();
    await page.getByRole("link", { name: "All results" }).click();
    await added.waitFor();
    assert.deepEqual(seen.complaints, []);
    for (const url of seen.requests) assert.ok(url.startsWith(`${address}/`), url);
    await close();
  });

  test("a page shows newer data at the same place", async () => {
    const { address, folder } = await serve();
    const { page, seen, close } = await openPage(browser, `${address}/page/first`, { view: "tree" });
    const time = page.locator(".quantities tr[data-key=time] td");
    await page.getByLabel("Colour").selectOption("energy");
    await page.locator(".subtree tbody tr.link th").first().click();
    const [path, before] = [await page.locator(".path").textContent(), numberIn(await time.getAttribute("title"))];
    rewrite(join(folder, "first"), 2);
    await page.waitForFunction((old) => Number.parseFloat(document.querySelector(".quantities tr[data-key=time] td")?.title.replaceAll(",", "") ?? old) !== old, before);
    assert.ok(Math.abs(numberIn(await time.getAttribute("title")) / before - 2) < 1e-6);
    assert.equal(await page.locator(".path").textContent(), path);
    assert.equal(await page.getByLabel("Colour").inputValue(), "energy");
    assert.equal(await page.locator("nav.tabs a[aria-current=page]").getAttribute("data-view"), "tree");
    assert.deepEqual(seen.complaints, []);
    await close();
  });

  test("a run is followed while it goes on", async () => {
    const { address, folder } = await serve();
    mkdirSync(join(folder, "run"));
    const lines = join(folder, "run", "power_metrics.json");
    writeFileSync(lines, line(1) + line(2));
    await new Promise((done) => setTimeout(done, 1100));
    const { page, seen, close } = await openPage(browser, `${address}/page/run`, { view: "recording", viewport: kPhone });
    const energy = page.locator("table td:nth-child(6)");
    assert.equal(numberIn(await energy.getAttribute("title")), 18);
    assert.ok((await page.locator("figure svg").count()) > 0);
    await page.getByText("live: going on").waitFor();
    appendFileSync(lines, line(3));
    await page.waitForFunction(() => document.querySelector("table td:nth-child(6)")?.title.startsWith("27"));
    appendFileSync(lines, '"END OF RECORDING SEGMENT"\n');
    await page.getByText("live", { exact: true }).waitFor();
    const [needed, there] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
    assert.ok(needed <= there, `the page is ${needed} pixels wide on ${there}`);
    assert.deepEqual(seen.complaints, []);
    await close();
  });

  test("a page whose result is damaged keeps what it shows, and says so", async () => {
    const { address, folder } = await serve();
    const { page, close } = await openPage(browser, `${address}/page/first`);
    const whole = readFileSync(join(folder, "first", "profile.json"), "utf8");
    writeFileSync(join(folder, "first", "profile.json"), whole.slice(0, 900));
    await page.getByText("not the newest: it cannot be read at the moment").waitFor();
    assert.equal(await page.locator("section.card").count(), 1);
    writeFileSync(join(folder, "first", "profile.json"), whole);
    await page.getByText("live", { exact: true }).waitFor();
    await close();
  });

  test("a token in the address becomes a cookie that scripts cannot read", async () => {
    const token = "0123456789abcdef-0123456789abcdef";
    const { address: locked } = await serve("--token", token);
    const context = await browser.newContext();
    const page = await context.newPage();
    assert.equal((await page.goto(`${locked}/`)).status(), 401);
    assert.equal((await page.goto(`${locked}/?token=${token}`)).status(), 200);
    assert.equal(page.url(), `${locked}/`);
    assert.equal(await page.evaluate(() => document.cookie), "");
    await page.locator("tbody th a", { hasText: "first" }).click();
    await page.getByText("live", { exact: true }).waitFor();
    await context.close();
  });

  test("when the server ends the page stays, and says so", async () => {
    const { address: other, server } = await serve();
    const { page, close } = await openPage(browser, `${other}/page/first`);
    server.kill("SIGTERM");
    await page.getByText("the server does not answer; trying again").waitFor();
    assert.ok((await page.locator("main").textContent()).length > 100);
    await close();
  });
});
