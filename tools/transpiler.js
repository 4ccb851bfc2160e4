"use strict";
// Keeps the result of ts-node for a file in .cache/. Almost every process of the tests and tools loads the same files.
// Compiling them takes longer than most of those processes then work. `npm run check` checks the types.
const { createHash } = require("node:crypto");
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require("node:fs");
const path = require("node:path");
const typescript = require("typescript");

const cache = path.join(__dirname, "..", ".cache", "transpiled");

/** The interface of a transpiler of ts-node. The folder is an option for tests. */
exports.create = ({ service, folder = cache }) => {
  const compilerOptions = service.config.options;
  const settings = JSON.stringify([typescript.version, compilerOptions]);

  const transpile = (input, { fileName }) => {
    const kept = path.join(folder, hashOf(fileName));
    const key = hashOf(settings, fileName, input);
    const earlier = read(kept);
    if (earlier?.key === key) return earlier;
    const { outputText, sourceMapText } = typescript.transpileModule(input, { fileName, compilerOptions });
    write(kept, { key, outputText, sourceMapText });
    return { outputText, sourceMapText };
  };
  return { transpile };
};

function hashOf(...texts) {
  return createHash("sha256").update(JSON.stringify(texts)).digest("hex");
}

function read(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

/** Other processes find the old file or the new one, and never a part. */
function write(file, content) {
  const fresh = `${file}-${process.pid}`;
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(fresh, JSON.stringify(content));
  renameSync(fresh, file);
}
