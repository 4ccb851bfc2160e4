import { existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { hasMocks, programError } from "./sdk";

/** On Windows, a script of the same name with an ending is beside it. */
const launcher = "pulumi-resource-workspace-apps";

const missing = `The packaged form of pulumi-workspace-apps needs its plugin. Add these lines to Pulumi.yaml:
plugins:
  providers:
    - name: workspace-apps
      path: node_modules/pulumi-workspace-apps/plugin
The path is relative to Pulumi.yaml.`;

/** Without the plugin, the engine would try to download it for a while, and fail without saying what is missing. */
export function requirePlugin(): void {
  if (!hasMocks() && !mayFindPlugin(pulumi.runtime.getRootDirectory())) throw programError("WA1603", missing);
}

/**
 * Whether the engine may find it: named in the project, on PATH, or installed.
 * @internal
 */
export function mayFindPlugin(project: string, environment = process.env): boolean {
  const file = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"].map((name) => join(project, name)).find(existsSync);
  // An inline program of the Automation API has no project file here. Faults in the file are the engine's to report.
  if (file === undefined || /\bplugins\b[^]*\bworkspace-apps\b/.test(readFileSync(file, "utf8"))) return true;
  const installed = join(environment["PULUMI_HOME"] ?? join(homedir(), ".pulumi"), "plugins");
  const names = existsSync(installed) ? readdirSync(installed) : [];
  return (
    names.some((name) => name.startsWith("resource-workspace-apps-v")) ||
    (environment["PATH"] ?? "").split(delimiter).some((folder) => existsSync(join(folder, launcher)))
  );
}
