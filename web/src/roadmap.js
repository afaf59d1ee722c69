import { Shelf, closedBy, openStorage } from "./store.js";

const { outline } = JSON.parse(document.getElementById("data").textContent);
const access = { ...openStorage(), base: document.baseURI };

const WORDS = { passed: "passed", started: "in progress", closed: "closed for now", none: "" };

function stateOf(exercise) {
  const shelf = new Shelf(exercise.slug, exercise.version, access);
  if (shelf.passed) return "passed";
  if (shelf.started) return "started";
  if (!exercise.closed && closedBy(exercise, outline, access).length) return "closed";
  return "none";
}

function mark(exercise) {
  const state = stateOf(exercise);
  const item = document.querySelector(`[data-slug="${exercise.slug}"]`);
  item.dataset.state = state;
  const label = item.querySelector(".state");
  label.dataset.state = state;
  label.textContent = WORDS[state];
  return state;
}

function offerToContinue(states) {
  const open = outline.filter((exercise) => !exercise.closed);
  const touched = open
    .map((exercise) => ({ exercise, at: new Shelf(exercise.slug, exercise.version, access).lastTouched, state: states.get(exercise.slug) }))
    .sort((a, b) => b.at - a.at);
  const current = touched.find(({ state }) => state === "started");
  const fresh = open.find(({ slug }) => states.get(slug) === "none");
  const passed = [...states.values()].filter((state) => state === "passed").length;
  const box = document.getElementById("continue");
  box.replaceChildren();
  box.hidden = false;
  const target = current?.exercise ?? fresh;
  if (target) {
    const link = document.createElement("a");
    link.className = "go";
    link.href = `${target.slug}.html`;
    link.textContent = `${current ? "Continue with" : passed ? "Next:" : "Start with"} ${target.title}`;
    box.append(link);
  }
  const words = document.createElement("span");
  words.className = "tally";
  if (passed) words.textContent = passed === outline.length ? "All passed. Well done." : `${passed} of ${outline.length} passed`;
  box.append(words);
}

function show() {
  offerToContinue(new Map(outline.map((exercise) => [exercise.slug, mark(exercise)])));
}

show();
addEventListener("storage", show);
addEventListener("pageshow", show);
