"use strict";
// Compiles beside dist/ and swaps the two when all is well: a program that runs meanwhile always finds a whole build, and
// what a deleted source file left behind cannot ship.
const { spawnSync } = require("node:child_process");
const { existsSync, renameSync, rmSync } = require("node:fs");

const [fresh, old] = ["new", "old"].map((which) => `.cache/dist-${which}-${process.pid}`);
const compiler = [require.resolve("typescript/bin/tsc"), "-p", "tsconfig.build.json", "--outDir", fresh];
try {
  const { status } = spawnSync(process.execPath, compiler, { stdio: "inherit" });
  if (status === 0) {
    if (existsSync("dist")) renameSync("dist", old);
    renameSync(fresh, "dist");
  } else process.exitCode = 1;
} finally {
  for (const folder of [fresh, old]) rmSync(folder, { recursive: true, force: true });
}
