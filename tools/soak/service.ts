import type { Simulator } from "../../simulator";
import { agentId, appId, type Declared, entityName } from "./programs";

/** The objects in the service, by id, each as a text that can be compared with `asStored`. */
export function heldBy({ objects }: Simulator): Map<string, string> {
  const { folders } = objects.all();
  return new Map([
    ...objects
      .webhooks(agentId)
      .map(
        (one) => [one.id, summary(one.description, one.target_url, one.has_secret, one.disabled_at === null)] as const,
      ),
    ...objects.records(appId, entityName).map(({ id, title, value }) => [id, summary(title, value)] as const),
    ...objects
      .tests(appId)
      .map(({ id, definition }) => [id, summary(definition["title"], definition["value"])] as const),
    ...Object.entries(folders).flatMap(([folder, apps]) =>
      apps.map((app) => [`${folder}/${app}`, summary(folder)] as const),
    ),
    ...objects.ignoredFindings(appId).map((fingerprint) => [`finding ${fingerprint}`, summary(fingerprint)] as const),
    ...objects
      .campaigns(appId)
      .filter(({ status }) => status !== "REMOVED")
      .map((one) => [one.id, summary(one.campaign_name, one.daily_budget_micros, one.status === "PAUSED")] as const),
  ]);
}

/** The same text for a declared resource. */
export function asStored({ kind, name, args }: Declared): string {
  switch (kind) {
    case "Webhook":
      return summary(name, args["targetUrl"], args["signed"], true);
    case "EntityRecord":
      return summary(name, (args["fields"] as { value: number }).value);
    case "TestFlow":
      return summary(name, (args["definition"] as { value: number }).value);
    case "FolderMembership":
    case "IgnoredFinding":
      return summary(name);
    case "AdCampaign":
      return summary(name, args["dailyBudgetMicros"], args["paused"]);
  }
}

/** Removes what interrupted commands left behind. */
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

function summary(...values: unknown[]): string {
  return values.join(" ");
}
