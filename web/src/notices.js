// Where the page speaks: one line beside Run, and notices above the editor.
import { make, prose } from "./parts.js";

export const at = (id) => document.getElementById(id);

/** A notice, one for each `key`: a new one takes the place of the old. */
export function notice(key, words, ...actions) {
  dismiss(key);
  const box = make("div", { class: "notice", id: `notice-${key}`, role: "status" }, make("p", {}, ...prose(words)));
  if (actions.length) box.append(make("div", { class: "answers" }, ...actions));
  at("notices").append(box);
}

export const dismiss = (key) => at(`notice-${key}`)?.remove();

/** The line beside Run. `kind` is loading | running | passed | failed | ended, or nothing. */
export function say(words, kind = "") {
  at("status").textContent = words;
  at("status").dataset.kind = kind;
}

/** A button that can do nothing just now keeps the focus, so that a keyboard stays where it was. */
export const allow = (id, yes) => at(id).setAttribute("aria-disabled", String(!yes));
