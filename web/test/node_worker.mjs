// The page's worker, in a thread of Node: the same driver in the same Pyodide, without a browser around it.
import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { parentPort } from "node:worker_threads";

let python;

async function start({ dist, numpy }) {
  const folder = path.join(dist, "pyodide");
  const { loadPyodide } = await import(pathToFileURL(path.join(folder, "pyodide.mjs")).href);
  const data = readFileSync(path.join(dist, "index.html"), "utf8");
  const { manifest } = JSON.parse(/<script type="application\/json" id="data">(.*?)<\/script>/s.exec(data)[1]);
  python = await loadPyodide({
    indexURL: folder,
    stdout: () => {},
    stderr: () => {},
    env: { HOME: "/home/learner", PYTHONHASHSEED: "0" },
    lockFileContents: manifest.lock,
    packageBaseUrl: folder,
    packageCacheDir: folder,
  });
  if (numpy) await python.loadPackage("numpy", { messageCallback: () => {} });
  python.FS.writeFile("/lib/handgrad_kit.zip", readFileSync(path.join(dist, manifest.kit.path)));
  python.runPython("import sys; sys.path.insert(0, '/lib/handgrad_kit.zip'); import handgrad_page.driver");
  parentPort.postMessage({ kind: "ready", milliseconds: 0 });
}

function run({ request }) {
  try {
    python.pyimport("handgrad_page.driver").run(JSON.stringify(request), (event) => parentPort.postMessage(JSON.parse(event)));
    parentPort.postMessage({ kind: "done" });
  } catch (error) {
    parentPort.postMessage({ kind: "dead", reason: "crash", text: String(error?.message ?? error).slice(-2000) });
  }
}

parentPort.on("message", (message) => {
  if (message.kind === "start") {
    start(message.assets).catch((error) => parentPort.postMessage({ kind: "unready", text: String(error) }));
  } else {
    run(message);
  }
});
