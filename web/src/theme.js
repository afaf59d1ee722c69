// Runs before anything is painted, so that a dark page does not flash white.
(() => {
  const root = document.documentElement;
  if (location.protocol !== "file:") root.classList.remove("no-script"); // from a file, no module loads
  const names = ["system", "light", "dark"];
  const words = { system: "as your system has it", light: "light", dark: "dark" };
  let chosen = "system";
  try {
    chosen = names.includes(localStorage.getItem("handgrad:theme")) ? localStorage.getItem("handgrad:theme") : "system";
  } catch {
    // No storage: the system decides.
  }
  const show = () => {
    if (chosen === "system") delete root.dataset.theme;
    else root.dataset.theme = chosen;
  };
  show();
  addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    const label = () => {
      const text = `Theme: ${words[chosen]}`;
      button.setAttribute("aria-label", text);
      button.title = text;
    };
    label();
    button.hidden = false;
    button.addEventListener("click", () => {
      chosen = names[(names.indexOf(chosen) + 1) % names.length];
      show();
      label();
      try {
        localStorage.setItem("handgrad:theme", chosen);
      } catch {
        // It holds for this page, then.
      }
    });
  });
})();
