// An exercise that is open: its editor, its runs, what is kept of it, and what the learner is told.
import { openEditor } from "./editor.js";
import { allow, at, dismiss, notice, say } from "./notices.js";
import { narrow, showPane } from "./panes.js";
import { ask, button, capped, download, make, prose } from "./parts.js";
import { Results, drawingFigure } from "./results.js";
import { Shelf } from "./store.js";

const KEEP_AFTER = 250; // milliseconds without a key press
const MOST_BYTES = 1024 * 1024; // of a file that is opened

export const dateOf = (time) => new Date(time).toLocaleDateString(undefined, { day: "numeric", month: "long", year: "numeric" });

const output = (label, text) => [
  make("p", { class: "label" }, label),
  make("pre", { class: "output", tabindex: "0", role: "region", "aria-label": "output" }, capped(text)),
];

export class Workbench {
  #timer;
  #edited = false;
  #busy = false;
  #example = null;

  /** `exercise` is what the page holds of it, `about` and `outline` what the roadmap does, `shelf` its record. */
  constructor({ exercise, about, outline, shelf, access, python, onPassed }) {
    Object.assign(this, { exercise, about, outline, shelf, access, python, onPassed });
    const saved = shelf.load();
    this.editor = openEditor({
      parent: at("editor"),
      text: saved ?? exercise.starter,
      label: "solution.py, your code",
      onRun: () => this.run(),
      onChange: () => this.#changed(),
    });
    this.results = new Results({
      checks: exercise.checks,
      elements: { list: at("checks"), bars: at("bars") },
      onPlace: (line) => this.#goTo(line),
    });
    this.#tellWhatIsKept(saved !== null);
    this.#offerOlderWork();
    if (saved === null) this.#offerOwnCode();
    if (exercise.example) this.#setUpExample();
    this.#listen();
    const hidden = exercise.hidden ? ` ${exercise.hidden} hidden ones run when you hand in.` : "";
    at("practice").textContent = `This page is for practice: it runs ${exercise.checks.length} visible checks.${hidden} The mark it shows is for you.`;
    this.#score(`${exercise.checks.length} checks, not run yet.`, "none");
    at("run").disabled = at("stop").disabled = false;
    allow("stop", false);
  }

  // --- what is kept ---

  #tellWhatIsKept(saved) {
    if (!this.access.keeps) {
      at("saved").textContent = "not kept: download it before you leave";
      notice("storage", "This browser keeps nothing for this page: download your code before you leave.");
    } else {
      at("saved").textContent = saved ? "kept in this browser" : "the starter";
    }
  }

  #keep() {
    this.#edited = false;
    const text = this.editor.text;
    const untouched = text === this.exercise.starter;
    const kept = untouched ? this.shelf.forget() : this.shelf.save(text);
    if (!this.access.keeps || !kept) at("saved").textContent = "not kept: download it before you leave";
    else at("saved").textContent = untouched ? "the starter" : "kept in this browser";
  }

  #changed() {
    this.#edited = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#keep(), KEEP_AFTER);
  }

  /** Keep what was typed a moment ago. What another tab wrote stays, unless this one was edited since. */
  #flush() {
    clearTimeout(this.#timer);
    if (this.#edited) this.#keep();
  }

  #offerOlderWork() {
    const older = this.shelf.older();
    if (!older) return;
    notice(
      "older",
      `Your saved code was written for version \`${older.version}\` of this exercise (${dateOf(older.at)}); the starter is now version \`${this.about.version}\`. Nothing of yours is lost.`,
      button("Load my earlier code", () => (this.editor.replace(older.code), dismiss("older"))),
      button("Download it", () => download(`solution_${older.version}.py`, older.code)),
      button("Remove it", () => (this.shelf.forget(older.version), dismiss("older"))),
    );
  }

  /** Somebody who passed what this starter gives away may go on from their own code. */
  #offerOwnCode() {
    const before = this.exercise.reveals
      .map((slug) => this.outline.find((other) => other.slug === slug))
      .filter(Boolean)
      .map((other) => ({ ...other, passed: new Shelf(other.slug, other.version, this.access).passed }))
      .find((other) => other.passed);
    if (!before) return;
    notice(
      "own",
      `Your code for “${before.title}” passed here. This exercise can go on from it, or from the code that is given.`,
      button("Start from my own code", () => this.#carry(before.passed.code)),
      button("Keep the given code", () => dismiss("own")),
    );
  }

  async #carry(own) {
    dismiss("own");
    if (this.#busy || this.editor.text !== this.exercise.starter) return;
    let carried = null;
    await this.python.run({ carry: { starter: this.exercise.starter, own }, checks: [] }, this.exercise.limits, (event) => {
      if (event.kind === "carried") carried = event.code;
      if (event.kind === "finished" && event.ending === "done") say("Python idle", "ended");
    });
    if (carried !== null && carried !== this.exercise.starter) this.editor.replace(carried);
    else notice("own", "Your own code could not be put into this starter: the given code stays.");
  }

  // --- running ---

  #score(words, kind) {
    at("score").textContent = words;
    at("summary").dataset.kind = kind;
  }

  #goTo(line) {
    if (narrow.matches) showPane("code");
    this.editor.goTo(line);
  }

  #allow(running) {
    this.#busy = running;
    allow("run", !running);
    allow("stop", running);
  }

  /** Run `checks`, by name; none of them only draws the graph of the example. */
  async run(checks = this.exercise.checks.map(({ name }) => name)) {
    if (this.#busy || this.python.running) return;
    this.#allow(true);
    this.#flush();
    this.editor.mark([]);
    at("message").replaceChildren();
    const full = checks.length > 0;
    if (full) this.#begin();
    const code = this.editor.text;
    const request = { exercise: this.exercise.judge, code, checks, draw: true, example: this.#example?.text ?? "" };
    const told = { full, code, problem: null, marks: [] };
    const began = performance.now();
    await this.python.run(request, this.exercise.limits, (event) => this.#hear(event, told));
    this.#allow(false);
    document.body.dataset.lastRun = String(Math.round(performance.now() - began));
  }

  #begin() {
    this.results.begin();
    this.#score("", "running");
    if (narrow.matches) showPane("results");
  }

  #hear(event, told) {
    switch (event.kind) {
      case "file":
        if (event.problem) told.problem = event;
        if (event.output) at("message").append(...output("Your file printed while it was loaded", event.output));
        break;
      case "running":
        this.results.running(event.name);
        break;
      case "result":
        this.results.result(event.name, event.result);
        if (event.result.place?.line && ["failed", "error"].includes(event.result.status)) told.marks.push({ line: event.result.place.line, message: event.result.message });
        break;
      case "drawing":
        this.#draw(event);
        break;
      case "finished":
        this.#conclude(event, told);
        break;
    }
  }

  #conclude({ ending }, { full, code, problem, marks }) {
    if (full) this.results.finish();
    if (ending === "failed") {
      if (full) this.#score("Nothing was run.", "failed");
      return;
    }
    if (problem) this.#tellProblem(problem, marks);
    this.editor.mark(marks);
    if (!full) say("Python idle", "ended");
    else if (ending === "stopped") this.#tellStopped();
    else if (!problem) this.#tellTally(code);
  }

  #tellProblem({ problem, place }, marks) {
    const line = place?.line;
    if (line) marks.push({ line, message: problem });
    const where = line ? make("p", { class: "place" }, button(`solution.py, line ${line}`, () => this.#goTo(line), "link"), place.text ? make("code", {}, place.text) : null) : null;
    at("message").prepend(make("div", { class: "whole-file" }, make("p", { class: "message" }, ...prose(problem)), where));
    this.#score("Your file could not be run, so no check was.", "failed");
    say(line ? `Your file could not be run: line ${line}` : "Your file could not be run", "failed");
  }

  #tellStopped() {
    const { passed, total } = this.results.tally;
    this.#score(`Stopped. ${passed} of ${total} passed before that.`, "stopped");
    say("Stopped", "ended");
  }

  #tellTally(code) {
    const { passed, total, notStarted } = this.results.tally;
    if (passed === total) return this.#tellPassed(code, total);
    if (notStarted === total) this.#score(`Nothing written yet: ${total} checks wait for it.`, "none");
    else this.#score(`${passed} of ${total} pass.`, "partial");
    say(`${passed} of ${total} checks passed`, "ended");
    const first = this.results.firstBad;
    if (first) at("status").append(make("span", { class: "heard" }, `. First to look at: ${first.check.title}`));
    return undefined;
  }

  #tellPassed(code, total) {
    this.shelf.pass(code);
    this.onPassed();
    this.#score(`All ${total} visible checks pass.`, "passed");
    say(`All ${total} checks passed`, "passed");
    const { hidden } = this.exercise;
    const next = this.outline[this.outline.indexOf(this.about) + 1];
    at("message").append(
      make(
        "div",
        { class: "done" },
        make("p", {}, hidden ? `Well done. Keep your file: ${hidden} hidden check${hidden === 1 ? " runs" : "s run"} when you hand it in.` : "Well done. Keep your file."),
        make(
          "div",
          { class: "answers" },
          button("Download solution.py", () => download("solution.py", code)),
          next && !next.closed ? make("a", { class: "go", href: `${next.slug}.html` }, `Next: ${next.title}`) : null,
        ),
      ),
    );
  }

  // --- the learner's graph ---

  #setUpExample() {
    const holder = make("div", { class: "editor small" });
    at("own-graph").hidden = false;
    at("own-graph").append(
      make("h2", {}, "Your graph"),
      make("p", { class: "dim" }, "Change these lines as you like. They are run with your code, and the graph they build is drawn."),
      holder,
      make("div", { class: "answers" }, button("Draw it", () => this.run([]))),
      make("div", { id: "own-canvas" }),
    );
    this.#example = openEditor({
      parent: holder,
      text: this.exercise.example,
      label: "lines whose graph is drawn",
      lines: false,
      onRun: () => this.run([]),
      onChange: () => {},
    });
  }

  async #draw({ name, drawing }) {
    if (name) return this.results.drawing(name, drawing);
    const nothing = drawing.error ? `It stopped here: ${drawing.error}` : "Nothing was built that can be drawn.";
    const figure = drawing.nodes.length ? await drawingFigure(drawing, { label: "Your graph" }) : make("p", { class: "dim" }, nothing);
    at("own-canvas").replaceChildren(figure);
    return undefined;
  }

  // --- buttons, keys, other tabs ---

  async #reset() {
    const answer = await ask({
      title: "Back to the starter?",
      words: "What you wrote in this exercise is removed from this browser. You can download it first.",
      answers: [["keep", "Keep my code"], ["save", "Download, then reset"], ["reset", "Reset", "quiet danger"]],
    });
    if (answer !== "reset" && answer !== "save") return;
    if (answer === "save") download("solution.py", this.editor.text);
    this.editor.replace(this.exercise.starter);
    this.editor.mark([]);
    this.#flush();
    this.editor.focus();
  }

  async #open(file) {
    dismiss("file");
    const text = (await file.slice(0, MOST_BYTES + 1).text()).replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
    if (file.size > MOST_BYTES) notice("file", `\`${file.name}\` is larger than 1 MB, so it is hardly your solution: choose a Python file.`);
    else if (/^\s*\{[\s\S]*"nbformat"/.test(text)) notice("file", `\`${file.name}\` is a notebook; this page takes a Python file. Copy the cell with your code into the editor.`);
    else if (text.includes("\0")) notice("file", `\`${file.name}\` is not a text file: choose a Python file.`);
    else {
      this.editor.replace(text);
      this.editor.focus();
    }
  }

  #hearOtherTab() {
    this.onPassed();
    const other = () => this.shelf.load() ?? this.exercise.starter;
    if (other() === this.editor.text) return dismiss("tab");
    return notice(
      "tab",
      "This exercise was changed in another tab. Whichever is edited last is what is kept.",
      button("Show the other tab's code", () => (this.editor.replace(other()), dismiss("tab"))),
      button("Stay with this one", () => dismiss("tab")),
    );
  }

  #listen() {
    at("run").addEventListener("click", () => this.run());
    at("stop").addEventListener("click", () => this.python.stop());
    at("reset").addEventListener("click", () => this.#reset());
    at("download").addEventListener("click", () => download("solution.py", this.editor.text));
    at("open").addEventListener("click", () => at("file-input").click());
    at("file-input").addEventListener("change", ({ target }) => {
      if (target.files[0]) this.#open(target.files[0]);
      target.value = "";
    });
    addEventListener("keydown", (event) => {
      const wanted = event.key === "Enter" && (event.ctrlKey || event.metaKey);
      if (!wanted || event.defaultPrevented || event.repeat) return;
      event.preventDefault();
      this.run();
    });
    addEventListener("storage", (event) => {
      if (event.key === this.shelf.name) this.#hearOtherTab();
    });
    addEventListener("pagehide", () => this.#flush());
  }
}
