// node compare_test.mjs PROGRAM PROFILES: what the page says of differences is what `jouletree compare` says. PROFILES is
// a folder of profiles on a simulated clock.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { openPage, scratchFolder, startBrowser } from "./browser.mjs";

const [, , program, profiles] = process.argv;
const browser = await startBrowser();
after(() => browser.close());
const folder = scratchFolder();

function run(...options) {
  const { status, stdout, stderr } = spawnSync(program, options, { encoding: "utf8", maxBuffer: 1 << 28 });
  assert.equal(status, 0, stderr);
  return { stdout };
}

function report(name, ...paths) {
  const file = join(folder, `${name}.html`);
  run("report", ...paths, "-o", file);
  return { address: pathToFileURL(file).href };
}

const nine = (value) => Number(value.toPrecision(9));
const numberIn = (title) => Number.parseFloat(title.replaceAll(",", ""));

test("differences and verdicts are those of compare, what is larger than the noise first", async () => {
  const paths = ["steady", "short_of_time"].map((name) => join(profiles, name));
  const { differences, noise } = JSON.parse(run("compare", ...paths, "--format", "json").stdout);
  for (const verdict of [true, false, null]) assert.ok(differences.some((row) => row.significant === verdict), `the profiles have a difference that is ${verdict}`);
  const { address } = report("differences", ...paths);
  const { page, seen, close } = await openPage(browser, address, { view: "compare" });
  for (const [key, metric] of [["time", "time_s"], ["energy", "energy_j"]]) {
    await page.getByLabel("Quantity").selectOption(key);
    for (const [table, levels] of [["types compared", ["type"]], ["modules compared", ["model", "module"]]]) {
      const rows = page.locator(`[aria-label="${table}"] tbody tr`);
      const told = differences.filter((row) => row.metric === metric && levels.includes(row.level));
      assert.equal(await rows.count(), told.length);
      const ranks = [];
      for (const line of await rows.all()) {
        const cells = await line.locator("th, td").evaluateAll((all) => all.map((cell) => ({ text: cell.textContent, title: cell.title })));
        const [name, a, b, , ratio, interval, verdict] = cells;
        const row = told.find((one) => (one.level === "model" ? "(whole model)" : one.name || "(top)") === name.text);
        const number = (cell, value) => (value === null ? assert.equal(cell.text, "") : assert.equal(numberIn(cell.title), nine(value), `${metric} of ${row.name}`));
        number(a, row.a);
        number(b, row.b);
        if (row.ratio !== null) number(ratio, row.ratio);
        assert.equal(interval.title, row.low === null ? "" : `${nine(row.low)} to ${nine(row.high)}`);
        if (row.significant === null) assert.equal(verdict.text, `not tested: ${row.untested}`);
        else {
          const p = row.p < 1e-4 ? "below 0.0001" : Number(row.p.toPrecision(2));
          assert.equal(verdict.text, `${row.significant ? "larger than" : "within"} the noise, p ${p}`);
        }
        assert.equal((await line.getAttribute("class")) === "within", row.significant === false);
        ranks.push([true, null, false].indexOf(row.significant));
      }
      assert.deepEqual(ranks, [...ranks].sort((one, other) => one - other), table);
    }
    const whole = differences.find((row) => row.level === "model" && row.metric === metric);
    const inMetrics = page.locator('[aria-label="comparison"] tbody tr', { hasText: key === "time" ? /^Time/ : /^Energy\d/ });
    assert.equal((await inMetrics.getAttribute("class")) === "within", !whole.significant, `${metric} among the metrics`);
  }
  const tested = differences.filter((row) => row.significant !== null);
  const sentence = await page.locator(".noise").textContent();
  assert.ok(sentence.startsWith(`${tested.filter((row) => row.significant).length} of ${tested.length} differences`), sentence);
  assert.ok(sentence.includes(`by up to ${Math.ceil(100 * noise[0].share)} %`), sentence);
  await page.getByLabel("First").selectOption("1");
  await page.getByLabel("Second").selectOption("0");
  assert.match(await page.locator(".noise").textContent(), /^Only differences from .*steady.* are tested/);
  assert.deepEqual(seen.complaints, []);
  await close();
});

test("profiles of a busy machine have no verdicts", async () => {
  const busy = join(folder, "busy");
  cpSync(join(profiles, "steady"), busy, { recursive: true });
  const path = join(busy, "profile.json");
  const json = JSON.parse(readFileSync(path, "utf8"));
  rmSync(path);
  writeFileSync(path, JSON.stringify({ ...json, others: { cpus: 1.8, of_cpus: 2, stolen_cpus: 0 } }));
  const paths = [join(profiles, "steady"), busy];
  const { noise } = JSON.parse(run("compare", ...paths, "--format", "json").stdout);
  const { address } = report("busy", ...paths);
  const { page, close } = await openPage(browser, address, { view: "compare" });
  assert.equal(await page.locator(".noise").textContent(), `Cannot be told from noise: ${noise[0].doubt.replace(/^busy/, "model (busy)")}.`);
  assert.equal(await page.locator("tr.within").count(), 0);
  await close();
});
