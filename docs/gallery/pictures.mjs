// node pictures.mjs REPORTS OUT: the pictures of docs/gallery.md and of the README, from the reports that make.sh wrote.
import { resolve, join } from "node:path";
import { pathToFileURL } from "node:url";
import { openPage, startBrowser } from "../../tests/page/browser.mjs";

const [, , reports, out] = process.argv;
const browser = await startBrowser();

async function picture(name, report, options, act = async () => {}) {
  const { page, close } = await openPage(browser, pathToFileURL(resolve(reports, `${report}.html`)).href, options);
  await act(page);
  await page.screenshot({ path: join(out, `${name}.png`) });
  await close();
}

async function zoomIn(page, ...path) {
  for (const name of path) await page.locator(".subtree tbody tr.link th", { hasText: new RegExp(`^${name}$`) }).first().click();
  await page.evaluate(() => scrollTo(0, 0));
}

for (const dark of [false, true])
  await picture(dark ? "tree-dark" : "tree", "profile", { view: "tree", dark, viewport: { width: 1200, height: 760 } }, (page) => zoomIn(page, "encoder", "layer.0"));
for (const study of ["resnet", "bert"]) await picture(study, study, { view: "sweep", viewport: { width: 1200, height: 900 } });
await browser.close();
