// The checks, one row each, as they are told.
import { button, capped, listing, make, prose } from "./parts.js";

const WORDS = {
  idle: "not run yet",
  waiting: "waiting",
  running: "running",
  passed: "passed",
  failed: "failed",
  error: "error",
  not_started: "not started",
  not_run: "not run",
};

const BAD = new Set(["failed", "error"]);

/** `with a = 3.0: expected …`: the second half is what a learner looks for first. */
function parted(message) {
  const found = /^(with .*?: )(expected .*)$/s.exec(message);
  return found ? [make("span", { class: "situation" }, ...prose(found[1])), make("strong", {}, ...prose(found[2]))] : prose(message);
}

/** The drawing part is large and seldom needed at once. */
const drawingPart = () => import("./drawing.js");

export async function drawingFigure(drawing, { label, wrong = null }) {
  const { drawGraph } = await drawingPart();
  const words = drawing.nodes.map((node) => make("li", {}, node.text));
  return make(
    "figure",
    { class: "graph-figure" },
    make("div", { class: "canvas", tabindex: "0", role: "region", "aria-label": `${label}, drawing` }, drawGraph(drawing, { label, wrong })),
    make(
      "figcaption",
      {},
      drawing.error ? make("p", { class: "drawing-error" }, `It stopped here: ${drawing.error}`) : null,
      make("details", {}, make("summary", {}, "The graph in words"), make("ol", { class: "graph-words" }, ...words)),
    ),
  );
}

export class Results {
  #rows = new Map();
  #opened = false;

  /** `checks` are `[{name, title, hints}]`; `onPlace(line)` goes to a line of the learner's file. */
  constructor({ checks, elements, onPlace }) {
    this.checks = checks;
    this.elements = elements;
    this.onPlace = onPlace;
    for (const check of checks) {
      const word = make("span", { class: "word" }, WORDS.idle);
      const body = make("div", { class: "check-body" });
      const details = make("details", {}, make("summary", {}, word, make("span", { class: "title" }, ...prose(check.title))), body);
      const item = make("li", { class: "check", "data-status": "idle", "data-name": check.name }, details);
      const bar = make("span", { class: "segment", "data-status": "idle" });
      elements.list.append(item);
      elements.bars.append(bar);
      this.#rows.set(check.name, { check, item, word, body, details, bar, status: "idle", result: null, hints: 0 });
      this.#fill(this.#rows.get(check.name));
    }
  }

  #set(row, status) {
    row.status = status;
    row.item.dataset.status = status;
    row.bar.dataset.status = status;
    row.word.textContent = WORDS[status];
  }

  begin() {
    this.#opened = false;
    for (const row of this.#rows.values()) {
      row.result = null;
      row.drawing = null;
      row.details.open = false;
      this.#set(row, "waiting");
      this.#fill(row);
    }
  }

  running(name) {
    const row = this.#rows.get(name);
    if (row) this.#set(row, "running");
  }

  result(name, result) {
    const row = this.#rows.get(name);
    if (!row) return;
    row.result = result;
    this.#set(row, result.status);
    this.#fill(row);
    if (BAD.has(result.status) && !this.#opened) {
      this.#opened = true;
      row.details.open = true;
    }
  }

  async drawing(name, drawing) {
    const row = this.#rows.get(name);
    if (!row?.result) return;
    const asked = /^(\w+)\.(data|grad)$/.exec(row.result.expression ?? "");
    const wrong = asked ? { name: asked[1], expected: row.result.expected } : null;
    row.drawing = await drawingFigure(drawing, { label: "The graph your code built", wrong });
    this.#fill(row);
  }

  /** Rows that were never reached are told as such. */
  finish() {
    for (const row of this.#rows.values()) {
      if (row.status === "waiting" || row.status === "running") {
        row.result = { status: "not_run", message: "" };
        this.#set(row, "not_run");
        this.#fill(row);
      }
    }
  }

  get tally() {
    const statuses = [...this.#rows.values()].map((row) => row.status);
    return {
      total: statuses.length,
      passed: statuses.filter((status) => status === "passed").length,
      notStarted: statuses.filter((status) => status === "not_started").length,
    };
  }

  get firstBad() {
    return [...this.#rows.values()].find((row) => BAD.has(row.status)) ?? null;
  }

  #fill(row) {
    const { check, result, body } = row;
    const parts = [];
    if (result?.message) parts.push(make("p", { class: "message" }, ...parted(result.message)));
    if (result?.place?.line) {
      const { line, text } = result.place;
      parts.push(
        make("p", { class: "place" }, button(`solution.py, line ${line}`, () => this.onPlace(line), "link"), text ? make("code", {}, text) : null),
      );
    }
    if (result?.example?.length) parts.push(make("p", { class: "label" }, "What the check did"), listing(result.example.join("\n"), "what the check did"));
    if (row.drawing) parts.push(make("p", { class: "label" }, "The graph your code built"), row.drawing);
    if (result?.output) parts.push(make("p", { class: "label" }, "Your code printed"), make("pre", { class: "output", tabindex: "0", role: "region", "aria-label": "output" }, capped(result.output)));
    if (result && BAD.has(result.status)) parts.push(this.#hints(row));
    if (!result) parts.push(make("p", { class: "dim" }, "Press Run to see what your code does here."));
    if (result?.status === "not_run") parts.push(make("p", { class: "dim" }, "This check was not reached."));
    if (result?.status === "passed" && !parts.length) parts.push(make("p", { class: "dim" }, "Your code does what this check asks."));
    if (check.points) parts.push(make("p", { class: "dim points" }, `${check.points} point${check.points === 1 ? "" : "s"} when you hand in`));
    body.replaceChildren(...parts);
  }

  #hints(row) {
    const { hints } = row.check;
    const box = make("div", { class: "hints" });
    const list = make("ol", { class: "hint-list", "aria-live": "polite" });
    const more = button("", () => {
      row.hints += 1;
      show();
    });
    const show = () => {
      list.replaceChildren(...hints.slice(0, row.hints).map((hint) => make("li", {}, ...prose(hint))));
      list.hidden = row.hints === 0;
      const left = hints.length - row.hints;
      more.hidden = left === 0;
      more.textContent = hints.length === 1 ? "Show the hint" : `Show hint ${row.hints + 1} of ${hints.length}`;
    };
    show();
    box.append(list, more);
    return box;
  }
}
