"use strict";
// Compiles into another folder and then swaps it with dist/. A program that runs in the meantime always finds a complete
// build, and the output of deleted source files is not shipped.
const { spawnSync } = require("node:child_process");
const { cpSync, existsSync, renameSync, rmSync } = require("node:fs");

const [fresh, old] = ["new", "old"].map((which) => `.cache/dist-${which}-${process.pid}`);
const compiler = [require.resolve("typescript/bin/tsc"), "-p", "tsconfig.build.json", "--outDir", fresh];
try {
  const { status } = spawnSync(process.execPath, compiler, { stdio: "inherit" });
  if (status === 0) {
    // The simulator's page is served unchanged.
    const isPage = (path) => !path.endsWith(".ts");
    cpSync("simulator/page", `${fresh}/simulator/page`, { recursive: true, filter: isPage });
    if (existsSync("dist")) renameSync("dist", old);
    renameSync(fresh, "dist");
    // Pulumi keeps the schema for YAML programs here, and would not notice another one.
    rmSync("schema-workspace-apps.json", { force: true });
  } else process.exitCode = 1;
} finally {
  for (const folder of [fresh, old]) rmSync(folder, { recursive: true, force: true });
}
