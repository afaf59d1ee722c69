// What the page costs: node benchmarks/page.mjs [ROUNDS]   (after `make web`; needs Chromium)
//
// Every round measures the page and, beside it, a bare page that does nothing but start Pyodide in a worker,
// first with an empty cache, then with a full one. Times are milliseconds, medians with lowest and highest.
import { readFile, readdir } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { chromium } from "../web/node_modules/playwright-core/index.mjs";

const top = path.join(path.dirname(fileURLToPath(import.meta.url)), "..");
const dist = path.join(top, "web", "dist");
const rounds = Number(process.argv[2] ?? 5);
const slug = "scalar_engine";
const TYPES = {
  ".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".mjs": "text/javascript",
  ".wasm": "application/wasm", ".json": "application/json", ".svg": "image/svg+xml",
};
const FLAGS = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
];
const { info } = JSON.parse(await readFile(path.join(top, "web", "pyodide.json"), "utf8"));

const BARE = {
  "/bare.html": `<!doctype html><script type="module" src="bare.js"></script>`,
  "/bare.js": `const worker = new Worker("bare_worker.js", { type: "module" });
worker.onmessage = ({ data }) => (document.documentElement.dataset.ready = data);`,
  "/bare_worker.js": `import { loadPyodide } from "./pyodide/pyodide.mjs";
const lockFileContents = { info: ${JSON.stringify(info)}, packages: {} };
const python = await loadPyodide({ lockFileContents, packageBaseUrl: "/pyodide/" });
postMessage(python.runPython("1 + 1"));`,
};

const server = createServer(async (request, response) => {
  const name = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
  try {
    const body = BARE[name] ?? (await readFile(path.join(dist, path.normalize(name))));
    response.setHeader("Content-Type", TYPES[path.extname(name)] ?? "application/octet-stream");
    response.setHeader("Cache-Control", "max-age=3600");
    response.end(body);
  } catch {
    response.statusCode = 404;
    response.end();
  }
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${server.address().port}/`;

const solution = await readFile(path.join(top, "solutions", slug, "solution.py"), "utf8");
const reference = solution.replace(/^ *### (BEGIN|END) SOLUTION\n/gm, "");
const times = {};
const note = (what, milliseconds) => (times[what] ??= []).push(milliseconds);

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS });

async function ready(context, name, selector) {
  const page = await context.newPage();
  const began = performance.now();
  await page.goto(url + name);
  await page.waitForSelector(selector, { state: "attached", timeout: 120_000 });
  return [performance.now() - began, page];
}

async function write(page, code) {
  await page.click("#editor .cm-content");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(code);
  await page.waitForSelector('body[data-python="ready"]');
  await page.evaluate(() => delete document.body.dataset.lastRun);
}

async function measureRuns(page) {
  for (let i = 0; i < 3; i += 1) {
    await write(page, reference);
    await page.click("#run");
    await page.waitForSelector("body[data-last-run]");
    const ended = performance.now();
    note("the page: a Run of the reference, all visible checks", Number(await page.evaluate(() => document.body.dataset.lastRun)));
    if (!/^All/.test(await page.textContent("#status"))) throw new Error("the reference did not pass");
    await page.waitForSelector('body[data-python="ready"]');
    note("the page: the next Python stands ready after a Run", performance.now() - ended);
  }
  await write(page, "while True: pass");
  await page.click("#run");
  await page.waitForTimeout(500);
  const asked = performance.now();
  await page.click("#stop");
  await page.waitForSelector("body[data-last-run]");
  note("the page: Stop of an endless loop", performance.now() - asked);
  await page.waitForSelector('body[data-python="ready"]');
  note("the page: the next Python stands ready after Stop", performance.now() - asked);
}

for (let round = 0; round < rounds; round += 1) {
  for (const [what, name, selector] of [
    ["bare Pyodide", "bare.html", "html[data-ready]"],
    ["the page", `${slug}.html`, 'body[data-python="ready"]'],
  ]) {
    const context = await browser.newContext({ viewport: { width: 1360, height: 900 } });
    const [cold, first] = await ready(context, name, selector);
    note(`${what}: ready, empty cache`, cold);
    await first.close();
    const [warm, page] = await ready(context, name, selector);
    note(`${what}: ready, full cache`, warm);
    if (what === "the page") await measureRuns(page);
    await context.close();
  }
}
await browser.close();
server.close();

const sizes = {};
for (const entry of await readdir(dist, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue;
  const file = path.join(entry.parentPath, entry.name);
  const bytes = await readFile(file);
  const parts = path.relative(dist, file).split(path.sep);
  const name = parts.length > 1 ? `${parts[0]}/` : path.extname(file);
  sizes[name] ??= [0, 0];
  sizes[name][0] += bytes.length;
  sizes[name][1] += gzipSync(bytes, { level: 6 }).length;
}
const row = (name, raw, packed) => console.log(`${name.padEnd(14)} ${String(raw).padStart(10)} ${String(packed).padStart(10)}`);
row("bytes", "raw", "gzip");
for (const [name, [raw, packed]] of Object.entries(sizes).sort(([, a], [, b]) => b[1] - a[1])) row(name, raw, packed);
const sum = (i) => Object.values(sizes).reduce((total, pair) => total + pair[i], 0);
row("all", sum(0), sum(1));
console.log();
for (const [what, list] of Object.entries(times)) {
  const sorted = [...list].sort((a, b) => a - b).map(Math.round);
  const median = sorted[Math.floor(sorted.length / 2)];
  console.log(`${what.padEnd(55)} ${String(median).padStart(6)}   [${sorted[0]} to ${sorted.at(-1)}], n=${sorted.length}`);
}
