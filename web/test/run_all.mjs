// node run_all.mjs < {dist, exercise, submissions: [{name, code}], fresh}  >  {name: [{name, status, …}]}
//
// Runs each submission against the visible checks with the page's own runner, in Pyodide under Node. One
// interpreter serves many submissions here, unless `fresh`: the page takes a new one for each.
import { Worker } from "node:worker_threads";
import { Runner } from "../src/runner.js";

let text = "";
for await (const chunk of process.stdin) text += chunk;
const { dist, exercise, submissions, fresh } = JSON.parse(text);

const pool = [];

function makeWorker() {
  const kept = pool.pop();
  const thread = kept ?? new Worker(new URL("node_worker.mjs", import.meta.url));
  let busy = false;
  const listen = (name, callback) => {
    thread.removeAllListeners(name);
    thread.on(name, callback);
  };
  return {
    post: (message) => {
      if (kept && message.kind === "start") return queueMicrotask(() => thread.emit("message", { kind: "ready", milliseconds: 0 }));
      if (message.kind === "run") busy = true;
      return thread.postMessage(message);
    },
    onMessage: (callback) =>
      listen("message", (message) => {
        if (message.kind === "done") busy = false;
        callback(message);
      }),
    onFault: (callback) => listen("error", (error) => callback(error.message)),
    terminate: () => {
      if (busy || fresh) thread.terminate();
      else pool.push(thread);
    },
  };
}

const runner = new Runner({ makeWorker, loadAssets: async () => ({ dist, numpy: exercise.judge.preload.includes("numpy") }) });
const results = {};
for (const { name, code } of submissions) {
  const told = { file: null, rows: [] };
  const request = { exercise: exercise.judge, code, checks: exercise.checks.map((check) => check.name), draw: false, example: "" };
  await runner.run(request, exercise.limits, (event) => {
    if (event.kind === "file") told.file = { problem: event.problem, line: event.place?.line ?? 0 };
    if (event.kind === "result") told.rows.push({ name: event.name, ...event.result });
    if (event.kind === "finished" && event.ending !== "done") told.ending = String(event.error ?? event.ending);
  });
  results[name] = told;
}
process.stdout.write(JSON.stringify(results), () => process.exit(0));
