import type { Simulator } from "../../simulator";
import { agentId, appId, type Declared, entityName } from "./programs";

/** What the service holds of what programs declare: by its id there, in the words of the program. */
export function heldBy({ objects }: Simulator): Map<string, string> {
  const { folders } = objects.all();
  return new Map([
    ...objects
      .webhooks(agentId)
      .map((one) => [one.id, said(one.description, one.target_url, one.has_secret, one.disabled_at === null)] as const),
    ...objects.records(appId, entityName).map(({ id, title, value }) => [id, said(title, value)] as const),
    ...objects.tests(appId).map(({ id, definition }) => [id, said(definition["title"], definition["value"])] as const),
    ...Object.entries(folders).flatMap(([folder, apps]) =>
      apps.map((app) => [`${folder}/${app}`, said(folder)] as const),
    ),
    ...objects.ignoredFindings(appId).map((fingerprint) => [`finding ${fingerprint}`, said(fingerprint)] as const),
    ...objects
      .campaigns(appId)
      .filter(({ status }) => status !== "REMOVED")
      .map((one) => [one.id, said(one.campaign_name, one.daily_budget_micros, one.status === "PAUSED")] as const),
  ]);
}

/** The same of what a program declares. */
export function asStored({ kind, name, args }: Declared): string {
  switch (kind) {
    case "Webhook":
      return said(name, args["targetUrl"], args["signed"], true);
    case "EntityRecord":
      return said(name, (args["fields"] as { value: number }).value);
    case "TestFlow":
      return said(name, (args["definition"] as { value: number }).value);
    case "FolderMembership":
    case "IgnoredFinding":
      return said(name);
    case "AdCampaign":
      return said(name, args["dailyBudgetMicros"], args["paused"]);
  }
}

/** Somebody takes away what commands left behind that did not end. */
export function clear({ objects }: Simulator, ids: readonly string[]): void {
  for (const id of ids) {
    objects.removeWebhook(agentId, id);
    objects.removeRecord(appId, entityName, id);
    objects.removeTest(appId, id);
    const [folder = ""] = id.split("/");
    objects.removeFolderItem(folder, appId);
  }
  const stays = (fingerprint: string): boolean => !ids.includes(`finding ${fingerprint}`);
  objects.setScan(appId, { ignored_fingerprints: objects.ignoredFindings(appId).filter(stays) });
}

function said(...values: unknown[]): string {
  return values.join(" ");
}
