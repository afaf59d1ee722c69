// Fills the folder that is served: node build.mjs --course course.json --kit kit.zip --out new_folder/
//
// `course.json` comes from `handgrad page` (src/handgrad/build/page.py) and holds nothing that a learner
// may not see. This file adds Pyodide, the editor, the fonts and the rendered statements. It removes nothing:
// the command gives it an empty folder, searches what it wrote, and puts that in the old one's place.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { copyFile, mkdir, readFile, readdir, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { problemPage, roadmapPage } from "./page.mjs";
import { exampleOf, renderStatement } from "./statement.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));

/** What `npm ci` must have brought, byte for byte: Pyodide 314.0.7. */
const PYODIDE = JSON.parse(await readFile(path.join(here, "pyodide.json"), "utf8"));

const FONTS = {
  "source-serif.woff2": "@fontsource-variable/source-serif-4/files/source-serif-4-latin-wght-normal.woff2",
  "source-serif-italic.woff2": "@fontsource-variable/source-serif-4/files/source-serif-4-latin-wght-italic.woff2",
  "inter.woff2": "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2",
  "jetbrains-mono.woff2": "@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2",
};

const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

async function copyPyodide(out) {
  const source = path.join(here, "node_modules", "pyodide");
  await mkdir(path.join(out, "pyodide"), { recursive: true });
  for (const [name, digest] of Object.entries(PYODIDE.files)) {
    const bytes = await readFile(path.join(source, name));
    if (sha256(bytes) !== digest) {
      throw new Error(`\`node_modules/pyodide/${name}\` is not the one of Pyodide ${PYODIDE.version}: run \`npm ci\` in web/`);
    }
    await writeFile(path.join(out, "pyodide", name), bytes);
  }
}

/** The numpy wheel given to the build, checked against the digest in Pyodide's own list. */
async function copyNumpy(wheel, out) {
  if (!wheel) return null;
  const list = JSON.parse(await readFile(path.join(here, "node_modules", "pyodide", "pyodide-lock.json"), "utf8"));
  const entry = list.packages.numpy;
  const bytes = await readFile(wheel).catch(() => {
    throw new Error(`NUMPY_WHEEL: there is no file \`${wheel}\``);
  });
  if (!path.basename(wheel).includes(list.info.abi_version.replace("_", "_"))) {
    throw new Error(
      `NUMPY_WHEEL: \`${path.basename(wheel)}\` is not for this Python; Pyodide ${PYODIDE.version} takes \`${entry.file_name}\``,
    );
  }
  if (sha256(bytes) !== entry.sha256) {
    throw new Error(`NUMPY_WHEEL: the digest of \`${path.basename(wheel)}\` is not the one Pyodide ${PYODIDE.version} lists`);
  }
  await writeFile(path.join(out, "pyodide", entry.file_name), bytes);
  return { info: list.info, packages: { numpy: { ...entry, depends: [], unvendored_tests: false } } };
}

/** CodeMirror writes its rules into a style element, which the page's policy refuses; a sheet it may adopt. */
const adoptSheets = {
  name: "adopt-sheets",
  setup({ onLoad }) {
    onLoad({ filter: /style-mod[\\/].*style-mod\.js$/ }, async ({ path: file }) => {
      const text = await readFile(file, "utf8");
      const found = text.split("!root.head && root.adoptedStyleSheets").length - 1;
      if (found !== 1) throw new Error("style-mod has changed: look at the plugin `adopt-sheets` again");
      return { contents: text.replace("!root.head && root.adoptedStyleSheets", "root.adoptedStyleSheets"), loader: "js" };
    });
  },
};

async function bundle(out) {
  const common = { bundle: true, minify: true, sourcemap: false, legalComments: "none", target: ["es2022"], logLevel: "error" };
  await build({
    ...common,
    entryPoints: ["roadmap.js", "problem.js", "worker.js"].map((name) => path.join(here, "src", name)),
    outdir: out,
    format: "esm",
    splitting: true,
    chunkNames: "parts/[name]-[hash]",
    plugins: [adoptSheets],
  });
  await build({ ...common, entryPoints: [path.join(here, "src", "theme.js")], outdir: out, format: "iife" });
}

async function writeStyle(out, extra) {
  const text = (await readFile(path.join(here, "src", "style.css"), "utf8")) + extra;
  await build({
    stdin: { contents: text, loader: "css", resolveDir: path.join(here, "src") },
    outfile: path.join(out, "style.css"),
    bundle: true,
    minify: true,
    external: ["fonts/*"],
    target: ["chrome112", "firefox117", "safari16.5"],
    logLevel: "error",
  });
}

async function copyFonts(out) {
  await mkdir(path.join(out, "fonts"), { recursive: true });
  for (const [name, from] of Object.entries(FONTS)) {
    await copyFile(path.join(here, "node_modules", from), path.join(out, "fonts", name));
  }
}

/** The licences of what the folder carries, in one file beside it. */
async function writeLicences(out) {
  const lock = JSON.parse(await readFile(path.join(here, "package-lock.json"), "utf8"));
  const parts = ["This folder carries other people's work. Their names, versions and licences:\n"];
  for (const [where, entry] of Object.entries(lock.packages)) {
    if (!where || entry.dev || /esbuild|markdown-it|@types|linkify|mdurl|uc\.micro|argparse|punycode|entities/.test(where)) continue;
    const folder = path.join(here, where);
    const names = await readdir(folder).catch(() => []);
    const file = names.find((name) => /^licen[cs]e/i.test(name));
    parts.push(`\n== ${where.replace("node_modules/", "")} ${entry.version} (${entry.license ?? "see below"})\n`);
    if (file) parts.push(await readFile(path.join(folder, file), "utf8"));
  }
  await writeFile(path.join(out, "LICENSES.txt"), parts.join("\n"));
}

/** The kit's modules compiled by the Python that will run them: importing them is then twice as fast. */
async function compileKit(kitPath, out) {
  const { loadPyodide } = await import(pathToFileURL(path.join(out, "pyodide", "pyodide.mjs")).href);
  const python = await loadPyodide({
    indexURL: path.join(out, "pyodide"),
    lockFileContents: { info: PYODIDE.info, packages: {} },
    packageBaseUrl: path.join(out, "pyodide"),
    packageCacheDir: path.join(out, "pyodide"),
  });
  python.FS.writeFile("/tmp/kit.zip", await readFile(kitPath));
  python.runPython(`
import importlib.util, io, marshal, zipfile

def pyc(name, source):
    code = compile(source, "handgrad:" + name, "exec", dont_inherit=True)
    flags = 0b01  # checked by nothing: the source beside it is of the same build
    return importlib.util.MAGIC_NUMBER + flags.to_bytes(4, "little") + bytes(8) + marshal.dumps(code)

with zipfile.ZipFile("/tmp/kit.zip") as given, zipfile.ZipFile("/tmp/out.zip", "w", zipfile.ZIP_DEFLATED) as made:
    for name in given.namelist():
        source = given.read(name)
        for entry, content in ((name, source), (name + "c", pyc(name, source))):
            made.writestr(zipfile.ZipInfo(entry, (1980, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED)
`);
  await mkdir(path.join(out, "python"), { recursive: true });
  await writeFile(path.join(out, "python", "kit.zip"), python.FS.readFile("/tmp/out.zip"));
}

async function sizes(folder) {
  let raw = 0;
  let compressed = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const bytes = await readFile(path.join(entry.parentPath, entry.name));
    raw += bytes.length;
    compressed += gzipSync(bytes, { level: 6 }).length;
  }
  return { raw, compressed };
}

async function manifestOf(out, lock) {
  const entry = async (name) => ({ path: name, bytes: (await stat(path.join(out, name))).size });
  return {
    wasm: await entry("pyodide/pyodide.asm.wasm"),
    library: await entry("pyodide/python_stdlib.zip"),
    kit: await entry("python/kit.zip"),
    pyodide: "pyodide/pyodide.mjs",
    lock: lock ?? { info: PYODIDE.info, packages: {} },
    numpy: Boolean(lock),
  };
}

export async function buildPage({ coursePath, kitPath, out, numpyWheel }) {
  const { course, exercises } = JSON.parse(await readFile(coursePath, "utf8"));
  await mkdir(out, { recursive: true });
  await copyPyodide(out);
  const lock = await copyNumpy(numpyWheel, out);
  await compileKit(kitPath, out);
  await bundle(out);
  await copyFonts(out);
  await copyFile(path.join(here, "src", "icon.svg"), path.join(out, "icon.svg"));
  await writeLicences(out);
  const manifest = await manifestOf(out, lock);
  const slugs = exercises.map(({ slug }) => slug);
  const outline = exercises.map(({ slug, title, version, after, reveals, closed }) => ({ slug, title, version, after, reveals, closed }));
  const shared = { course, manifest, outline };
  let css = "";
  await mkdir(path.join(out, "exercises"), { recursive: true });
  for (const [i, exercise] of exercises.entries()) {
    if (exercise.closed) continue;
    const { readme, files, ...rest } = exercise;
    const statement = renderStatement(readme, { slug: exercise.slug, files, slugs });
    css += statement.css;
    const next = exercises.slice(i + 1).find((other) => !other.closed);
    const html = problemPage({ course, exercise, statement: statement.html, next, data: { ...shared, slug: exercise.slug } });
    await writeFile(path.join(out, `${exercise.slug}.html`), html);
    await writeFile(path.join(out, "exercises", `${exercise.slug}.json`), JSON.stringify({ ...rest, example: exampleOf(readme) }));
  }
  const elsewhere = "Uses NumPy, which this page was built without: read it here, do it in a terminal or a notebook.";
  for (const exercise of exercises) if (exercise.judge?.preload.includes("numpy") && !lock) exercise.note = elsewhere;
  await writeFile(path.join(out, "index.html"), roadmapPage({ course, exercises, data: shared }));
  await writeStyle(out, css);
  return sizes(out);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: { course: { type: "string" }, kit: { type: "string" }, out: { type: "string" }, numpy: { type: "string" } },
  });
  try {
    const size = await buildPage({ coursePath: values.course, kitPath: values.kit, out: values.out, numpyWheel: values.numpy });
    process.stdout.write(JSON.stringify(size) + "\n");
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
