// On a phone the problem, the code and the checks are three tabs; on a wide screen they stand side by side.
import { at } from "./notices.js";

const PANES = ["problem", "code", "results"];
export const narrow = matchMedia("(max-width: 899px)");

export function showPane(pane, focus = false) {
  document.body.dataset.part = pane;
  for (const name of PANES) {
    const tab = at(`tab-${name}`);
    tab.setAttribute("aria-selected", String(name === pane));
    tab.tabIndex = name === pane ? 0 : -1;
    if (focus && name === pane) tab.focus();
  }
}

/** What has no tab to be named by is a region with a name of its own. */
function arrange() {
  at("tabs").hidden = !narrow.matches;
  for (const name of PANES) {
    at(name).setAttribute("role", narrow.matches ? "tabpanel" : "region");
    if (narrow.matches) at(name).setAttribute("aria-labelledby", `tab-${name}`);
    else at(name).removeAttribute("aria-labelledby");
  }
}

export function setUpPanes() {
  for (const name of PANES) at(`tab-${name}`).addEventListener("click", () => showPane(name));
  at("tabs").addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const now = PANES.indexOf(document.body.dataset.part);
    showPane(PANES[(now + step + PANES.length) % PANES.length], true);
  });
  narrow.addEventListener("change", arrange);
  arrange();
  showPane("problem");
}
