// Runs a learner's file: a fresh Python each time, one more standing ready, and an end to whatever hangs.
//
// Nothing here touches the page, so the same code runs the tests under Node.

const WORDS = {
  depth: "your code went so deep that Python itself had to stop: does a function call itself without an end?",
  memory: "your code used up all the memory there is: does a list or a string grow without an end?",
  exit: "your code ended Python (exit, quit or os._exit): take that call out",
  crash: "your code stopped Python itself, and nothing more can be said of it",
};

export const slowWords = (seconds) =>
  `stopped after ${seconds} seconds: is there a loop that never ends, or a value that is visited again and again?`;

/**
 * `makeWorker()` gives `{post(message), onMessage(callback), onFault(callback), terminate()}`;
 * `loadAssets()` resolves to what a worker is started with.
 */
export class Runner {
  #makeWorker;
  #loadAssets;
  #spare = null;
  #running = null;
  #onState;

  constructor({ makeWorker, loadAssets, onState = () => {} }) {
    this.#makeWorker = makeWorker;
    this.#loadAssets = loadAssets;
    this.#onState = onState;
  }

  get running() {
    return this.#running !== null;
  }

  /** Have a Python stand ready. Resolves when it does; rejects with a sentence. */
  prepare() {
    this.#spare ??= this.#start().catch((error) => {
      this.#spare = null;
      throw error;
    });
    return this.#spare.then(() => {});
  }

  async #start() {
    this.#onState("loading");
    const assets = await this.#loadAssets();
    const worker = this.#makeWorker();
    try {
      const ready = new Promise((resolve, reject) => {
        worker.onMessage((message) => {
          if (message.kind === "ready") resolve(message.milliseconds);
          if (message.kind === "unready") reject(new Error(message.text));
        });
        worker.onFault((text) => reject(new Error(text)));
      });
      worker.post({ kind: "start", assets });
      worker.bootMilliseconds = await ready;
    } catch (error) {
      worker.terminate();
      throw error;
    }
    this.#onState("ready");
    return worker;
  }

  /** The Python that stands ready, or null when the run is stopped before there is one. */
  async #take(run) {
    const ready = this.prepare().then(() => this.#spare);
    ready.catch(() => {}); // heard below, or of no interest any more
    const worker = await Promise.race([ready, run.halted]);
    if (run.stopped) return null; // it has run nothing: it stays ready
    this.#spare = null;
    this.#onState("none");
    return worker;
  }

  /** End the current run at once. What was not reached is told as not run. */
  stop() {
    this.#running?.halt();
  }

  /**
   * Run `request` (`{exercise, code, checks: [name, …], draw, example}`) and tell `onEvent` what happens:
   * `file`, `running`, `result`, `drawing`, at last `finished` with `ending` done | stopped | failed.
   *
   * A check that hangs or kills Python costs that check alone: the next ones go on in another Python.
   * `limits` are `{seconds, impatientSeconds}`, for loading the file and for each check; `limits.checks` has
   * the same by name for checks that need longer.
   */
  async run(request, limits, onEvent) {
    if (this.#running) throw new Error("a run is under way");
    const run = { stopped: false };
    run.halted = new Promise((resolve) => {
      run.halt = () => {
        run.stopped = true;
        resolve(null);
      };
    });
    this.#running = run;
    // A run that takes this long may need another Python: for what follows a stop, or for its own next check.
    const early = setTimeout(() => this.prepare().catch(() => {}), 1000);
    try {
      await this.#runAll(run, request, limits, onEvent);
    } catch (error) {
      onEvent({ kind: "finished", ending: "failed", error });
    } finally {
      clearTimeout(early);
      this.#running = null;
    }
    this.prepare().catch(() => {}); // the next Run will say what is wrong
  }

  async #runAll(run, request, limits, onEvent) {
    let checks = request.checks;
    let draw = request.draw ?? true;
    let slow = 0;
    let told = false;
    while (!run.stopped) {
      onEvent({ kind: "waiting" });
      const worker = await this.#take(run);
      if (!worker) break;
      const secondsOf = (name) => {
        const { seconds, impatientSeconds } = limits.checks?.[name] ?? limits;
        return slow >= 2 ? impatientSeconds : seconds;
      };
      const end = await this.#runOne(run, worker, { ...request, checks, draw }, secondsOf, (event) => {
        if (event.kind === "file") {
          if (told) return;
          told = true;
        }
        if (event.kind === "result") checks = checks.filter((name) => name !== event.name);
        onEvent(event);
      });
      worker.terminate();
      if (end.kind === "done") return onEvent({ kind: "finished", ending: "done" });
      if (end.kind === "stopped") break;
      if (end.kind === "slow") slow += 1;
      const message = end.kind === "slow" ? slowWords(secondsOf(end.at)) : WORDS[end.reason];
      if (end.at === "drawing") {
        draw = false;
        if (!checks.length) return onEvent({ kind: "finished", ending: "done" });
      } else if (end.at === null) {
        onEvent({ kind: "file", problem: message, place: null, output: "" });
        return onEvent({ kind: "finished", ending: "done" });
      } else {
        checks = checks.filter((name) => name !== end.at);
        onEvent({ kind: "result", name: end.at, result: { status: "error", message } });
        if (!checks.length) return onEvent({ kind: "finished", ending: "done" });
      }
    }
    onEvent({ kind: "finished", ending: "stopped" });
  }

  #runOne(run, worker, request, secondsOf, onEvent) {
    return new Promise((resolve) => {
      let at = null; // the check under way; null while the file is loaded
      let timer;
      const finish = (end) => {
        clearTimeout(timer);
        worker.onMessage(() => {}); // what it says from now on is of no interest
        resolve({ ...end, at });
      };
      const restart = () => {
        clearTimeout(timer);
        timer = setTimeout(() => finish({ kind: "slow" }), secondsOf(at) * 1000);
      };
      run.halted.then(() => finish({ kind: "stopped" }));
      worker.onMessage((message) => {
        if (message.kind === "done" || message.kind === "dead") return finish(message);
        if (message.kind === "running") at = message.name;
        if (message.kind === "drawing-next") at = "drawing";
        if (["running", "file", "drawing-next"].includes(message.kind)) restart();
        onEvent(message);
      });
      worker.onFault((text) => finish({ kind: "dead", reason: "crash", text }));
      restart();
      worker.post({ kind: "run", request });
    });
  }
}
