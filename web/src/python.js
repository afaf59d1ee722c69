// The page's Python: fetched once, started ahead of time, and told about beside Run while somebody waits for it.
import { dismiss, notice, say } from "./notices.js";
import { button } from "./parts.js";
import { Runner } from "./runner.js";
import { MissingFile, loadAssets } from "./runtime.js";
import { browserWorker } from "./worker_browser.js";

const sentence = (error) =>
  error instanceof MissingFile
    ? error.message
    : `Python could not be started (${String(error.message).split("\n")[0]}). Reload the page; if it stays so, tell whoever hosts it.`;

export class Python {
  #manifest;
  #assets = null;
  #runner;
  #awaited = false; // somebody waits for it: the line beside Run says how it gets on

  constructor(manifest) {
    this.#manifest = manifest;
    this.#runner = new Runner({
      makeWorker: () => browserWorker(new URL("worker.js", document.baseURI)),
      loadAssets: () => this.#load(),
      onState: (state) => this.#tell(state),
    });
  }

  get running() {
    return this.#runner.running;
  }

  get ready() {
    return document.body.dataset.python === "ready";
  }

  #load() {
    this.#assets ??= loadAssets(document.baseURI, this.#manifest, (fraction) => {
      if (this.#awaited) say(fraction < 1 ? `Loading Python, ${Math.round(fraction * 100)} %` : "Starting Python", "loading");
    })
      .then((loaded) => ({ ...loaded, lock: this.#manifest.lock }))
      .catch((error) => {
        this.#assets = null; // the next try fetches anew
        throw error;
      });
    return this.#assets;
  }

  #tell(state) {
    document.body.dataset.python = state;
    if (!this.#awaited) return;
    if (state === "loading") say("Loading Python", "loading");
    else if (this.running) say("Running", "running");
    else say("Python ready");
    if (state === "ready") this.#awaited = false;
  }

  /** Have one stand ready, and say what is wrong when that cannot be. */
  prepare() {
    this.#awaited = true;
    this.#runner.prepare().catch((error) => {
      this.#awaited = false;
      if (!this.running) this.#refuse(error);
    });
  }

  /** See `Runner.run`. What keeps Python from starting is told here; `onEvent` hears of it, too. */
  async run(request, limits, onEvent) {
    dismiss("python");
    this.#await();
    await this.#runner.run(request, limits, (event) => {
      if (event.kind === "waiting" && !this.ready) this.#await();
      if (event.kind === "file") say("Running", "running");
      if (event.kind === "finished" && event.ending === "failed") this.#refuse(event.error);
      onEvent(event);
    });
    this.#awaited = false;
  }

  stop() {
    this.#runner.stop();
  }

  #await() {
    this.#awaited = !this.ready;
    if (this.ready) say("Running", "running");
    else say("Starting Python", "loading");
  }

  #refuse(error) {
    say("Python is not available", "failed");
    notice("python", sentence(error), button("Try again", () => (dismiss("python"), this.prepare())));
  }
}
