/* The states that releases of this package left, with the programs and the content of the service: `npm run record-state`. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { kindOfType } from "../../provider/pulumi/urn";
import { kindNames } from "../../provider/registry";
import { type Simulator, startSimulator } from "../../simulator";
import { assertDone, PulumiProject, type StoredResource } from "../../tools/harness/engine";
import type { Form } from "../../tools/harness/form";
import { type Content, kindFixtures, type StackPart } from "./kind-fixtures";

export const recordedStates = path.resolve(__dirname, "../fixtures/states");

export interface Recorded {
  /** Where the service was. */
  baseUrl: string;
  content: Content;
  /** As `pulumi stack export` wrote it. */
  state: { deployment: { resources: StoredResource[] } };
}

/** The versions with recorded states. */
export function recordedVersions(): string[] {
  return readdirSync(recordedStates).toSorted();
}

export function programFile(version: string, name: string): string {
  return path.join(recordedStates, version, `${name}.js`);
}

export function contentOf({ objects }: Simulator): Content {
  const all = objects.all();
  const accounts = Object.fromEntries(
    Object.keys(all.campaigns).flatMap((appId) => {
      const account = objects.advertisingAccount(appId);
      return account === undefined ? [] : [[appId, account]];
    }),
  );
  return { ...all, accounts };
}

/** The fixtures of the kinds that a stack has. A kind that came later has no part in an older state. */
export function stackParts(stored: readonly StoredResource[]): StackPart[] {
  const found = new Set(stored.map(({ type }) => kindOfType(type)));
  return kindNames.filter((kind) => found.has(kind)).map((kind) => kindFixtures[kind].stack);
}

/** A service with that content, and a fresh stack with that state and program, on the package as it is now. */
export async function resume(
  version: string,
  name: string,
  form: Form,
): Promise<{ stack: PulumiProject; simulator: Simulator }> {
  const file = path.join(recordedStates, version, `${name}.json`);
  const recorded = JSON.parse(readFileSync(file, "utf8")) as Recorded;
  const simulator = await startSimulator();
  for (const { restore } of stackParts(recorded.state.deployment.resources))
    restore?.(simulator.objects, recorded.content);
  const stack = await PulumiProject.create({
    program: readFileSync(programFile(version, name), "utf8"),
    baseUrl: simulator.url,
    form,
    environment: { WORKSPACE_APPS_LAUNCH_SETTLE_SECONDS: "0", WORKSPACE_APPS_LAUNCH_QUARANTINE_SECONDS: "0" },
  });
  const state = path.join(stack.folder, "recorded.json");
  await writeFile(state, moved(JSON.stringify(recorded.state), recorded.baseUrl, simulator.url));
  assertDone(await stack.pulumi("stack", "import", "--file", state));
  return { stack, simulator };
}

/**
 * States contain a mark of the base URL where an object was read, and a 404 from another base URL proves nothing. Here
 * the service itself has moved, to another port.
 */
function moved(state: string, from: string, to: string): string {
  const mark = (baseUrl: string): string => createHash("sha256").update(baseUrl).digest("hex").slice(0, 4);
  return state.replaceAll(`"readBy":"${mark(from)}`, `"readBy":"${mark(to)}`);
}
