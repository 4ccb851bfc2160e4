import { existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { configNamespace } from "../settings";
import { hasMocks } from "./mocks";
import { programError } from "./program-error";

/** Projects whose plugin was found. */
const found = new Set<string>();

const executable = `pulumi-resource-${configNamespace}`;

/**
 * Ends the program where the engine would not find the plugin: it would try to download it, and fail after a while with a
 * message that does not say what is missing.
 */
export function requirePlugin(): void {
  // Mocks need no plugin.
  if (hasMocks(pulumi)) return;
  const folder = pulumi.runtime.getRootDirectory();
  if (found.has(folder)) return;
  const project = projectFile(folder);
  // An inline program of the Automation API is not told where its project is.
  if (project === undefined) return;
  if (!namesPlugin(project) && !isInstalled() && !isOnPath())
    throw programError(
      [
        "The packaged form of pulumi-workspace-apps needs its plugin. Add these lines to Pulumi.yaml:",
        "plugins:",
        "  providers:",
        `    - name: ${configNamespace}`,
        "      path: node_modules/pulumi-workspace-apps/plugin",
        "The path is relative to Pulumi.yaml.",
      ].join("\n"),
    );
  found.add(folder);
}

/** The text of the project's file. Undefined where there is none. */
function projectFile(folder: string): string | undefined {
  const file = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"]
    .map((name) => join(folder, name))
    .find((path) => existsSync(path));
  return file === undefined ? undefined : readFileSync(file, "utf8");
}

/**
 * Whether a project's file names the plugin under `plugins`. Read as text: a fault in the file is the engine's to report.
 * @internal
 */
export function namesPlugin(text: string): boolean {
  const lines = text.split("\n").filter((line) => !/^\s*#/.test(line));
  const [, ...after] = lines.join("\n").split(/(?:^|[\s{,])["']?plugins["']?\s*:/);
  // In YAML the section ends where the next line begins without a space. A list may begin without one.
  const sections = after.map((section) => section.split(/\n(?=[\w"'])/, 1)[0] ?? "");
  return sections.some((section) =>
    new RegExp(`["']?name["']?\\s*:\\s*["']?${configNamespace}(?![\\w-])`).test(section),
  );
}

/** By `pulumi plugin install`. */
function isInstalled(): boolean {
  const home = process.env["PULUMI_HOME"] ?? join(homedir(), ".pulumi");
  try {
    return readdirSync(join(home, "plugins")).some((name) => name.startsWith(`resource-${configNamespace}-v`));
  } catch {
    return false;
  }
}

function isOnPath(): boolean {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return folders.some((folder) => ["", ".cmd", ".exe"].some((end) => existsSync(join(folder, executable + end))));
}
