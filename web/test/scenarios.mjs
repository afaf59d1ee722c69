// node scenarios.mjs NAME < {url, browser, …}: one story of a learner in a real browser. Fails loudly.
//
// Every story also fails on a request to anywhere but the page's own origin, on anything the content policy
// refused, and on any error in the console that it did not expect.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

const FLAGS = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
];

let text = "";
for await (const chunk of process.stdin) text += chunk;
const given = JSON.parse(text);
const { url, slug, starter, reference } = given;

const browser = await chromium.launch({ executablePath: given.browser, args: FLAGS });
const complaints = [];
let expected = []; // parts of complaints that this story brings about

async function openContext(options = {}) {
  const context = await browser.newContext({ viewport: { width: 1360, height: 900 }, acceptDownloads: true, ...options });
  context.setDefaultTimeout(60_000);
  context.on("request", (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith("blob:") && !request.url().startsWith("data:")) complaints.push(`a request to ${request.url()}`);
  });
  context.on("page", (page) => {
    page.on("pageerror", (error) => complaints.push(`an error: ${error.message}`));
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(`in the console: ${message.text()}`);
    });
  });
  return context;
}

/** A learner with one problem page open. */
class Learner {
  constructor(page) {
    this.page = page;
  }

  static async at(name = slug, { context, options, ...rest } = {}) {
    const learner = new Learner(await (context ?? (await openContext(options))).newPage());
    await learner.open(name, rest);
    return learner;
  }

  async open(name, { ready = true } = {}) {
    await this.page.goto(`${url}${name}.html`);
    if (ready) await this.page.waitForSelector("body[data-ready]");
  }

  get code() {
    return this.page.evaluate(() => document.querySelector("#editor .cm-content").cmTile?.view?.state.doc.toString() ?? null);
  }

  /** As a paste: one edit, without the editor's own brackets and indents. */
  async write(code) {
    await this.page.click("#editor .cm-content");
    await this.page.keyboard.press("ControlOrMeta+a");
    await this.page.keyboard.press("Delete");
    if (code) await this.page.keyboard.insertText(code);
  }

  async started() {
    await this.page.evaluate(() => delete document.body.dataset.lastRun);
  }

  async finished() {
    await this.page.waitForSelector("body[data-last-run]", { timeout: 120_000 });
  }

  async run() {
    await this.started();
    await this.page.click("#run");
    await this.finished();
    return this.rows();
  }

  async try(code) {
    await this.write(code);
    return this.run();
  }

  /** `{name: {status, title, message}}` as the page shows them. */
  rows() {
    return this.page.evaluate(() =>
      Object.fromEntries(
        [...document.querySelectorAll(".check")].map((row) => [
          row.dataset.name,
          {
            status: row.dataset.status,
            word: row.querySelector(".word").textContent,
            message: row.querySelector(".message")?.textContent ?? "",
            open: row.querySelector("details").open,
          },
        ]),
      ),
    );
  }

  status() {
    return this.page.textContent("#status");
  }
}

const statuses = (rows) => Object.values(rows).map((row) => row.status);
const count = (rows, status) => statuses(rows).filter((found) => found === status).length;
const allPassed = (rows) => assert.deepEqual(new Set(statuses(rows)), new Set(["passed"]));

/** Have the time limit be short, so that a test need not wait for it. */
async function hurry(context, seconds) {
  await context.route("**/exercises/*.json", async (route) => {
    const exercise = await (await route.fetch()).json();
    exercise.limits = { seconds, impatientSeconds: seconds / 2 };
    await route.fulfill({ json: exercise });
  });
}

async function axe(page, what) {
  await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => {}))));
  await page.evaluate(await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));
  const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  assert.deepEqual(serious.map(({ id, nodes }) => [what, id, nodes.map((node) => node.target.join(" ")).slice(0, 4), nodes[0].failureSummary]), []);
}

const sideways = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

const stories = {
  async starter_is_not_started() {
    const learner = await Learner.at();
    const rows = await learner.run();
    assert.deepEqual(new Set(statuses(rows)), new Set(["not_started"]));
    assert.match(await learner.page.textContent("#score"), /Nothing written yet/);
    assert.equal(await learner.page.locator(".cm-lint-marker-error").count(), 0);
    assert.equal(await learner.page.locator(".check details[open]").count(), 0);
  },

  async reference_passes_and_the_mark_stays() {
    const learner = await Learner.at();
    allPassed(await learner.try(reference));
    assert.match(await learner.status(), /^All \d+ checks passed$/);
    assert.match(await learner.page.textContent(".done"), /hidden check/);
    const [download] = await Promise.all([learner.page.waitForEvent("download"), learner.page.click(".done button")]);
    assert.equal(download.suggestedFilename(), "solution.py");
    assert.equal(await readFile(await download.path(), "utf8"), reference);
    await learner.page.reload();
    await learner.page.waitForSelector("body[data-ready]");
    assert.equal(await learner.page.textContent("#state"), "passed");
    assert.match(await learner.page.textContent("#editor"), /BEGIN|def /);
    await learner.page.goto(`${url}index.html`);
    assert.equal(await learner.page.textContent(`[data-slug="${slug}"] .state`), "passed");
    assert.equal(await learner.page.getAttribute(`[data-slug="${slug}"]`, "data-state"), "passed");
  },

  async each_todo_turns_something_green() {
    const learner = await Learner.at();
    let before = -1;
    for (const step of given.steps) {
      const green = count(await learner.try(step), "passed");
      assert.ok(green > before, `${green} after ${before}`);
      before = green;
    }
  },

  async mistakes_show_what_the_command_shows() {
    const learner = await Learner.at();
    for (const { name, code, rows: wanted } of given.mistakes) {
      const rows = await learner.try(code);
      const shown = Object.fromEntries(Object.entries(rows).map(([check, { status, message }]) => [check, [status, message]]));
      const asText = Object.fromEntries(Object.entries(wanted).map(([check, [status, message]]) => [check, [status, message.replace(/`([^`\n]+)`/g, "$1")]]));
      assert.deepEqual(shown, asText, name);
    }
  },

  async syntax_error_is_marked_at_its_line() {
    const learner = await Learner.at();
    const rows = await learner.try("x = 1\n\ny = (2 +\n");
    assert.deepEqual(new Set(statuses(rows)), new Set(["not_run"]));
    assert.match(await learner.page.textContent(".whole-file"), /SyntaxError: '\(' was never closed/);
    assert.match(await learner.page.textContent(".whole-file"), /line 3/);
    await learner.page.click(".whole-file button");
    const marker = await learner.page.locator(".cm-lint-marker-error").boundingBox();
    const line = await learner.page.locator(".cm-lineNumbers .cm-gutterElement", { hasText: /^3$/ }).boundingBox();
    assert.ok(Math.abs(marker.y + marker.height / 2 - (line.y + line.height / 2)) < 8);
    allPassed(await learner.try(reference));
    assert.equal(await learner.page.locator(".cm-lint-marker-error").count(), 0);
  },

  async endless_loop_is_stopped_by_the_button() {
    const learner = await Learner.at();
    await learner.write("while True:\n    pass\n");
    await learner.started();
    await learner.page.click("#run");
    await learner.page.waitForTimeout(1500);
    const asked = Date.now();
    await learner.page.click("#stop");
    await learner.finished();
    assert.ok(Date.now() - asked < 2000);
    assert.equal(await learner.status(), "Stopped");
    assert.match(await learner.page.textContent("#editor .cm-content"), /while True/);
    allPassed(await learner.try(reference));
  },

  async stop_works_while_python_is_still_loading() {
    const context = await openContext();
    let release;
    const held = new Promise((resolve) => (release = resolve));
    await context.route("**/pyodide.asm.wasm", async (route) => (await held, route.continue()));
    const learner = await Learner.at(slug, { context });
    await learner.started();
    await learner.page.click("#run");
    await learner.page.click("#stop");
    await learner.finished();
    assert.equal(await learner.status(), "Stopped");
    release();
    allPassed(await learner.try(reference));
  },

  async endless_loop_is_stopped_by_the_limit() {
    const context = await openContext();
    await hurry(context, 2);
    const learner = await Learner.at(slug, { context });
    const rows = await learner.try(given.hangs);
    assert.ok(count(rows, "error") > 0);
    const hung = Object.values(rows).find((row) => row.status === "error");
    assert.match(hung.message, /stopped after 2 seconds: is there a loop that never ends/);
    assert.ok(count(rows, "passed") > 0, "the checks that do not meet the loop run all the same");
    assert.equal(count(rows, "waiting") + count(rows, "not_run"), 0);
    const loading = await learner.try("while True:\n    pass\n");
    assert.deepEqual(new Set(statuses(loading)), new Set(["not_run"]));
    assert.match(await learner.page.textContent(".whole-file"), /stopped after 2 seconds/);
    allPassed(await learner.try(reference));
  },

  async swallowing_every_exception_does_not_help() {
    const learner = await Learner.at();
    await learner.write("while True:\n    try:\n        while True:\n            pass\n    except BaseException:\n        pass\n");
    await learner.started();
    await learner.page.click("#run");
    await learner.page.waitForTimeout(2500);
    await learner.page.click("#stop");
    await learner.finished();
    assert.equal(await learner.status(), "Stopped");
    allPassed(await learner.try(reference));
  },

  async a_flood_of_output_is_capped() {
    const learner = await Learner.at();
    const rows = await learner.try(`for i in range(200_000):\n    print("x" * 40, i)\n${reference}`);
    allPassed(rows);
    const shown = await learner.page.textContent("#message .output");
    assert.ok(shown.length < 10_000, `${shown.length} characters`);
    assert.match(shown, /left out/);
  },

  async an_endless_flood_is_stopped() {
    const context = await openContext();
    await hurry(context, 2);
    const learner = await Learner.at(slug, { context });
    await learner.try("while True:\n    print('again')\n");
    assert.match(await learner.page.textContent(".whole-file"), /stopped after 2 seconds/);
    allPassed(await learner.try(reference));
  },

  async a_crash_of_python_is_a_sentence() {
    expected = ["Pyodide has suffered a fatal error", "The cause of the fatal error", "Maximum call stack"]; // it says so itself
    const learner = await Learner.at();
    const crash = async (line) => {
      const rows = await learner.try(`${line}\n${reference}`);
      assert.deepEqual(new Set(statuses(rows)), new Set(["not_run"]), line);
      return learner.page.textContent(".whole-file");
    };
    assert.match(await crash("import os\nos._exit(3)"), /ended Python|not available/);
    assert.match(await crash("raise SystemExit"), /ends Python/);
    assert.match(await crash("x = []\nfor _ in range(200_000):\n    x = [x]\nrepr(x)"), /deep|Recursion/);
    allPassed(await learner.try(reference));
  },

  async using_up_all_memory_is_a_sentence() {
    const context = await openContext();
    await hurry(context, 30);
    const learner = await Learner.at(slug, { context });
    await learner.try("keep = []\nwhile True:\n    keep.append(bytearray(64_000_000))\n");
    assert.match(await learner.page.textContent(".whole-file"), /memory/);
    allPassed(await learner.try(reference));
  },

  async nothing_of_a_run_reaches_the_next() {
    const learner = await Learner.at();
    const rows = await learner.try(`import math\nmath.tanh = lambda x: 0.0\nmath.inf = 0\nimport builtins\nbuiltins.isinstance = lambda *a: False\n${reference}`);
    assert.ok(statuses(rows).some((status) => status !== "passed"));
    allPassed(await learner.try(reference));
  },

  async the_network_is_shut_to_learners_code() {
    const learner = await Learner.at();
    const probe = [
      "import sys",
      "found = []",
      "try:",
      "    import js",
      "    found += [name for name in ('fetch', 'XMLHttpRequest', 'indexedDB', 'postMessage') if getattr(js, name, None) is not None]",
      "except ImportError:",
      "    pass",
      "print('found', found)",
    ].join("\n");
    await learner.try(`${probe}\n${reference}`);
    const shown = await learner.page.textContent("#message");
    assert.match(shown, /found \[\]|not available here: js/);
  },

  async a_real_key_press_runs() {
    const learner = await Learner.at();
    await learner.write(reference);
    await learner.started();
    await learner.page.keyboard.press("Control+Enter");
    await learner.finished();
    allPassed(await learner.rows());
    assert.equal((await learner.page.evaluate(() => document.querySelectorAll("#editor .cm-line").length)) > 0, true);
    await learner.started();
    await learner.page.evaluate(() => document.activeElement.blur());
    await learner.page.keyboard.press("Control+Enter");
    await learner.finished();
    assert.match(await learner.status(), /^All/);
    await learner.started();
    await learner.page.focus("#run");
    await learner.page.keyboard.press("Enter");
    await learner.finished();
    assert.equal(await learner.page.evaluate(() => document.activeElement.id), "run");
  },

  async the_keyboard_gets_out_of_the_editor() {
    const { page } = await Learner.at();
    await page.click("#editor .cm-content");
    await page.keyboard.press("Tab");
    assert.ok(await page.evaluate(() => document.activeElement.closest("#editor") !== null));
    await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    assert.ok(await page.evaluate(() => document.activeElement.closest("#editor") === null));
    await page.goto(page.url());
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.className), "skip");
    for (let i = 0; i < 40 && (await page.evaluate(() => document.activeElement.id)) !== "run"; i += 1) await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.id), "run");
  },

  async a_phone_needs_no_sideways_scroll() {
    const context = await openContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    const learner = await Learner.at(slug, { context });
    const { page } = learner;
    assert.equal(await sideways(page), 0);
    assert.equal(await page.evaluate(() => document.body.dataset.python ?? "not asked for"), "not asked for");
    for (const tab of ["code", "results", "problem"]) {
      await page.click(`#tab-${tab}`);
      assert.equal(await page.getAttribute(`#tab-${tab}`, "aria-selected"), "true");
      assert.equal(await sideways(page), 0, tab);
    }
    await page.click("#tab-code");
    const rows = await learner.try(given.wrong);
    assert.ok(count(rows, "failed") > 0);
    assert.equal(await page.evaluate(() => document.body.dataset.part), "results");
    await page.evaluate(() => document.querySelectorAll(".check > details").forEach((details) => (details.open = true)));
    assert.equal(await sideways(page), 0, "all rows open");
    await page.keyboard.press("Home");
    await page.goto(`${url}index.html`);
    assert.equal(await sideways(page), 0, "roadmap");
    const small = await page.evaluate(() => [...document.querySelectorAll("a.go, button")].filter((b) => b.offsetParent && b.getBoundingClientRect().height < 40).map((b) => b.textContent));
    assert.deepEqual(small, []);
  },

  async axe_finds_nothing_serious() {
    for (const colorScheme of ["light", "dark"]) {
      const context = await openContext({ colorScheme, bypassCSP: true, reducedMotion: "reduce" });
      const learner = await Learner.at(slug, { context });
      await axe(learner.page, `${colorScheme}: untouched`);
      await learner.try(given.wrong);
      await learner.page.locator(".graph-figure summary").first().click().catch(() => {});
      await learner.page.locator(".check.check details[open] .hints button").first().click();
      await axe(learner.page, `${colorScheme}: failed`);
      await learner.page.click("#reset");
      await axe(learner.page, `${colorScheme}: dialog`);
      await learner.page.keyboard.press("Escape");
      await learner.try("def f(:\n");
      await axe(learner.page, `${colorScheme}: syntax error`);
      await learner.try(reference);
      await axe(learner.page, `${colorScheme}: passed`);
      await learner.page.goto(`${url}index.html`);
      await axe(learner.page, `${colorScheme}: roadmap`);
    }
    const context = await openContext({ viewport: { width: 390, height: 844 }, bypassCSP: true, reducedMotion: "reduce" });
    const learner = await Learner.at(slug, { context });
    for (const tab of ["problem", "code", "results"]) {
      await learner.page.click(`#tab-${tab}`);
      await axe(learner.page, `phone: ${tab}`);
    }
  },

  async back_and_forward_keep_the_work() {
    const learner = await Learner.at();
    await learner.write("# half of it\n");
    await learner.page.click("a.home");
    await learner.page.waitForURL("**/index.html");
    assert.match(await learner.page.textContent("#continue"), /Continue with/);
    await learner.page.goBack();
    await learner.page.waitForSelector("body[data-ready]");
    assert.match(await learner.page.textContent("#editor .cm-content"), /# half of it/);
    await learner.page.goForward();
    await learner.page.goBack();
    await learner.page.waitForSelector("body[data-ready]");
    allPassed(await learner.try(reference));
  },

  async two_tabs_tell_each_other() {
    const context = await openContext();
    const one = await Learner.at(slug, { context });
    const two = await Learner.at(slug, { context });
    await two.write("# from the second tab\n");
    await one.page.waitForSelector("#notice-tab");
    assert.match(await one.page.textContent("#notice-tab"), /another tab/);
    await one.page.close({ runBeforeUnload: true });
    const three = await Learner.at(slug, { context });
    assert.match(await three.page.textContent("#editor .cm-content"), /# from the second tab/);
    await three.write("# from the third tab\n");
    await two.page.waitForSelector("#notice-tab");
    await two.page.click("#notice-tab button >> nth=0");
    assert.match(await two.page.textContent("#editor .cm-content"), /# from the third tab/);
  },

  async a_missing_file_is_a_sentence() {
    expected = ["404", "Failed to load resource"];
    for (const name of ["pyodide/pyodide.asm.wasm", "pyodide/python_stdlib.zip", "pyodide/pyodide.asm.mjs", "pyodide/pyodide.mjs", "python/kit.zip", "worker.js"]) {
      const context = await openContext();
      let missing = true;
      await context.route(`**/${name}`, (route) => (missing ? route.fulfill({ status: 404, body: "" }) : route.continue()));
      const { page } = await Learner.at(slug, { context });
      await page.waitForSelector("#notice-python");
      assert.equal(await page.textContent("#status"), "Python is not available", name);
      assert.match(await page.textContent("#notice-python"), /could not be (loaded|started).*Reload the page/, name);
      const learner = new Learner(page);
      const rows = await learner.run();
      assert.deepEqual(new Set(statuses(rows)), new Set(["not_run"]), name);
      missing = false;
      await page.click("#notice-python button");
      await page.waitForSelector('body[data-python="ready"]');
      await context.close();
    }
    const context = await openContext();
    await context.route("**/exercises/*.json", (route) => route.fulfill({ status: 404, body: "" }));
    const { page } = await Learner.at(slug, { context, ready: false });
    await page.waitForSelector("#notice-python");
    assert.match(await page.textContent("#notice-python"), /exercises\/.*is not there \(404\)/);
  },

  async work_on_an_older_starter_is_kept() {
    const learner = await Learner.at();
    await learner.page.evaluate(([name]) => {
      const key = `handgrad:${new URL(".", document.baseURI).pathname}:${name}`;
      localStorage.setItem(key, JSON.stringify({ codes: { "0ld57a47": { code: "# older work\n", at: 1_700_000_000_000 } }, passed: null }));
    }, [slug]);
    await learner.page.reload();
    await learner.page.waitForSelector("#notice-older");
    assert.match(await learner.page.textContent("#notice-older"), /written for version 0ld57a47 .* the starter is now version [0-9a-f]{8}/);
    assert.match(await learner.page.textContent("#editor .cm-content"), /still to be written|TODO|class/);
    const [download] = await Promise.all([learner.page.waitForEvent("download"), learner.page.click("#notice-older button >> nth=1")]);
    assert.equal(await readFile(await download.path(), "utf8"), "# older work\n");
    await learner.page.click("#notice-older button >> nth=0");
    assert.match(await learner.page.textContent("#editor .cm-content"), /# older work/);
  },

  async reset_asks_first() {
    const learner = await Learner.at();
    await learner.write("# mine\n");
    await learner.page.click("#reset");
    await learner.page.keyboard.press("Escape");
    assert.match(await learner.page.textContent("#editor .cm-content"), /# mine/);
    await learner.page.click("#reset");
    const [download] = await Promise.all([learner.page.waitForEvent("download"), learner.page.click('#dialog button[value="save"]')]);
    assert.equal(await readFile(await download.path(), "utf8"), "# mine\n");
    await learner.page.reload();
    await learner.page.waitForSelector("body[data-ready]");
    assert.equal(await learner.page.textContent("#saved"), "the starter");
  },

  async a_file_from_the_disk_is_opened() {
    const learner = await Learner.at();
    const choose = (name, body) => learner.page.setInputFiles("#file-input", { name, mimeType: "text/plain", buffer: Buffer.from(body) });
    await choose("mine.py", "\uFEFF# from disk\r\nx = 1\r\n");
    await learner.page.waitForFunction(() => /# from disk/.test(document.querySelector("#editor .cm-content")?.textContent));
    await choose("mine.ipynb", '{"cells": [], "nbformat": 4}');
    await learner.page.waitForSelector("#notice-file");
    assert.match(await learner.page.textContent("#notice-file"), /is a notebook/);
    await choose("big.py", "x".repeat(1024 * 1024 + 1));
    await learner.page.waitForFunction(() => /larger than 1 MB/.test(document.querySelector("#notice-file")?.textContent));
    await choose("picture.py", "a\0b");
    await learner.page.waitForFunction(() => /not a text file/.test(document.querySelector("#notice-file")?.textContent));
    assert.match(await learner.page.textContent("#editor .cm-content"), /# from disk/);
  },

  async an_exercise_that_gives_another_away_is_closed() {
    const { revealing } = given;
    const learner = await Learner.at(revealing, { ready: false });
    await learner.page.waitForSelector("#gate:not([hidden])");
    assert.match(await learner.page.textContent("#gate"), /Closed for now/);
    assert.equal(await learner.page.locator("#editor .cm-content").count(), 0);
    assert.ok(await learner.page.isDisabled("#run"));
    await learner.page.goto(`${url}index.html`);
    assert.equal(await learner.page.textContent(`[data-slug="${revealing}"] .state`), "closed for now");
    await learner.page.goto(`${url}${revealing}.html`);
    await learner.page.click("#gate button");
    await learner.page.waitForSelector("#editor .cm-content");
    await learner.page.reload();
    await learner.page.waitForSelector("#editor .cm-content");
    const other = await Learner.at(slug);
    await other.try(`# mine\n${reference.replace("class Value:", 'class Value:\n    """My own engine."""\n')}`);
    assert.match(await other.status(), /^All/);
    await other.open(revealing);
    assert.equal(await other.page.isVisible("#gate"), false);
    assert.doesNotMatch(await other.page.textContent("#editor .cm-content"), /My own engine/);
    await other.page.click("#notice-own button >> nth=0");
    await other.page.waitForFunction(() => /My own engine/.test(document.querySelector("#editor .cm-content")?.textContent));
    assert.match(await other.page.textContent("#editor .cm-content"), /TODO 1/);
  },

  async an_array_exercise_says_where_it_can_be_done() {
    const learner = await Learner.at(given.array, { ready: false });
    await learner.page.waitForSelector("#gate:not([hidden])");
    assert.match(await learner.page.textContent("#gate"), new RegExp(`needs NumPy.*make check EX=${given.array}`));
    assert.equal(await learner.page.locator("#editor .cm-content").count(), 0);
    const [download] = await Promise.all([learner.page.waitForEvent("download"), learner.page.click("#gate button")]);
    assert.equal(download.suggestedFilename(), "solution.py");
  },

  async the_learners_graph_is_drawn() {
    const learner = await Learner.at();
    await learner.try(given.wrong);
    const figure = learner.page.locator(".check .graph-figure").first();
    await figure.waitFor();
    assert.ok((await figure.locator("svg .card").count()) >= 2);
    assert.equal(await figure.locator("svg .card.wrong").count(), 1);
    assert.match(await figure.locator("svg .card.wrong").textContent(), /expected/);
    await figure.locator("summary").click();
    const words = await figure.locator(".graph-words li").allTextContents();
    assert.equal(words.length, await figure.locator("svg .card").count());
    assert.match(words[0], /: data .*, grad /);
    await learner.try(reference);
    const own = learner.page.locator("#own-canvas .graph-figure");
    await own.waitFor();
    assert.ok((await own.locator("svg .card").count()) >= 3);
    await learner.page.click("#own-graph .cm-content");
    await learner.page.keyboard.press("ControlOrMeta+a");
    await learner.page.keyboard.insertText("x = Value(3.0)\ny = x * x\ny.backward()\n");
    await learner.started();
    await learner.page.click("#own-graph button");
    await learner.finished();
    await learner.page.waitForFunction(() => document.querySelectorAll("#own-canvas .card").length === 2);
    const text = await learner.page.textContent("#own-canvas svg");
    assert.match(text, /x.*3\.0.*6\.0/s);
    assert.match(await learner.page.textContent("#score"), /All/);
  },

  async hints_come_one_at_a_time() {
    const learner = await Learner.at();
    await learner.try(given.wrong);
    const body = learner.page.locator(".check > details[open] .hints").first();
    assert.equal(await body.locator("li").count(), 0);
    await body.locator("button").click();
    assert.equal(await body.locator("li").count(), 1);
  },

  async what_a_learner_prints_is_text() {
    const learner = await Learner.at();
    await learner.try(`print("<img src=x onerror=document.title='owned'><b>bold</b>")\nraise ValueError("<script>document.title='owned'</script>")\n`);
    assert.match(await learner.page.textContent(".whole-file"), /<script>/);
    assert.match(await learner.page.textContent("#message .output"), /<img src=x/);
    assert.equal(await learner.page.locator("#message img, #message script, #message b").count(), 0);
    assert.doesNotMatch(await learner.page.title(), /owned/);
  },

  async the_theme_is_chosen_and_kept() {
    const { page } = await Learner.at();
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await paper();
    await page.click("#theme");
    await page.click("#theme");
    assert.match(await page.getAttribute("#theme", "aria-label"), /dark/);
    const dark = await paper();
    assert.notEqual(dark, light);
    await page.reload();
    assert.equal(await paper(), dark);
    const inEditor = await page.evaluate(() => getComputedStyle(document.querySelector("#editor .cm-editor") ?? document.body).backgroundColor);
    assert.notEqual(inEditor, "rgb(255, 255, 255)");
  },

  async a_browser_that_keeps_nothing_says_so() {
    const context = await openContext();
    await context.addInitScript(() => Object.defineProperty(window, "localStorage", { get: () => { throw new DOMException("no", "SecurityError"); } }));
    const learner = await Learner.at(slug, { context });
    assert.match(await learner.page.textContent("#notice-storage"), /download your code/);
    allPassed(await learner.try(reference));
  },

  async a_page_opened_as_a_file_can_be_read() {
    expected = ["file:", "CORS", "origin", "Failed to load resource", "Access to"];
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(given.file);
    assert.ok((await page.textContent(".statement")).length > 500);
    assert.ok(await page.locator(".needs-script").first().isVisible());
  },

  async statement_needs_no_script() {
    const context = await openContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${url}${slug}.html`);
    assert.ok(await page.locator(".statement h2").first().isVisible());
    assert.ok(await page.locator(".needs-script").first().isVisible());
  },
};

const name = process.argv[2];
if (name === "--list") {
  process.stdout.write(JSON.stringify(Object.keys(stories)));
} else {
  try {
    await stories[name]();
    assert.deepEqual(complaints.filter((complaint) => !expected.some((part) => complaint.includes(part))), []);
  } catch (error) {
    process.stderr.write(`${error.stack}\n${complaints.join("\n")}\n`);
    process.exitCode = 1;
  }
}
await browser.close();
