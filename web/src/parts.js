// Small pieces of page. Text goes in as text: nothing a learner's code says is ever read as HTML.
import { highlightCode, classHighlighter } from "@lezer/highlight";
import { pythonLanguage } from "@codemirror/lang-python";

/** `make("p", {class: "x"}, "text", node, …)`; `on…` attributes are listeners, null ones are left out. */
export function make(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return made;
}

export const button = (words, onclick, className = "quiet") => make("button", { type: "button", class: className, onclick }, words);

/** A sentence with `code` in it, as nodes. */
export function prose(text) {
  return text.split(/(`[^`\n]+`)/).map((part) => (part.length > 2 && part.startsWith("`") && part.endsWith("`") ? make("code", {}, part.slice(1, -1)) : part));
}

/** Python source, coloured as in the editor. */
export function listing(source, label = "code") {
  const code = make("code");
  highlightCode(
    source,
    pythonLanguage.parser.parse(source),
    classHighlighter,
    (text, classes) => code.append(classes ? make("span", { class: classes }, text) : text),
    () => code.append("\n"),
  );
  return make("pre", { class: "listing", tabindex: "0", role: "region", "aria-label": label }, code);
}

export function download(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: "text/x-python" }));
  const link = make("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Ask before something is lost. Resolves to the chosen answer's key, or null. */
export function ask({ title, words, answers }) {
  const dialog = document.getElementById("dialog");
  return new Promise((resolve) => {
    const form = make(
      "form",
      { method: "dialog" },
      make("h2", { id: "dialog-title" }, title),
      make("p", {}, ...prose(words)),
      make("div", { class: "answers" }, ...answers.map(([key, label, className]) => make("button", { value: key, class: className ?? "quiet" }, label))),
    );
    dialog.replaceChildren(form);
    dialog.returnValue = "";
    dialog.addEventListener("close", () => resolve(dialog.returnValue || null), { once: true });
    dialog.showModal();
  });
}

/** What is shown at most of what a learner's code printed: both ends of it. */
export function capped(text, most = 4000) {
  if (text.length <= most) return text;
  const half = most / 2;
  const left = text.slice(half, -half).split("\n").length;
  return `${text.slice(0, half)}\n… ${left} lines left out …\n${text.slice(-half)}`;
}
