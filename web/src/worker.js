// One Python, for one Run. It is started ahead of time, runs one file once, and is thrown away.
//
// What happens here is practice: the learner's code shares this interpreter with the checks.

const post = (message) => self.postMessage(message);

/** Hand the compiled module and the standard library over, where Pyodide would fetch them once more. */
function serveFromMemory({ module, library }) {
  const fetchAnew = self.fetch.bind(self);
  const bytes = { "pyodide.asm.wasm": () => new ArrayBuffer(0), "python_stdlib.zip": () => library };
  self.fetch = (resource, ...rest) => {
    const name = String(resource?.url ?? resource).split(/[?#]/)[0].split("/").pop();
    return bytes[name] ? Promise.resolve(new Response(bytes[name]())) : fetchAnew(resource, ...rest);
  };
  WebAssembly.instantiateStreaming = async (_response, imports) => ({
    module,
    instance: await WebAssembly.instantiate(module, imports),
  });
}

/** A learner's file has no business with the network or with what the browser keeps for this site. */
function closeDoors() {
  for (const name of [
    "fetch", "XMLHttpRequest", "WebSocket", "WebSocketStream", "WebTransport", "EventSource", "Request",
    "importScripts", "Worker", "SharedWorker", "BroadcastChannel", "indexedDB", "caches", "Notification",
  ]) {
    try {
      Object.defineProperty(self, name, { value: undefined, configurable: false, writable: false });
    } catch {
      // Not all of them can be closed in all browsers. Nothing depends on it.
    }
  }
}

let python;

async function start({ assets }) {
  const began = performance.now();
  serveFromMemory(assets);
  const { loadPyodide } = await import(assets.pyodide);
  python = await loadPyodide({
    indexURL: new URL(".", assets.pyodide).href,
    jsglobals: { setTimeout: self.setTimeout.bind(self), clearTimeout: self.clearTimeout.bind(self) },
    stdin: () => undefined,
    stdout: () => {},
    stderr: () => {},
    env: { HOME: "/home/learner", PYTHONHASHSEED: "0" },
    lockFileContents: assets.lock,
    packageBaseUrl: new URL(".", assets.pyodide).href,
  });
  if (assets.numpy) await python.loadPackage("numpy", { checkIntegrity: true });
  python.FS.writeFile("/lib/handgrad_kit.zip", new Uint8Array(assets.kit));
  python.runPython("import sys; sys.path.insert(0, '/lib/handgrad_kit.zip'); import handgrad_page.driver");
  closeDoors();
  post({ kind: "ready", milliseconds: performance.now() - began });
}

function reasonOf(error) {
  const text = String(error?.message ?? error);
  if (error instanceof RangeError || /Maximum call stack|stack overflow|recursion/i.test(text)) return "depth";
  if (/memory|allocation/i.test(text)) return "memory";
  if (/exit/i.test(error?.name ?? "") || /exit/i.test(text)) return "exit";
  return "crash";
}

function run({ request }) {
  try {
    const driver = python.pyimport("handgrad_page.driver");
    driver.run(JSON.stringify(request), (event) => post(JSON.parse(event)));
    post({ kind: "done" });
  } catch (error) {
    post({ kind: "dead", reason: reasonOf(error), text: String(error?.message ?? error).slice(-2000) });
  }
}

self.onmessage = ({ data }) => {
  if (data.kind === "start") {
    start(data).catch((error) => post({ kind: "unready", text: String(error?.message ?? error) }));
  } else {
    run(data);
  }
};
