// Where Python comes from: fetched and compiled once for the page, then given to every worker.

/** A file of the page that did not arrive. The text is a sentence for the learner. */
export class MissingFile extends Error {
  constructor(name, why) {
    super(`Python could not be loaded: \`${name}\` ${why}. Reload the page; if it stays so, tell whoever hosts it.`);
  }
}

async function fetchFile(url, name) {
  let response;
  try {
    response = await fetch(url);
  } catch {
    throw new MissingFile(name, "did not arrive (is the server still running?)");
  }
  if (!response.ok) throw new MissingFile(name, `is not there (${response.status})`);
  return response;
}

/** The response, with `onBytes(so far)` called while its body arrives. */
function counted(response, onBytes) {
  let bytes = 0;
  const count = new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      onBytes(bytes);
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(count), { headers: response.headers });
}

async function compile(response, name) {
  try {
    const wasm = /^application\/wasm\b/.test(response.headers.get("content-type") ?? "");
    return wasm
      ? await WebAssembly.compileStreaming(response)
      : await WebAssembly.compile(await response.arrayBuffer());
  } catch (error) {
    if (error instanceof WebAssembly.CompileError) throw new MissingFile(name, "arrived damaged");
    throw new MissingFile(name, "broke off on the way");
  }
}

/**
 * The files every worker needs. `manifest` names them with their sizes, `onProgress(fraction)` is told how
 * far the largest one has come. Rejects with MissingFile.
 */
export async function loadAssets(base, manifest, onProgress = () => {}) {
  const file = (name) => new URL(name, base).href;
  const wasm = fetchFile(file(manifest.wasm.path), manifest.wasm.path).then((response) =>
    compile(counted(response, (bytes) => onProgress(Math.min(1, bytes / manifest.wasm.bytes))), manifest.wasm.path),
  );
  const buffer = async ({ path }) => (await fetchFile(file(path), path)).arrayBuffer();
  const [module, kit, library] = await Promise.all([wasm, buffer(manifest.kit), buffer(manifest.library)]);
  return { module, kit, library, pyodide: file(manifest.pyodide), numpy: manifest.numpy ? file(manifest.numpy) : null };
}
