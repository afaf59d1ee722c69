// What stands where the editor would, while an exercise is not to be done here, or not yet.
import { at } from "./notices.js";
import { button, download, make, prose } from "./parts.js";

function shut(...children) {
  at("file").hidden = true;
  at("results").hidden = true;
  at("gate").hidden = false;
  at("gate").replaceChildren(...children);
  at("run").disabled = true;
}

function unlock() {
  at("gate").hidden = true;
  at("file").hidden = false;
  at("results").hidden = false;
}

export function needsNumpy({ slug, starter }) {
  shut(
    make("h2", {}, "This one needs NumPy"),
    make("p", {}, "The page you are reading was built without it, so Python here cannot run this exercise. Read the problem, then do it in one of these:"),
    make(
      "ul",
      {},
      make("li", {}, ...prose(`in a terminal, in the course folder: edit \`exercises/${slug}/solution.py\`, then \`make check EX=${slug}\``)),
      make("li", {}, "in its notebook, if your course gives one out"),
    ),
    make("div", { class: "answers" }, button("Download the starter", () => download("solution.py", starter))),
  );
}

/** `blockers` are the exercises whose answers this one begins with; `open()` opens it all the same. */
export function givesAway(blockers, open) {
  const names = blockers.map((other) => other.title).join(" and ");
  const first = blockers[0];
  shut(
    make("h2", {}, "Closed for now"),
    make("p", {}, `This exercise begins with working code for what “${names}” asks you to write. It opens by itself when you have passed that one in this browser.`),
    make(
      "div",
      { class: "answers" },
      make("a", { class: "go", href: `${first.slug}.html` }, `Go to ${first.title}`),
      button("Open it with the given code", () => (unlock(), open())),
    ),
  );
}
