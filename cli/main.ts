#!/usr/bin/env node
import { workspaceApps } from "./workspace-apps";

// Whoever reads the output may have seen enough: `workspace-apps review | head`.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

void workspaceApps(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
}).then((code) => {
  process.exitCode = code;
});
