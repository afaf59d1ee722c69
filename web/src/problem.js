// One problem page: the editor, the runs, what is kept, and what the learner is told.
import { openEditor } from "./editor.js";
import { ask, button, capped, download, make, prose } from "./parts.js";
import { Results, drawingFigure } from "./results.js";
import { Runner } from "./runner.js";
import { MissingFile, loadAssets } from "./runtime.js";
import { Shelf, closedBy, openStorage } from "./store.js";
import { browserWorker } from "./worker_browser.js";

const { manifest, outline, slug } = JSON.parse(document.getElementById("data").textContent);
const at = (id) => document.getElementById(id);
const { storage, keeps } = openStorage();
const access = { storage, base: document.baseURI };
const about = outline.find((exercise) => exercise.slug === slug);
const shelf = new Shelf(slug, about.version, access);

const dateOf = (time) => new Date(time).toLocaleDateString(undefined, { day: "numeric", month: "long", year: "numeric" });

// --- what the page says ---------------------------------------------------------------------------------

function notice(key, words, ...actions) {
  at(`notice-${key}`)?.remove();
  const box = make("div", { class: "notice", id: `notice-${key}`, role: "status" }, make("p", {}, ...prose(words)));
  if (actions.length) box.append(make("div", { class: "answers" }, ...actions));
  at("notices").append(box);
  return box;
}

const dismiss = (key) => at(`notice-${key}`)?.remove();

function showState() {
  const label = at("state");
  const { passed } = shelf;
  label.dataset.state = passed ? "passed" : "none";
  label.textContent = passed ? "passed" : "";
  label.title = passed ? `passed here on ${dateOf(passed.at)}` : "";
}

function say(words, kind = "") {
  at("status").textContent = words;
  at("status").dataset.kind = kind;
}

// --- phone: one part at a time --------------------------------------------------------------------------

const PARTS = ["problem", "code", "results"];
const narrow = matchMedia("(max-width: 899px)");

function showPart(part, focus = false) {
  document.body.dataset.part = part;
  for (const name of PARTS) {
    const tab = at(`tab-${name}`);
    tab.setAttribute("aria-selected", String(name === part));
    tab.tabIndex = name === part ? 0 : -1;
    if (focus && name === part) tab.focus();
  }
}

function arrange() {
  at("tabs").hidden = !narrow.matches;
  for (const name of PARTS) {
    if (narrow.matches) {
      at(name).setAttribute("role", "tabpanel");
      at(name).setAttribute("aria-labelledby", `tab-${name}`);
    } else {
      at(name).setAttribute("role", "region");
      at(name).removeAttribute("aria-labelledby");
    }
  }
}

function setUpParts() {
  for (const name of PARTS) at(`tab-${name}`).addEventListener("click", () => showPart(name));
  at("tabs").addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const now = PARTS.indexOf(document.body.dataset.part);
    showPart(PARTS[(now + step + PARTS.length) % PARTS.length], true);
  });
  narrow.addEventListener("change", arrange);
  arrange();
  showPart("problem");
}

// --- Python ---------------------------------------------------------------------------------------------

let assets = null;
let busy = false;
let waiting = false; // somebody waits for Python, so the line beside Run tells how it gets on

const runner = new Runner({
  makeWorker: () => browserWorker(new URL("worker.js", document.baseURI)),
  loadAssets: () => {
    assets ??= loadAssets(document.baseURI, manifest, (fraction) => {
      if (waiting) say(fraction < 1 ? `Loading Python, ${Math.round(fraction * 100)} %` : "Starting Python", "loading");
    })
      .then((loaded) => ({ ...loaded, lock: manifest.lock }))
      .catch((error) => {
        assets = null;
        throw error;
      });
    return assets;
  },
  onState: (state) => {
    document.body.dataset.python = state;
    if (!waiting) return;
    if (state === "loading") say("Loading Python", "loading");
    else if (busy) say("Running", "running");
    else say("Python ready");
    if (state === "ready") waiting = false;
  },
});

const sentence = (error) =>
  error instanceof MissingFile
    ? error.message
    : `Python could not be started (${String(error.message).split("\n")[0]}). Reload the page; if it stays so, tell whoever hosts it.`;

function prepare() {
  waiting = true;
  runner.prepare().catch((error) => {
    waiting = false;
    if (!busy) {
      say("Python is not available", "failed");
      tellMissing(error);
    }
  });
}

function tellMissing(error) {
  notice("python", sentence(error), button("Try again", () => (dismiss("python"), prepare())));
}

// --- the exercise ---------------------------------------------------------------------------------------

async function fetchExercise() {
  const name = `exercises/${slug}.json`;
  const response = await fetch(new URL(name, document.baseURI)).catch(() => null);
  if (!response?.ok) throw new MissingFile(name, response ? `is not there (${response.status})` : "did not arrive (is the server still running?)");
  return response.json();
}

function gate(...children) {
  at("file").hidden = true;
  at("gate").hidden = false;
  at("gate").replaceChildren(...children);
  at("results").hidden = true;
  at("run").disabled = true;
}

function gateNeedsNumpy(exercise) {
  gate(
    make("h2", {}, "This one needs NumPy"),
    make("p", {}, "The page you are reading was built without it, so Python here cannot run this exercise. Read the problem, then do it in one of these:"),
    make(
      "ul",
      {},
      make("li", {}, ...prose(`in a terminal, in the course folder: edit \`exercises/${slug}/solution.py\`, then \`make check EX=${slug}\``)),
      make("li", {}, "in its notebook, if your course gives one out"),
    ),
    make("div", { class: "answers" }, button("Download the starter", () => download("solution.py", exercise.starter))),
  );
}

function gateGivesAway(blockers, open) {
  const names = blockers.map((other) => other.title).join(" and ");
  gate(
    make("h2", {}, "Closed for now"),
    make("p", {}, `This exercise begins with working code for what “${names}” asks you to write. It opens by itself when you have passed that one in this browser.`),
    make(
      "div",
      { class: "answers" },
      make("a", { class: "go", href: `${blockers[0].slug}.html` }, `Go to ${blockers[0].title}`),
      button("Open it with the given code", () => {
        shelf.change((record) => (record.given = true));
        at("gate").hidden = true;
        at("file").hidden = false;
        at("results").hidden = false;
        open();
      }),
    ),
  );
}

function openExercise(exercise) {
  const saved = shelf.load();
  const editor = openEditor({
    parent: at("editor"),
    text: saved ?? exercise.starter,
    label: "solution.py, your code",
    onRun: () => run(),
    onChange: changed,
  });
  const results = new Results({
    checks: exercise.checks,
    elements: { list: at("checks"), bars: at("bars") },
    onPlace: (line) => {
      if (narrow.matches) showPart("code");
      editor.goTo(line);
    },
  });
  let example = null;
  let timer;

  let edited = false;

  function keep(text) {
    edited = false;
    const kept = text === exercise.starter ? shelf.forget() : shelf.save(text);
    at("saved").textContent = keeps && kept ? "kept in this browser" : "not kept: download it before you leave";
  }

  function changed(text) {
    edited = true;
    clearTimeout(timer);
    timer = setTimeout(() => keep(text), 250);
  }

  /** Keep what was typed a moment ago. What another tab wrote stays, unless this one was edited since. */
  function flush() {
    clearTimeout(timer);
    if (edited) keep(editor.text);
  }

  const score = (words, kind) => {
    at("score").textContent = words;
    at("summary").dataset.kind = kind;
  };

  function requestFor(checks) {
    return {
      exercise: exercise.judge,
      code: editor.text,
      checks,
      draw: true,
      example: example ? example.text : "",
    };
  }

  async function run(checks = exercise.checks.map(({ name }) => name)) {
    if (busy || runner.running) return;
    busy = true;
    dismiss("python");
    flush();
    const code = editor.text;
    editor.mark([]);
    at("message").replaceChildren();
    at("run").disabled = true;
    at("stop").disabled = false;
    const full = checks.length > 0;
    if (full) {
      results.begin();
      score("", "running");
      if (narrow.matches) showPart("results");
    }
    waiting = document.body.dataset.python !== "ready";
    say(waiting ? "Loading Python" : "Running", waiting ? "loading" : "running");
    const began = performance.now();
    let problem = null;
    const marks = [];
    await runner.run(requestFor(checks), exercise.limits, (event) => {
      if (event.kind === "waiting" && document.body.dataset.python !== "ready") {
        waiting = true;
        say("Starting Python", "loading");
      } else if (event.kind === "file") {
        say("Running", "running");
        if (event.problem) problem = event;
        showOutput(event.output);
      } else if (event.kind === "running") results.running(event.name);
      else if (event.kind === "result") {
        results.result(event.name, event.result);
        if (event.result.place?.line && ["failed", "error"].includes(event.result.status)) marks.push({ line: event.result.place.line, message: event.result.message });
      } else if (event.kind === "drawing") drawn(event);
      else if (event.kind === "finished") ended(event);
    });
    busy = false;
    waiting = false;
    at("stop").disabled = true;
    at("run").disabled = false;
    document.body.dataset.lastRun = String(Math.round(performance.now() - began));

    function ended(event) {
      if (full) results.finish();
      if (event.ending === "failed") {
        say("Python is not available", "failed");
        tellMissing(event.error);
        if (full) score("Nothing was run.", "failed");
        return;
      }
      if (problem) {
        if (problem.place?.line) marks.push({ line: problem.place.line, message: problem.problem });
        showProblem(problem);
      }
      editor.mark(marks);
      if (full) conclude(event.ending, problem, code);
      else say("Python idle", "ended");
    }
  }

  function showOutput(output) {
    if (output) at("message").append(make("p", { class: "label" }, "Your file printed while it was loaded"), make("pre", { class: "output", tabindex: "0", role: "region", "aria-label": "output" }, capped(output)));
  }

  function showProblem({ problem, place }) {
    at("message").prepend(
      make(
        "div",
        { class: "whole-file" },
        make("p", { class: "message" }, ...prose(problem)),
        place?.line ? make("p", { class: "place" }, button(`solution.py, line ${place.line}`, () => (narrow.matches && showPart("code"), editor.goTo(place.line)), "link"), place.text ? make("code", {}, place.text) : null) : null,
      ),
    );
  }

  function conclude(ending, problem, code) {
    const { passed, total, notStarted } = results.tally;
    if (ending === "stopped") {
      score(`Stopped. ${passed} of ${total} passed before that.`, "stopped");
      return say("Stopped", "ended");
    }
    if (problem) {
      score("Your file could not be run, so no check was.", "failed");
      return say(problem.place?.line ? `Your file could not be run: line ${problem.place.line}` : "Your file could not be run", "failed");
    }
    if (passed === total) {
      shelf.pass(code);
      showState();
      score(`All ${total} visible checks pass.`, "passed");
      say(`All ${total} checks passed`, "passed");
      const next = outline[outline.indexOf(about) + 1];
      at("message").append(
        make(
          "div",
          { class: "done" },
          make("p", {}, exercise.hidden ? `Well done. Keep your file: ${exercise.hidden} hidden check${exercise.hidden === 1 ? " runs" : "s run"} when you hand it in.` : "Well done. Keep your file."),
          make("div", { class: "answers" }, button("Download solution.py", () => download("solution.py", code)), next && !next.closed ? make("a", { class: "go", href: `${next.slug}.html` }, `Next: ${next.title}`) : null),
        ),
      );
      return undefined;
    }
    const words = notStarted === total ? `Nothing written yet: ${total} checks wait for it.` : `${passed} of ${total} pass.`;
    const first = results.firstBad;
    score(words, notStarted === total ? "none" : "partial");
    say(`${passed} of ${total} checks passed`, "ended");
    if (first) at("status").append(make("span", { class: "heard" }, `. First to look at: ${first.check.title}`));
    return undefined;
  }

  async function drawn({ name, drawing }) {
    if (name) return results.drawing(name, drawing);
    const figure = drawing.nodes.length ? await drawingFigure(drawing, { label: "Your graph" }) : make("p", { class: "dim" }, drawing.error ? `It stopped here: ${drawing.error}` : "Nothing was built that can be drawn.");
    at("own-canvas").replaceChildren(figure);
    return undefined;
  }

  function setUpExample() {
    const box = at("own-graph");
    box.hidden = false;
    const holder = make("div", { class: "editor small" });
    box.append(
      make("h2", {}, "Your graph"),
      make("p", { class: "dim" }, "Change these lines as you like. They are run with your code, and the graph they build is drawn."),
      holder,
      make("div", { class: "answers" }, button("Draw it", () => run([]))),
      make("div", { id: "own-canvas" }),
    );
    example = openEditor({ parent: holder, text: exercise.example, label: "lines whose graph is drawn", lines: false, onRun: () => run([]), onChange: () => {} });
  }

  async function reset() {
    const answer = await ask({
      title: "Back to the starter?",
      words: "What you wrote in this exercise is removed from this browser. You can download it first.",
      answers: [["keep", "Keep my code"], ["save", "Download, then reset"], ["reset", "Reset", "quiet danger"]],
    });
    if (answer !== "reset" && answer !== "save") return;
    if (answer === "save") download("solution.py", editor.text);
    editor.replace(exercise.starter);
    editor.mark([]);
    clearTimeout(timer);
    keep(exercise.starter);
    at("saved").textContent = "the starter";
    editor.focus();
  }

  async function openFile(file) {
    dismiss("file");
    if (file.size > 1024 * 1024) return notice("file", `\`${file.name}\` is larger than 1 MB, so it is hardly your solution: choose a Python file.`);
    const text = (await file.text()).replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
    if (/^\s*\{[\s\S]*"nbformat"/.test(text)) return notice("file", `\`${file.name}\` is a notebook; this page takes a Python file. Copy the cell with your code into the editor.`);
    if (text.includes("\0")) return notice("file", `\`${file.name}\` is not a text file: choose a Python file.`);
    editor.replace(text);
    editor.focus();
    return undefined;
  }

  function offerOlderWork() {
    const older = shelf.older();
    if (!older) return;
    notice(
      "older",
      `Your saved code was written for version \`${older.version}\` of this exercise (${dateOf(older.at)}); the starter is now version \`${about.version}\`. Nothing of yours is lost.`,
      button("Load my earlier code", () => (editor.replace(older.code), dismiss("older"))),
      button("Download it", () => download(`solution_${older.version}.py`, older.code)),
      button("Remove it", () => (shelf.forget(older.version), dismiss("older"))),
    );
  }

  /** Somebody who passed what this starter gives away may go on from their own code. */
  function offerOwnCode() {
    if (saved) return;
    const before = exercise.reveals.map((other) => outline.find((one) => one.slug === other)).find((other) => other && new Shelf(other.slug, other.version, access).passed);
    if (!before) return;
    const own = new Shelf(before.slug, before.version, access).passed.code;
    notice(
      "own",
      `Your code for “${before.title}” passed here. This exercise can go on from it, or from the code that is given.`,
      button("Start from my own code", async () => {
        dismiss("own");
        if (editor.text !== exercise.starter) return;
        let carried = null;
        await runner.run({ carry: { starter: exercise.starter, own }, checks: [] }, exercise.limits, (event) => {
          if (event.kind === "carried") carried = event.code;
          if (event.kind === "finished" && event.ending === "failed") tellMissing(event.error);
        });
        if (carried && carried !== exercise.starter) editor.replace(carried);
        else notice("own", "Your own code could not be put into this starter: the given code stays.");
      }),
      button("Keep the given code", () => dismiss("own")),
    );
  }

  addEventListener("storage", (event) => {
    if (event.key !== shelf.name) return;
    showState();
    const other = shelf.load() ?? exercise.starter;
    if (other === editor.text) return dismiss("tab");
    return notice(
      "tab",
      "This exercise was changed in another tab. Whichever is edited last is what is kept.",
      button("Show the other tab's code", () => (editor.replace(shelf.load() ?? exercise.starter), dismiss("tab"))),
      button("Stay with this one", () => dismiss("tab")),
    );
  });
  addEventListener("pagehide", flush);
  addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.defaultPrevented && !event.repeat) {
      event.preventDefault();
      run();
    }
  });
  at("run").addEventListener("click", () => run());
  at("stop").addEventListener("click", () => runner.stop());
  at("reset").addEventListener("click", reset);
  at("download").addEventListener("click", () => download("solution.py", editor.text));
  at("open").addEventListener("click", () => at("file-input").click());
  at("file-input").addEventListener("change", ({ target }) => {
    if (target.files[0]) openFile(target.files[0]);
    target.value = "";
  });

  at("saved").textContent = !keeps ? "not kept: download it before you leave" : saved ? "kept in this browser" : "the starter";
  if (!keeps) notice("storage", "This browser keeps nothing for this page: download your code before you leave.");
  offerOlderWork();
  offerOwnCode();
  if (exercise.example) setUpExample();
  at("practice").textContent = `This page is for practice: it runs ${exercise.checks.length} visible checks.${exercise.hidden ? ` ${exercise.hidden} hidden ones run when you hand in.` : ""} The mark it shows is for you.`;
  score(`${exercise.checks.length} checks, not run yet.`, "none");
  at("run").disabled = false;
  const thrifty = narrow.matches || navigator.connection?.saveData;
  if (thrifty) at("editor").addEventListener("focusin", prepare, { once: true });
  else prepare();
  document.body.dataset.ready = "yes";
}

async function open() {
  setUpParts();
  showState();
  let exercise;
  try {
    exercise = await fetchExercise();
  } catch (error) {
    say("This exercise is not available", "failed");
    notice("python", error.message.replace("Python could not be loaded", "The exercise could not be loaded"));
    return;
  }
  if (exercise.judge.preload.includes("numpy") && !manifest.numpy) return gateNeedsNumpy(exercise);
  const blockers = closedBy(about, outline, access);
  if (blockers.length) gateGivesAway(blockers, () => openExercise(exercise));
  else openExercise(exercise);
}

open();
