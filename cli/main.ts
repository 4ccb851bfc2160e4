#!/usr/bin/env node
import { workspaceApps } from "./workspace-apps";

process.stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
  // Whoever reads the output may have seen enough: `workspace-apps review | head`.
  if (code === "EPIPE") return;
  const why = code === "ENOSPC" ? "no space is left (ENOSPC)" : message;
  process.stderr.write(`workspace-apps: The output could not be written: ${why}.\n`);
  // Before all that the command itself says by its code: nobody has read it.
  process.exitCode = 1;
});

void workspaceApps(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
}).then((code) => {
  process.exitCode ??= code;
});
