// Made-up data objects for the tests of the page: trees like those of a ResNet and a BERT, large ones, hostile names.
// Numbers come from a seeded generator, so that a test can be repeated.

const kBandwidth = 1.2e10;
const kSpeed = 5e10;
const kPower = 4.25;

function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** An operator: name, type, FLOPs, bytes, parameters. */
const op = (name, type, flops, bytes, params = 0) => ({ name, type, flops, bytes, params });
const block = (name, type, ...children) => ({ name, type, children: children.flat() });

function conv(name, side, from, to, kernel) {
  const flops = 2 * side * side * from * to * kernel * kernel;
  const weights = from * to * kernel * kernel + to;
  return op(name, "Conv", flops, 4 * (side * side * (from + to) + weights), weights);
}

export function resnet() {
  const stage = (name, blocks, side, width) =>
    block(name, "", Array.from({ length: blocks }, (_, i) =>
      block(String(i), "BasicBlock", conv("conv1", side, width, width, 3), conv("conv2", side, width, width, 3), op("add", "Add", side * side * width, 12 * side * side * width), op("relu", "Relu", side * side * width, 8 * side * side * width))));
  return block("resnet-18", "ResNet", conv("conv1", 112, 3, 64, 7), op("maxpool", "MaxPool", 9 * 56 * 56 * 64, 4 * 64 * (112 * 112 + 56 * 56)),
    stage("layer1", 2, 56, 64), stage("layer2", 2, 28, 128), stage("layer3", 2, 14, 256), stage("layer4", 2, 7, 512),
    op("avgpool", "GlobalAveragePool", 49 * 512, 4 * 50 * 512), op("fc", "Gemm", 2 * 512 * 1000, 4 * 513 * 1000, 513000));
}

export function bert(layers = 4, hidden = 256, length = 128) {
  const linear = (name, from, to) => op(name, "MatMul", 2 * length * from * to, 4 * (from * to + length * (from + to)), from * to + to);
  const layer = (i) =>
    block(String(i), "BertLayer",
      block("attention", "BertAttention",
        block("self", "BertSelfAttention", linear("query", hidden, hidden), linear("key", hidden, hidden), linear("value", hidden, hidden),
          op("scores", "MatMul", 2 * length * length * hidden, 8 * length * length * 4), op("softmax", "Softmax", 5 * length * length * 4, 8 * length * length * 4), op("context", "MatMul", 2 * length * length * hidden, 8 * length * length * 4)),
        block("output", "BertSelfOutput", linear("dense", hidden, hidden), op("LayerNorm", "LayerNormalization", 8 * length * hidden, 8 * length * hidden, 2 * hidden))),
      block("intermediate", "BertIntermediate", linear("dense", hidden, 4 * hidden), op("gelu", "Gelu", 8 * length * 4 * hidden, 8 * length * 4 * hidden)),
      block("output", "BertOutput", linear("dense", 4 * hidden, hidden), op("LayerNorm", "LayerNormalization", 8 * length * hidden, 8 * length * hidden, 2 * hidden)));
  return block(`bert-l${layers}-h${hidden}`, "BertModel",
    block("embeddings", "BertEmbeddings", op("word_embeddings", "Gather", 0, 8 * length * hidden, 30522 * hidden), op("LayerNorm", "LayerNormalization", 8 * length * hidden, 8 * length * hidden, 2 * hidden)),
    block("encoder", "BertEncoder", Array.from({ length: layers }, (_, i) => layer(i))),
    block("pooler", "BertPooler", op("dense", "Gemm", 2 * hidden * hidden, 4 * hidden * hidden, hidden * hidden), op("tanh", "Tanh", 8 * hidden, 8 * hidden)));
}

class Columns {
  texts = [];
  places = new Map();
  text(value) {
    if (!this.places.has(value)) {
      this.places.set(value, this.texts.length);
      this.texts.push(value);
    }
    return this.places.get(value);
  }
}

function rowsOf(root) {
  const rows = [];
  const visit = (node, parent, path) => {
    const row = { node, parent, path, children: [] };
    const at = rows.push(row) - 1;
    for (const child of node.children ?? []) row.children.push(visit(child, at, path ? `${path}.${child.name}` : child.name));
    return at;
  };
  visit(root, -1, "");
  return rows;
}

/** Times of operators from their work, sums for modules. */
function measure(rows, random) {
  for (let i = rows.length - 1; i >= 0; --i) {
    const row = rows[i];
    const { node } = row;
    if (node.children) {
      for (const key of ["flops", "bytes", "params", "time", "energy", "predicted_time", "predicted_energy"]) row[key] = row.children.reduce((sum, child) => sum + rows[child][key], 0);
      continue;
    }
    Object.assign(row, { flops: node.flops, bytes: node.bytes, params: node.params });
    row.time = (2e-6 + node.flops / kSpeed + node.bytes / kBandwidth) * (0.7 + 0.9 * random());
    row.energy = row.time * kPower * (0.95 + 0.1 * random());
    row.predicted_time = row.time * (0.6 + 0.9 * random());
    row.predicted_energy = row.predicted_time * kPower;
  }
}

const round = (value) => (value === null ? null : Number(value.toPrecision(9)));

function column(rows, key, title, unit, how, spread = 0) {
  const values = rows.map((row) => round(row[key]));
  const bounds = spread ? { low: values.map((one) => round(one * (1 - spread))), high: values.map((one) => round(one * (1 + spread))) } : {};
  return { key, title, unit, values, ...bounds, how };
}

function treeOf(rows, withPrediction) {
  const columns = new Columns();
  const tree = {
    parent: rows.map((row) => row.parent),
    kind: rows.map((row, i) => (i === 0 ? 0 : row.node.children ? 1 : 2)),
    name: rows.map((row) => columns.text(row.node.name)),
    type: rows.map((row) => (row.node.type ? columns.text(row.node.type) : -1)),
    columns: [column(rows, "time", "Time", "s", ["measured"], 0.02), column(rows, "energy", "Energy", "J", ["estimated"], 0.04), column(rows, "flops", "FLOPs", "1", ["counted"]), column(rows, "bytes", "Bytes moved", "B", ["counted"]), column(rows, "params", "Parameters", "1", ["counted"])],
  };
  if (withPrediction) tree.columns.push(column(rows, "predicted_time", "Time, predicted", "s", ["predicted"], 0.3), column(rows, "predicted_energy", "Energy, predicted", "J", ["predicted"], 0.3));
  return { texts: columns.texts, ...tree };
}

function phasesOf(rows) {
  const shares = { forward: 0.33, backward: 0.58, optimizer: 0.09 };
  return Object.entries(shares).map(([name, share]) => ({ name, time: rows.map((row) => round(share * row.time)), energy: rows.map((row) => round(share * row.energy)) }));
}

function quantity(value, unit, provenance, spread) {
  return { value: round(value), unit, provenance, ...(spread ? { low: round(value * (1 - spread)), high: round(value * (1 + spread)) } : {}) };
}

function ledgerOf(whole, sum) {
  const pair = (t, e, s) => ({ time: quantity(t, "s", "measured", s), energy: quantity(e, "J", "estimated", s) });
  return {
    lines: [
      { name: "Σ operators × count", note: "as measured", role: "sum", ...pair(sum.time, sum.energy, 0.01) },
      { name: "Speed-adjusted", note: "each operator corrected for how fast the whole model ran just before and after it", role: "part", ...pair(sum.time * 1.004, sum.energy * 1.004, 0.03) },
      { name: "Remainder", note: "calls of the engine, gaps between operators", role: "remainder", ...pair(whole.time - sum.time * 1.004, whole.energy - sum.energy * 1.004) },
      { name: "Whole model", note: "measured by itself", role: "whole", ...pair(whole.time, whole.energy, 0.015) },
    ],
    attribution_time: quantity((sum.time * 1.004) / whole.time, "share", "measured"),
    attribution_energy: quantity((sum.energy * 1.004) / whole.energy, "share", "estimated"),
    explanation: ["Attribution is the speed-adjusted sum divided by the whole."],
  };
}

function memoryOf(rows, random) {
  const operators = rows.filter((row) => !row.node.children);
  const alive = operators.map((row) => Math.round(row.bytes / 4 + 2e5 * random()));
  const at = alive.indexOf(Math.max(...alive));
  const tensors = Array.from({ length: 6 }, (_, i) => ({ name: `${operators[Math.max(0, at - i)].path}.out`, type: "float32 1x64x56x56", bytes: Math.round(alive[at] / 2 ** (i + 1)), made_by: operators[Math.max(0, at - i)].path }));
  const held = tensors.reduce((sum, one) => sum + one.bytes, 0);
  return { operators: operators.length, steps: alive.map((_, i) => i), alive, complete: true, weights: quantity(4 * rows[0].params, "B", "counted"), peak: quantity(alive[at], "B", "counted"), peak_operator: { name: operators[at].path, type: operators[at].node.type, step: at }, peak_tensors: tensors, other_tensors: { count: 3, bytes: alive[at] - held } };
}

/** An item like a profile. */
export function profile(root, { seed = 7, prediction = true, training = false, label = root.name } = {}) {
  const random = seeded(seed);
  const rows = rowsOf(root);
  measure(rows, random);
  const [top] = rows;
  const sum = { time: top.time, energy: top.energy };
  const whole = { time: top.time * 1.03, energy: top.energy * 1.028 };
  Object.assign(top, whole);
  const tree = treeOf(rows, prediction);
  if (training) tree.phases = phasesOf(rows);
  const metric = (name, title, ...rest) => ({ name, title, ...quantity(...rest) });
  return {
    kind: "profile",
    label,
    source: `profiles/${label}`,
    facts: [["engine", "ONNX Runtime 1.30.0"], ["machine", "a CPU that nobody sells, 2 CPUs"], ["threads", "1"], ["measured", "2026-11-18T10:00:00Z"], ["input", "float32 1x3x224x224"]],
    metrics: [metric("time_s", "Time", whole.time, "s", "measured", 0.015), metric("energy_j", "Energy", whole.energy, "J", "estimated", 0.04), metric("power_w", "Power", whole.energy / whole.time, "W", "estimated"), metric("macs", "MACs", top.flops / 2, "1", "counted"), metric("params", "Parameters", top.params, "1", "counted"), metric("memory_bytes", "Memory footprint", 4 * top.params + 9e6, "B", "counted"), metric("attribution_time", "Attribution, time", (sum.time * 1.004) / whole.time, "share", "measured"), { name: "accuracy", title: "Accuracy", value: null, unit: "share", provenance: null }],
    warnings: [],
    notes: ["open dimensions counted as 1: batch (set them with --dim NAME=SIZE)."],
    latency: { runs: 412, mean: whole.time * 1.01, median: whole.time, p90: whole.time * 1.06, p99: whole.time * 1.3, min: whole.time * 0.97, max: whole.time * 1.9 },
    tree,
    ledger: ledgerOf(whole, sum),
    memory: memoryOf(rows, random),
  };
}

export function crossvalidation() {
  const random = seeded(11);
  const fold = (left_out) => ({ left_out, ml: 5 + 12 * random(), module: 4 + 9 * random(), model: 2 + 12 * random(), time: { ml: 6 + 9 * random(), module: 4 + 8 * random(), model: 3 + 7 * random() }, coverage: { ml: 80 + 18 * random(), module: 84 + 15 * random(), model: 75 + 25 * random() } });
  return { kind: "crossvalidation", label: "device_1", source: "device_1.json", facts: [], metrics: [], warnings: [], notes: [],
    crossvalidation: { method: "ledger", features: "specs", predictions_look_at: "nothing measured", energy_provenance: "measured", folds: ["bert-base-uncased", "distilbert", "gpt2", "openai-gpt", "roberta-base", "distilgpt2"].map(fold), overall: { ml: 9.1, module: 7.7, model: 6.9 }, overall_time: { ml: 9.5, module: 7, model: 5.4 }, intervals: { level: 0.9, coverage: { ml: 90.1, module: 91.7, model: 88.2 }, width: { ml: 41, module: 36, model: 30 } } } };
}

/** Two runs: a long one, of which means and bounds are left, and one with a hole in it. */
export function recording() {
  const random = seeded(5);
  const spans = Array.from({ length: 400 }, (_, i) => i).filter((i) => i < 250 || i > 290);
  const curve = (name, provenance, level, bounded) => {
    const value = spans.map((i) => level * (0.6 + 0.4 * Math.sin(i / 40) ** 2 + 0.1 * random()));
    return { name, provenance, begin: spans, end: spans.map((i) => i + 1), value, ...(bounded ? { low: value.map((one) => 0.8 * one), high: value.map((one) => 1.3 * one) } : {}) };
  };
  const quantity = (value, unit, provenance) => ({ value, unit, provenance });
  const run = (number, end) => ({ number, command: `python3 train.py --epochs ${number}`, began: "2026-11-19 04:00:00.000000+00:00", end, time: quantity(200, "s", "measured"), energy: quantity(6200 * number, "J", "measured"), power: quantity(number === 1 ? 31 : null, "W", "measured") });
  return { kind: "recording", label: "run", source: "runs/run", facts: [["runs", "2"]], metrics: [{ name: "energy_j", title: "Energy", ...quantity(18600, "J", "measured") }], warnings: ["1 run has no summary: still going on, or interrupted; figures come from the recorded lines"], notes: [],
    recording: { plots: [{ title: "Power", unit: "W", end: 400, curves: [curve("total", "measured", 60, true), curve("rapl:package-0", "measured", 40, true)] }, { title: "CPU use", unit: "busy CPUs", end: 400, curves: [curve("CPU use of the command", "measured", 3, false)] }], runs: [run(1, "exit code 0"), run(2, "no summary")] } };
}

/** A study whose latency jumps between 300 and 350. */
export function sweep() {
  const random = seeded(23);
  const sizes = Array.from({ length: 10 }, (_, i) => 50 * (i + 1));
  const quantities = { size: ["Size", ""], macs: ["MACs", "1"], latency_median_s: ["Latency, median", "s"], energy_j: ["Energy per inference", "J"], power_w: ["Mean power", "W"], peak_pss_bytes: ["Memory in use, highest", "B"] };
  const how = { macs: "counted", energy_j: "estimated", power_w: "estimated" };
  const value = (median, spread, provenance) => ({ median, q1: median * (1 - spread), q3: median * (1 + spread), min: median * (1 - 2 * spread), max: median * (1 + 2 * spread), n: 10, provenance });
  const model = (name, slow) => {
    const formats = sizes.map((size) => {
      const latency = slow * (4e-4 + 2e-5 * size + (size > 300 ? 2.4e-3 : 0));
      const all = { macs: 4e5 * size, latency_median_s: latency, energy_j: 4.3 * latency, power_w: 4.3 + 0.01 * random(), peak_pss_bytes: 7e7 + 1e4 * size };
      const entries = Object.entries(all).map(([key, median]) => [key, value(median, key === "macs" ? 0 : 0.02 + 0.03 * random(), how[key] ?? "measured")]);
      return { format: String(size), size, batch: 1, threads: 1, runs: size === 500 ? 9 : 10, planned_runs: 10, failures: size === 500 ? ["run 7 failed: the worker was killed"] : [], quantities: Object.fromEntries(entries), latencies: { n: 1000, quantiles: [0, 0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 1].map((share) => [share, latency * (0.9 + 0.25 * share ** 3)]) } };
    });
    const breaks = (key, jump) => ({ criterion: "bootstrap", breaks: [{ after: 300, before: 350, at: 325, kind: "step", jump, jump_share: 0.35, p: 0.002 }] });
    const names = Object.keys(quantities);
    const matrix = names.map((_, i) => names.map((_, k) => (i === k ? 1 : i === 4 || k === 4 ? null : Number((1 - 0.12 * Math.abs(i - k) - 0.3 * (i + k > 7 ? 1.9 : 0)).toFixed(3)))));
    return { model: name, engine: "ONNX Runtime 1.30.0", size: "sequence", formats, series: [{ batch: 1, threads: 1, formats: sizes.map(String), laws: { latency_median_s: { exponent: 1.08, low: 0.98, high: 1.18, factor: 2.1e-5, r2: 0.99, n: 10 }, energy_j: { exponent: 1.09, low: 0.98, high: 1.2, factor: 9e-5, r2: 0.99, n: 10 }, macs: null }, breaks: { latency_median_s: breaks("latency_median_s", 2.4e-3 * slow), energy_j: breaks("energy_j", 1.04e-2 * slow) } }], correlations: { rows: 99, quantities: names, spearman: matrix, pearson: matrix } };
  };
  const models = [model("bert-l2-h128", 1), model("bert-l4-h128", 1.9)];
  return { kind: "sweep", label: "bert-lengths", source: "studies/bert", facts: [["began", "2026-11-18T19:40:11Z"], ["runs", "10"]], metrics: [], warnings: [], notes: [],
    sweep: { format: "jouletree-sweep", version: 1, quantities: Object.fromEntries(Object.entries(quantities).map(([key, [title, unit]]) => [key, { title, unit }])), models, correlations: models[0].correlations } };
}

/** As the program compares items. */
export function comparison(items) {
  const [first] = items;
  const metrics = first.metrics.map((metric) => {
    const values = items.map((item) => item.metrics.find((one) => one.name === metric.name));
    const compared = values.map((value, i) => (i === 0 || !value.value ? null : value.value / metric.value));
    return { name: metric.name, title: metric.title, unit: metric.unit, comparison: "ratio", values: values.map(({ name: _name, title: _title, ...value }) => value), compared, verdicts: compared.map((one, i) => (i === 0 ? null : one === null ? "unknown" : one > 1.05 ? "worse" : one < 0.95 ? "better" : "intervals overlap")) };
  });
  return { labels: items.map((item) => item.label), metrics, notes: ["profiles differ in the engine (a: X, b: Y)"] };
}

export function page(items, more = {}) {
  return { format: "jouletree page", version: 1, program: "jouletree 0.1.0", problems: [], items, ...more };
}

export const kHostile = ['<script>window.hurt = 1</script>', '<img src=x onerror="window.hurt = 2">', '"></script><script>window.hurt = 3</script>', "\u202egnp.exe", "a\u0000b\u001b[31m", "javascript:window.hurt=4", "]]><!--", "' onmouseover='window.hurt=5", "=HYPERLINK(\"http://a\")", "🔥".repeat(40)];

export function hostile() {
  return block("<b>hostile</b>", "<i>Type</i>", kHostile.map((name, i) => block(name, name, op(name, name, 1e6 * (i + 1), 1e5, 10))));
}

/** A tree of about this many nodes. */
export function large(nodes = 5000) {
  return { ...bert(Math.ceil(nodes / 21), 64, 64), name: `large-${nodes}` };
}

/** What stands in the page: no text of it can end the element. */
export function embedded(html, data) {
  const [head, tail] = html.split("JOULETREE-DATA");
  return head + JSON.stringify(data).replaceAll("<", "\\u003c") + tail;
}
