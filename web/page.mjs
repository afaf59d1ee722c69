// The HTML of the two kinds of page. Everything a reader needs is in it; scripts only add the editor and Python.
import { escape } from "./statement.mjs";

const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "worker-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

const LEVELS = { easy: "Easy", medium: "Medium", hard: "Hard" };

const inlineCode = (text) => escape(text).replace(/`([^`]+)`/g, "<code>$1</code>");

const mark = `<svg class="mark" viewBox="0 0 32 32" width="26" height="26" aria-hidden="true"><path d="M8 9.5 15.2 15M8 22.5 15.2 17M18.8 16H23" /><circle cx="6" cy="8" r="3.2"/><circle cx="6" cy="24" r="3.2"/><circle cx="17" cy="16" r="3.2"/><circle class="end" cx="26" cy="16" r="3.2"/></svg>`;

const sun = `<svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true"><circle cx="12" cy="12" r="8.5"/><path d="M12 3.5a8.5 8.5 0 0 1 0 17z" class="half"/></svg>`;

function frame({ title, course, script, kind, data, crumbs, body, tools = "" }) {
  return `<!doctype html>
<html lang="en" class="no-script">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escape(title)}</title>
<link rel="icon" href="icon.svg" type="image/svg+xml">
<link rel="preload" href="fonts/source-serif.woff2" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="style.css">
<script src="theme.js"></script>
<script type="module" src="${script}"></script>
</head>
<body class="${kind}">
<a class="skip" href="#main">Skip to the ${kind === "roadmap" ? "exercises" : "problem"}</a>
<header class="bar">
<nav aria-label="You are here">${crumbs}</nav>
<div class="bar-end">${tools}<button type="button" class="icon" id="theme" aria-label="Theme: as your system has it" title="Theme" hidden>${sun}</button></div>
</header>
${body}
<script type="application/json" id="data">${JSON.stringify(data).replace(/</g, "\\u003c")}</script>
</body>
</html>
`;
}

const needsScript = `<p class="needs-script notice">The editor needs JavaScript, and this folder must come from a web server: <code>handgrad page --serve</code> starts one on your own machine. A page opened as a file can be read, but cannot run Python.</p>`;

const tagsOf = (exercise) =>
  `<ul class="tags" aria-label="tags">${exercise.tags.map((tag) => `<li>${escape(tag)}</li>`).join("")}</ul>`;

const factsOf = (exercise) =>
  `<p class="facts"><span class="level ${escape(exercise.level)}">${LEVELS[exercise.level] ?? escape(exercise.level)}</span>${
    exercise.minutes ? `<span>about ${exercise.minutes} minutes</span>` : ""
  }</p>`;

/** The list of exercises, in the order of the course. */
export function roadmapPage({ course, exercises, data }) {
  const titles = new Map(exercises.map((exercise) => [exercise.slug, exercise.title]));
  const items = exercises
    .map((exercise, i) => {
      const after = exercise.after.filter((slug) => titles.has(slug)).map((slug) => titles.get(slug));
      const heading = exercise.closed
        ? `<span class="name">${escape(exercise.title)}</span>`
        : `<a class="name" href="${escape(exercise.slug)}.html">${escape(exercise.title)}</a>`;
      return `<li class="stop" data-slug="${escape(exercise.slug)}">
<span class="number" aria-hidden="true">${i + 1}</span>
<div class="stop-body">
<h2>${heading} <span class="state" data-state="none"></span></h2>
<p class="summary">${inlineCode(exercise.summary)}</p>
<div class="row">${factsOf(exercise)}${tagsOf(exercise)}</div>
${after.length ? `<p class="after">Comes after ${escape(after.join(" and "))}.</p>` : ""}
${exercise.closed ? `<p class="after">${escape(exercise.closed)}</p>` : ""}
${exercise.note ? `<p class="after">${escape(exercise.note)}</p>` : ""}
</div>
</li>`;
    })
    .join("\n");
  return frame({
    title: course.title,
    script: "roadmap.js",
    kind: "roadmap",
    data,
    crumbs: `<span class="home">${mark}<span>${escape(course.title)}</span></span>`,
    body: `<main id="main">
<div class="opening">
<h1>${escape(course.title)}</h1>
<p class="lede">One idea at a time, written by hand. Python runs in this page: there is nothing to install, and what you write stays in this browser.</p>
<div id="continue" class="continue" hidden></div>
</div>
<noscript>${needsScript}</noscript>
<ol class="stops" aria-label="Exercises">
${items}
</ol>
<p class="aside">This page is for practice. It runs the visible checks; the ones that count for a grade, hidden checks among them, run when you hand in.</p>
</main>`,
  });
}

function panel(id, label, body) {
  return `<section class="panel" id="${id}" role="tabpanel" aria-label="${label}">${body}</section>`;
}

/** One problem: the statement beside the editor. */
export function problemPage({ course, exercise, statement, data, next }) {
  const goals = exercise.goals.length
    ? `<aside class="goals" aria-label="Goals"><p>After this you can</p><ul>${exercise.goals.map((goal) => `<li>${inlineCode(goal)}</li>`).join("")}</ul></aside>`
    : "";
  const problem = `<article class="statement">
<p class="kicker">${escape(LEVELS[exercise.level] ?? exercise.level)}${exercise.minutes ? ` · about ${exercise.minutes} minutes` : ""}</p>
<h1>${escape(exercise.title)} <span class="state" id="state" data-state="none"></span></h1>
${tagsOf(exercise)}
${needsScript}
${statement}
${goals}
${next ? `<p class="next">Next on the roadmap: <a href="${escape(next.slug)}.html">${escape(next.title)}</a></p>` : ""}
</article>`;
  const code = `<div class="notices" id="notices"></div>
<div class="gate" id="gate" hidden></div>
<div class="file" id="file">
<div class="file-head"><span class="file-name">solution.py</span><span class="saved" id="saved"></span>
<div class="file-tools"><button type="button" class="quiet" id="open">Open…</button><button type="button" class="quiet" id="download">Download</button><button type="button" class="quiet" id="reset">Reset</button></div></div>
<div class="editor" id="editor"></div>
<p class="keys">Run with <kbd>Ctrl</kbd> <kbd>Enter</kbd> (<kbd>⌘</kbd> <kbd>Enter</kbd> on a Mac). <kbd>Tab</kbd> indents; <kbd>Esc</kbd>, then <kbd>Tab</kbd> leaves the editor.</p>
</div>
<input type="file" id="file-input" accept=".py,text/x-python,text/plain" hidden>`;
  const results = `<div class="summary-line" id="summary"><h2>Checks</h2><p id="score"></p></div>
<div class="bars" id="bars" aria-hidden="true"></div>
<div id="message"></div>
<ol class="checks" id="checks" aria-label="Checks"></ol>
<p class="aside" id="practice"></p>
<section class="own-graph" id="own-graph" aria-label="Your graph" hidden></section>`;
  return frame({
    title: `${exercise.title} · ${course.title}`,
    script: "problem.js",
    kind: "problem",
    data,
    crumbs: `<a class="home" href="index.html">${mark}<span>Roadmap</span></a><span class="here" aria-current="page">${escape(exercise.title)}</span>`,
    body: `<div class="tabs" role="tablist" aria-label="Parts of the exercise" id="tabs" hidden>
<button type="button" role="tab" id="tab-problem" aria-controls="problem">Problem</button>
<button type="button" role="tab" id="tab-code" aria-controls="code">Code</button>
<button type="button" role="tab" id="tab-results" aria-controls="results">Checks</button>
</div>
<main id="main" class="desk">
${panel("problem", "Problem", problem)}
<div class="work" id="work">
<div class="toolbar"><button type="button" class="run" id="run" disabled>Run</button><button type="button" class="stop-button" id="stop" disabled>Stop</button><p class="status" id="status" role="status">Python idle</p></div>
${panel("code", "Code", code)}
${panel("results", "Checks", results)}
</div>
</main>
<dialog id="dialog" aria-labelledby="dialog-title"></dialog>`,
  });
}
