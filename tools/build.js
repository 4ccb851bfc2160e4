"use strict";
// Compiles into another folder and then swaps it with dist/. A program that runs in the meantime always finds a complete
// build, and the output of deleted source files is not shipped. A build of the same sources is kept.
const { spawnSync } = require("node:child_process");
const { createHash } = require("node:crypto");
const {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} = require("node:fs");

const marker = ".cache/built";
const sources = ["provider", "policy", "simulator", "cli", "package-lock.json", "tsconfig.json", "tsconfig.build.json"];

/** Changes with every change of the sources and of dist/. */
function state() {
  const hash = createHash("sha256");
  for (const file of [...sources, "dist"].flatMap(filesIn)) hash.update(`${file}\n`).update(readFileSync(file));
  return hash.digest("hex");
}

function filesIn(path) {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesIn(`${path}/${name}`));
}

function build() {
  const [fresh, old] = ["new", "old"].map((which) => `.cache/dist-${which}-${process.pid}`);
  const compiler = [require.resolve("typescript/bin/tsc"), "-p", "tsconfig.build.json", "--outDir", fresh];
  try {
    const { status } = spawnSync(process.execPath, compiler, { stdio: "inherit" });
    if (status !== 0) return false;
    // The simulator's page is served unchanged.
    const isPage = (path) => !path.endsWith(".ts");
    cpSync("simulator/page", `${fresh}/simulator/page`, { recursive: true, filter: isPage });
    // In a clone, npx runs this file, and npm makes it executable only once.
    const command = `${fresh}/cli/main.js`;
    if (existsSync(command)) chmodSync(command, 0o755);
    if (existsSync("dist")) renameSync("dist", old);
    renameSync(fresh, "dist");
    return true;
  } finally {
    for (const folder of [fresh, old]) rmSync(folder, { recursive: true, force: true });
  }
}

mkdirSync(".cache", { recursive: true });
const isBuilt = existsSync(marker) && readFileSync(marker, "utf8") === state();
if (isBuilt || build()) {
  writeFileSync(marker, state());
  // Pulumi keeps the schema for YAML programs here, and would not notice another one.
  rmSync("schema-workspace-apps.json", { force: true });
} else process.exitCode = 1;
