// node report_test.mjs PROGRAM PROFILES: pages that `jouletree report` writes, read in Chromium. PROFILES is a folder of
// profiles on a simulated clock.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { openPage, scratchFolder, showView, startBrowser } from "./browser.mjs";
import * as sample from "./sample_data.mjs";

const [, , program, profiles] = process.argv;
const browser = await startBrowser();
after(() => browser.close());
const folder = scratchFolder();

function run(...options) {
  const { status, stdout, stderr } = spawnSync(program, options, { encoding: "utf8", maxBuffer: 1 << 28 });
  return { status, stdout, stderr };
}

/** Writes a page; its address, and what the program said. */
function report(name, ...options) {
  const file = join(folder, `${name}.html`);
  const { status, stderr } = run("report", ...options, "-o", file);
  assert.equal(status, 0, stderr);
  return { address: pathToFileURL(file).href, file, stderr };
}

const nine = (value) => (value === null ? null : Number(value.toPrecision(9)));
const numberIn = (title) => Number.parseFloat(title.replaceAll(",", ""));

for (const name of ["steady", "device", "reused", "short_of_time", "busy"]) {
  test(`the numbers on the page are those of profile.json (${name})`, async () => {
    const source = join(profiles, name);
    const json = JSON.parse(readFileSync(join(source, "profile.json"), "utf8"));
    const { address } = report(name, source);
    const { page, seen, close } = await openPage(browser, address, { view: "tree" });
    for (const node of json.tree) {
      for (const part of node.scope === "" ? [""] : node.scope.split("."))
        if (part !== "") await page.locator(".subtree tbody tr.link th", { hasText: new RegExp(`^${part}$`) }).first().click();
      for (const [key, value] of [["time", node.time_s], ["energy", node.energy_j]]) {
        const cell = page.locator(`.quantities tr[data-key=${key}] td`);
        if (value === null) {
          assert.equal(await cell.count(), 0);
          continue;
        }
        assert.equal(numberIn(await cell.getAttribute("title")), nine(value), `${key} of '${node.scope}'`);
        const how = key === "time" ? node.time_provenance : node.energy_provenance;
        assert.ok((await cell.locator(".how").textContent()).endsWith(how), `${key} of '${node.scope}' is ${how}`);
      }
      await page.getByRole("button", { name: "Whole model" }).click();
    }
    await showView(page, "overview");
    await page.getByText("All metrics").click();
    for (const [metric, { value, unit, provenance }] of Object.entries(json.metrics)) {
      const row = page.locator(`tr[data-metric=${metric}]`);
      const [shown, how] = [row.locator("td.number"), row.locator("td.how")];
      if (value === null) assert.equal(await shown.textContent(), "?");
      else assert.equal(numberIn(await shown.getAttribute("title")), nine(value), `${metric} (${unit})`);
      if (value !== null) assert.equal(await how.textContent(), provenance);
    }
    await showView(page, "ledger");
    const whole = page.locator("tr.role-whole").first().locator("td.number").first();
    assert.equal(numberIn(await whole.getAttribute("title")), nine(json.ledger.time_s.whole));
    assert.deepEqual(seen.complaints, []);
    await close();
  });
}

test("every view of a model and its profiles is drawn", async () => {
  const { address, file } = report("several", join(profiles, "steady"), join(profiles, "device"), "resnet-18", "bert-l2-h128", "--dim", "sequence=8");
  assert.ok(statSync(file).size < 1e6);
  const { page, seen, close } = await openPage(browser, address);
  const views = await page.locator("nav.tabs a").evaluateAll((tabs) => tabs.map((tab) => tab.dataset.view));
  assert.deepEqual(views, ["overview", "tree", "operators", "memory", "ledger", "compare"]);
  for (const view of views) {
    await showView(page, view);
    assert.ok((await page.locator("main").textContent()).length > 100);
  }
  assert.deepEqual(seen.complaints, []);
  assert.equal(seen.requests.length, 1);
  await close();
});

test("the peak of activations is the one that inspect counts", async () => {
  const counted = JSON.parse(run("inspect", "resnet-18", "--format", "json").stdout);
  const { address } = report("peak", "resnet-18");
  const { page, close } = await openPage(browser, address, { view: "memory" });
  const peak = page.locator(".tile", { hasText: "Peak of activations" }).locator("b");
  assert.equal(numberIn(await peak.getAttribute("title")), counted.metrics.activation_bytes.value);
  const held = await page.locator(".table td:nth-child(3)").evaluateAll((cells) => cells.map((cell) => Number.parseFloat(cell.title.replaceAll(",", ""))));
  assert.equal(held.reduce((sum, one) => sum + one, 0), counted.metrics.activation_bytes.value);
  await close();
});

test("what is broken is named, and the rest is shown", async () => {
  const broken = join(folder, "broken");
  cpSync(join(profiles, "steady"), broken, { recursive: true });
  writeFileSync(join(broken, "profile.json"), readFileSync(join(profiles, "steady", "profile.json"), "utf8").slice(0, 900));
  const newer = join(folder, "newer");
  cpSync(join(profiles, "steady"), newer, { recursive: true });
  writeFileSync(join(newer, "profile.json"), readFileSync(join(profiles, "steady", "profile.json"), "utf8").replace('"version": 1', '"version": 7'));
  const empty = join(folder, "empty");
  mkdirSync(empty);
  const { address, stderr } = report("problems", broken, newer, empty, join(folder, "nowhere"), join(profiles, "device"));
  const { page, close } = await openPage(browser, address);
  const listed = await page.locator(".problems li").allTextContents();
  assert.equal(listed.length, 4);
  for (const problem of listed) assert.ok(stderr.includes(problem), problem);
  for (const part of ["broken", "newer", "empty", "nowhere"]) assert.ok(listed.some((one) => one.includes(part)), part);
  assert.equal(await page.locator("section.card").count(), 1);
  await close();
});

test("studies and cross-validations come from their files", async () => {
  const study = join(folder, "lengths");
  mkdirSync(study);
  writeFileSync(join(study, "sweep.json"), JSON.stringify({ ...sample.sweep().sweep, complete: false }));
  const folds = join(folder, "folds.json");
  writeFileSync(folds, JSON.stringify(sample.crossvalidation().crossvalidation));
  const unfinished = join(folder, "unfinished");
  mkdirSync(join(unfinished, "input_50", "run_1"), { recursive: true });
  const { address, stderr } = report("studies", study, folds, unfinished);
  assert.match(stderr, /unfinished: holds the runs of a sweep, but no sweep\.json; make it with 'jouletree sweep compile/);
  const { page, seen, close } = await openPage(browser, address);
  assert.match(await page.locator("main").textContent(), /the study is not finished/);
  await showView(page, "sweep");
  assert.match(await page.locator("main").textContent(), /step between 300 and 350/);
  await showView(page, "crossvalidation");
  assert.match(await page.locator("main").textContent(), /Inside their 90 % interval/);
  assert.deepEqual(seen.complaints, []);
  await close();
});

test("a prediction stands beside what was measured of the same model", async () => {
  const { model, tree } = JSON.parse(readFileSync(join(profiles, "steady", "profile.json"), "utf8"));
  const nodes = tree.map((node) => ({ id: `${model}|1||${["root", node.scope].filter(Boolean).join(".")}`, type: node.type ?? "", level: node.kind === "operator" ? "ml" : node.kind, metrics: { time_s: { value: 0.004, unit: "s", provenance: "predicted", low: 0.003, high: 0.005 } } }));
  const file = join(folder, "prediction.json");
  writeFileSync(file, JSON.stringify({ runs: [{ model, nodes, metrics: nodes[0].metrics }] }));
  const { address } = report("predicted", join(profiles, "steady"), file);
  const { page, seen, close } = await openPage(browser, address, { view: "tree" });
  const cell = page.locator(".quantities tr[data-key=predicted_time] td");
  assert.equal(numberIn(await cell.getAttribute("title")), 0.004);
  assert.match(await cell.textContent(), /3\.000 to 5\.000 ms · predicted/);
  assert.equal(numberIn(await page.locator(".quantities tr[data-key=time_ratio] td").getAttribute("title")), nine(0.004 / tree[0].time_s));
  await showView(page, "operators");
  assert.equal(await page.getByRole("heading", { name: "Time: measured against predicted" }).count(), 1);
  assert.deepEqual(seen.complaints, []);
  await close();
});

test("the phases of a training step are those of profile.json", async () => {
  const step = join(folder, "step");
  cpSync(join(profiles, "steady"), step, { recursive: true });
  const path = join(step, "profile.json");
  const json = JSON.parse(readFileSync(path, "utf8"));
  const phase = (time) => ({ time_s: time, time_provenance: "measured", energy_j: null, energy_provenance: null, operators_in_place: 0, operators_unmeasured: 0 });
  for (const node of json.tree) node.phases = { forward: phase(node.time_s / 3), backward: phase(node.time_s / 2), optimizer: phase(node.time_s / 6) };
  rmSync(path);
  writeFileSync(path, JSON.stringify(json));
  const { address } = report("training", step);
  const { page, seen, close } = await openPage(browser, address, { view: "training" });
  const modules = json.tree.filter((node) => node.kind !== "operator");
  for (const [column, name] of [[5, "forward"], [6, "backward"], [7, "optimizer"]]) {
    const titles = await page.locator(`.table tbody td:nth-child(${column})`).evaluateAll((cells) => cells.map((cell) => cell.title));
    assert.deepEqual(titles.map(numberIn), modules.map((node) => nine(node.phases[name].time_s)), name);
  }
  assert.equal(await page.locator("figure svg").count() > 0, true);
  assert.deepEqual(seen.complaints, []);
  await close();
});

test("nothing is written where nothing can be read", () => {
  const file = join(folder, "nothing.html");
  const { status, stderr } = run("report", join(folder, "nowhere"), "-o", file);
  assert.equal(status, 2);
  assert.match(stderr, /nowhere/);
  assert.throws(() => statSync(file));
});

test("a name cannot end the element that holds the data", async () => {
  const hostile = join(folder, "hostile");
  cpSync(join(profiles, "steady"), hostile, { recursive: true });
  for (const name of ["profile.json", "tree.jsonl"]) {
    const path = join(hostile, name);
    const text = readFileSync(path, "utf8").replaceAll('"a.Relu"', '"a.</script><script>window.hurt=1</script>"').replaceAll('"Relu"', '"</script><script>window.hurt=1</script>"').replaceAll("root.a.Relu", "root.a.</script><script>window.hurt=1</script>");
    rmSync(path);
    writeFileSync(path, text);
  }
  const { address } = report("hostile", hostile);
  const { page, seen, close } = await openPage(browser, address, { view: "operators" });
  assert.equal(await page.evaluate(() => window.hurt), undefined);
  assert.match(await page.locator("main").textContent(), /<script>window\.hurt=1/);
  assert.deepEqual(seen.complaints, []);
  await close();
});

test("the data alone are the same as in the page", () => {
  const { file } = report("data", join(profiles, "steady"));
  const { stdout } = run("report", join(profiles, "steady"), "--format", "json", "-o", "-");
  const html = readFileSync(file, "utf8");
  const embedded = html.slice(html.indexOf('id="data">') + 10, html.indexOf("</script>"));
  assert.deepEqual(JSON.parse(embedded), JSON.parse(stdout));
});
