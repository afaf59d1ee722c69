// One problem page: decides whether the exercise may be opened, and opens it.
import { givesAway, needsNumpy } from "./gates.js";
import { at, notice, say } from "./notices.js";
import { narrow, setUpPanes } from "./panes.js";
import { Python } from "./python.js";
import { Shelf, closedBy, openStorage } from "./store.js";
import { Workbench, dateOf } from "./workbench.js";

const { manifest, outline, slug } = JSON.parse(at("data").textContent);
const access = { ...openStorage(), base: document.baseURI };
const about = outline.find((exercise) => exercise.slug === slug);
const shelf = new Shelf(slug, about.version, access);
const python = new Python(manifest);

function showMark() {
  const { passed } = shelf;
  at("state").dataset.state = passed ? "passed" : "none";
  at("state").textContent = passed ? "passed" : "";
  at("state").title = passed ? `passed here on ${dateOf(passed.at)}` : "";
}

/** The exercise, or a sentence for whoever waits for it. */
async function fetchExercise() {
  const name = `exercises/${slug}.json`;
  const response = await fetch(new URL(name, document.baseURI)).catch(() => null);
  if (response?.ok) return response.json();
  const why = response ? `is not there (${response.status})` : "did not arrive (is the server still running?)";
  say("This exercise is not available", "failed");
  notice("python", `The exercise could not be loaded: \`${name}\` ${why}. Reload the page; if it stays so, tell whoever hosts it.`);
  return null;
}

function open(exercise) {
  new Workbench({ exercise, about, outline, shelf, access, python, onPassed: showMark });
  const thrifty = narrow.matches || navigator.connection?.saveData;
  if (thrifty) at("editor").addEventListener("focusin", () => python.prepare(), { once: true });
  else python.prepare();
  document.body.dataset.ready = "yes";
}

async function begin() {
  setUpPanes();
  showMark();
  const exercise = await fetchExercise();
  if (!exercise) return;
  const blockers = closedBy(about, outline, access);
  if (exercise.judge.preload.includes("numpy") && !manifest.numpy) needsNumpy(exercise);
  else if (blockers.length)
    givesAway(blockers, () => {
      shelf.change((record) => (record.given = true));
      open(exercise);
    });
  else open(exercise);
}

begin();
