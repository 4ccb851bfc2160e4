#!/usr/bin/env node
import { workspaceApps } from "./workspace-apps";

void workspaceApps(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
}).then((code) => {
  process.exitCode = code;
});
