// Makes the page of `jouletree report` without its data: one HTML file, in two halves that a C++ file holds.
//   node build.mjs --html FILE   the page, with a mark where the data belongs
//   node build.mjs --cpp FILE    the same as C++ source for the program; with --depfile FILE also what it was made from
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";

const folder = dirname(fileURLToPath(import.meta.url));
const kLargestPage = 300 * 1024;
const kDataMark = "JOULETREE-DATA";

// Observable Plot can draw maps of the world, axes of dates and legends, and holds dozens of colour scales and curves,
// together more than a third of its code. The page needs none of it: these modules are replaced by their names alone, or
// by what stands under the same name in lean/.
const kPackages = "(d3-geo|d3-scale-chromatic|d3-time|d3-time-format)[\\\\/](?:src[\\\\/]index\\.js|dist[\\\\/]d3-[a-z-]+\\.mjs)";
const kPlotModules = "@observablehq[\\\\/]plot[\\\\/]src[\\\\/](?:time|scales[\\\\/](?:diverging|schemes|temporal))\\.js";
const kLeftOut = new RegExp(`[\\\\/]node_modules[\\\\/](?:${kPackages}|${kPlotModules})$`);
const kReplaced = /[\\/]node_modules[\\/]@observablehq[\\/]plot[\\/]src[\\/](curve|legends)\.js$/;
const withoutSpare = {
  name: "without-spare",
  setup(bundler) {
    bundler.onLoad({ filter: kLeftOut }, async ({ path }) => {
      const names = Object.keys(await import(pathToFileURL(path)));
      const exported = names.map((name) => `nothing as ${name}`).join(", ");
      return { contents: `const nothing = () => undefined; export { ${exported} };`, loader: "js" };
    });
    bundler.onLoad({ filter: kReplaced }, ({ path }) => {
      const own = join(folder, "lean", basename(path));
      return { contents: readFileSync(own, "utf8"), loader: "js", resolveDir: folder, watchFiles: [own] };
    });
  },
};

async function bundle() {
  const result = await build({
    entryPoints: [join(folder, "src/main.ts")],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    absWorkingDir: folder,
    outdir: "out",
    format: "iife",
    target: ["es2022", "chrome111", "firefox113", "safari16.4"],
    charset: "utf8",
    legalComments: "none",
    logLevel: "warning",
    plugins: [withoutSpare],
  });
  const ending = (name) => result.outputFiles.find((file) => file.path.endsWith(name)).text.trim();
  const lean = ["curve.js", "legends.js"].map((name) => join(folder, "lean", name));
  const sources = [...Object.keys(result.metafile.inputs).map((path) => join(folder, path)), ...lean];
  return { script: ending(".js"), style: ending(".css"), sources };
}

const hashOf = (text) => `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`;

// Nothing may be fetched, framed or sent. Plot puts style elements into its charts, so styles cannot be listed by hash.
function policyFor(script) {
  return [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

function pageOf({ script, style }) {
  // A script element ends at its first closing tag, whatever the language inside says.
  const safe = script.replaceAll(/<\/(script)/gi, "<\\/$1").replaceAll("<!--", "<\\!--");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyFor(safe)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="jouletree report">
<title>JouleTree</title>
<style>${style}</style>
</head>
<body>
<noscript>This page draws its charts itself and needs JavaScript. It fetches nothing.</noscript>
<div id="page"></div>
<script type="application/json" id="data">${kDataMark}</script>
<script>${safe}</script>
</body>
</html>
`;
}

// Compilers take string literals of any size in pieces.
function literal(text) {
  const pieces = text.match(/[\s\S]{1,8000}/gu) ?? [];
  return pieces.map((piece) => `    R"_jt_(${piece})_jt_"`).join("\n");
}

function cppOf(page) {
  const [head, tail] = page.split(kDataMark);
  return `// Made by web/build.mjs.
#include "report/page/page_parts.hpp"

namespace jouletree::report {

PageParts page_parts() {
  return {
${literal(head)},
${literal(tail)}};
}

}  // namespace jouletree::report
`;
}

/** For make and ninja: the file, and what it depends on. */
function rule(target, sources) {
  const escaped = (path) => path.replaceAll(/[ #]/g, "\\$&").replaceAll("$", "$$$$");
  return `${escaped(target)}: ${sources.map(escaped).join(" \\\n  ")}\n`;
}

const text = { type: "string" };
const { values } = parseArgs({ options: { html: text, cpp: text, depfile: text } });
const { sources, ...code } = await bundle();
const page = pageOf(code);
const bytes = Buffer.byteLength(page);
if (bytes > kLargestPage) throw new Error(`the page has ${bytes} bytes of code; ${kLargestPage} are allowed`);
for (const [file, content] of [
  [values.html, page],
  [values.cpp, cppOf(page)],
  [values.depfile, rule(values.cpp ?? "", sources)],
]) {
  if (!file) continue;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}
console.error(`page: ${bytes} bytes of code`);
