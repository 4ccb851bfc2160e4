/* The states that releases of this package left, with the programs and the content of the service: `npm run record-state`. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { type AdvertisingAccount, type Simulator, startSimulator } from "../../simulator";
import { assertDone, PulumiProject } from "./engine";

export const recordedStates = path.resolve(__dirname, "../../test/fixtures/states");

/** The part of the service's content that resources manage. */
type Content = Pick<
  ReturnType<Simulator["objects"]["all"]>,
  "webhooks" | "folders" | "campaigns" | "records" | "tests" | "scans" | "conversionGoals"
> & { accounts: Record<string, AdvertisingAccount> };

export interface Recorded {
  /** Where the service was. */
  baseUrl: string;
  content: Content;
  /** As `pulumi stack export` wrote it. */
  state: object;
}

/** The versions with recorded states. */
export function recordedVersions(): string[] {
  return readdirSync(recordedStates).toSorted();
}

export function programFile(version: string, name: string): string {
  return path.join(recordedStates, version, `${name}.js`);
}

export function contentOf({ objects }: Simulator): Content {
  const { webhooks, folders, campaigns, records, tests, scans, conversionGoals } = objects.all();
  const accounts = Object.fromEntries(
    Object.keys(campaigns).flatMap((appId) => {
      const account = objects.advertisingAccount(appId);
      return account === undefined ? [] : [[appId, account]];
    }),
  );
  return { webhooks, folders, campaigns, records, tests, scans, conversionGoals, accounts };
}

/** A service with that content, and a fresh stack with that state and program, on the package as it is now. */
export async function resume(version: string, name: string): Promise<{ stack: PulumiProject; simulator: Simulator }> {
  const file = path.join(recordedStates, version, `${name}.json`);
  const recorded = JSON.parse(readFileSync(file, "utf8")) as Recorded;
  const simulator = await startSimulator();
  furnish(simulator, recorded.content);
  const stack = await PulumiProject.create({
    program: readFileSync(programFile(version, name), "utf8"),
    baseUrl: simulator.url,
    environment: { WORKSPACE_APPS_LAUNCH_SETTLE_SECONDS: "0", WORKSPACE_APPS_LAUNCH_QUARANTINE_SECONDS: "0" },
  });
  const state = path.join(stack.folder, "recorded.json");
  await writeFile(state, moved(JSON.stringify(recorded.state), recorded.baseUrl, simulator.url));
  assertDone(await stack.pulumi("stack", "import", "--file", state));
  return { stack, simulator };
}

function furnish({ objects }: Simulator, content: Content): void {
  for (const [agentId, webhooks] of Object.entries(content.webhooks))
    for (const webhook of webhooks) objects.putWebhook(agentId, webhook);
  for (const [folderId, appIds] of Object.entries(content.folders))
    for (const appId of appIds) objects.addFolderItem(folderId, appId);
  for (const [appId, account] of Object.entries(content.accounts)) objects.putAdvertisingAccount(appId, account);
  for (const [appId, campaigns] of Object.entries(content.campaigns))
    for (const campaign of campaigns) objects.putCampaign(appId, campaign);
  for (const [appId, entities] of Object.entries(content.records))
    for (const [entityName, records] of Object.entries(entities))
      for (const record of records) objects.putRecord(appId, entityName, record);
  for (const [appId, tests] of Object.entries(content.tests)) for (const test of tests) objects.putTest(appId, test);
  for (const [appId, scan] of Object.entries(content.scans)) objects.setScan(appId, scan);
  for (const [appId, goals] of Object.entries(content.conversionGoals)) objects.setConversionGoals(appId, goals);
}

/**
 * States contain a mark of the base URL where an object was read, and a 404 from another base URL proves nothing. Here
 * the service itself has moved, to another port.
 */
function moved(state: string, from: string, to: string): string {
  const mark = (baseUrl: string): string => createHash("sha256").update(baseUrl).digest("hex").slice(0, 4);
  return state.replaceAll(`"readBy":"${mark(from)}`, `"readBy":"${mark(to)}`);
}
