#!/usr/bin/env node
import { workspaceApps } from "./workspace-apps";

process.stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
  // The reader may have closed the pipe: `workspace-apps review | head`.
  if (code === "EPIPE") return;
  const reason = code === "ENOSPC" ? "no space left (ENOSPC)" : message;
  process.stderr.write(`workspace-apps: The output could not be written: ${reason}. [WA2003]\n`);
  // Overrides the command's own exit code, because nobody has read its report.
  process.exitCode = 1;
});

void workspaceApps(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
}).then((code) => {
  process.exitCode ??= code;
});
