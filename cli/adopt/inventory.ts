import { listCampaigns, type ListedCampaign } from "../../provider/service/campaigns";
import type { ServiceClient } from "../../provider/service/client";
import { checkService, messageOf, ProviderError } from "../../provider/service/errors";
import { readAll, type Row } from "../../provider/service/lists";
import { wholeWebhook } from "../../provider/service/webhooks";

/** Whose objects are read. */
export interface Parents {
  readonly agents: readonly string[];
  readonly apps: readonly string[];
  readonly folders: readonly string[];
  readonly entities: readonly Entity[];
}

/** `APP/ENTITY`. */
export interface Entity {
  readonly appId: string;
  readonly entityName: string;
}

/** The objects of one kind and one parent. */
export type Found =
  | { readonly kind: "Webhook"; readonly agentId: string; readonly rows: readonly Row<"webhook.list">[] }
  | { readonly kind: "AdCampaign"; readonly appId: string; readonly rows: readonly ListedCampaign[] }
  | { readonly kind: "TestFlow"; readonly appId: string; readonly rows: readonly Row<"test.list">[] }
  | { readonly kind: "IgnoredFinding"; readonly appId: string; readonly rows: readonly string[] }
  | { readonly kind: "FolderMembership"; readonly folderId: string; readonly rows: readonly string[] }
  | { readonly kind: "EntityRecord"; readonly entity: Entity; readonly rows: readonly Row<"record.list">[] };

/** One list to read. */
interface Reading {
  /** `webhooks of agent agent-1`. */
  readonly what: string;
  /** `agent agent-1`. */
  readonly parent: string;
  readonly read: () => Promise<Found>;
}

/** The rows of a list. */
export type Listed = Found & Pick<Reading, "what">;

export interface Inventory {
  readonly found: readonly Listed[];
  /** The objects that could not be read, and why. Also the parents without any object. */
  readonly unread: readonly string[];
}

/** Reads every list to its end. One that cannot be read does not keep the others from being read. */
export async function takeInventory(
  parents: Parents,
  service: ServiceClient,
  progress: (line: string) => void,
): Promise<Inventory> {
  const found: Listed[] = [];
  const unread: string[] = [];
  const readings = readingsFor(parents, service, (problem) => void unread.push(problem));
  // A service may answer with empty lists for an id that does not exist.
  const empty = new Set(readings.map(({ parent }) => parent));
  for (const [index, { what, parent, read }] of readings.entries()) {
    progress(`reading the ${what} (${String(index + 1)} of ${String(readings.length)})`);
    try {
      const list = { what, ...(await read()) };
      found.push(list);
      if (list.rows.length > 0) empty.delete(parent);
    } catch (error) {
      empty.delete(parent);
      unread.push(`The ${what} could not be read. ${messageOf(error)}`);
    }
  }
  return { found, unread: [...unread, ...[...empty].map(nothingOf)] };
}

function nothingOf(parent: string): string {
  return `Nothing of ${parent} was found. Check its id. If it is right, leave it out.`;
}

function readingsFor(
  { agents, apps, folders, entities }: Parents,
  service: ServiceClient,
  report: (problem: string) => void,
): Reading[] {
  return [
    ...agents.map((agentId): Reading => ({
      what: `webhooks of agent ${agentId}`,
      parent: `agent ${agentId}`,
      read: async () => ({ kind: "Webhook", agentId, rows: await readWebhooks(service, agentId, report) }),
    })),
    ...apps.flatMap((appId): Reading[] => [
      {
        what: `campaigns of app ${appId}`,
        parent: `app ${appId}`,
        read: async () => ({
          kind: "AdCampaign",
          appId,
          rows: await listCampaigns(service, appId),
        }),
      },
      {
        what: `tests of app ${appId}`,
        parent: `app ${appId}`,
        read: async () => ({
          kind: "TestFlow",
          appId,
          rows: await readAll(service, "test.list", { app_id: appId }),
        }),
      },
      {
        what: `ignored findings of app ${appId}`,
        parent: `app ${appId}`,
        read: async () => ({ kind: "IgnoredFinding", appId, rows: await readIgnored(service, appId) }),
      },
    ]),
    ...folders.map((folderId): Reading => ({
      what: `apps of folder ${folderId}`,
      parent: `folder ${folderId}`,
      read: async () => {
        const rows = await readAll(service, "folderItem.list", { folder_id: folderId });
        return { kind: "FolderMembership", folderId, rows: rows.map((row) => row.app_id) };
      },
    })),
    ...entities.map((entity): Reading => ({
      what: `${entity.entityName} records of app ${entity.appId}`,
      parent: `entity ${entity.appId}/${entity.entityName}`,
      read: async () => {
        const parameters = { app_id: entity.appId, entity_name: entity.entityName };
        return {
          kind: "EntityRecord",
          entity,
          rows: await readAll(service, "record.list", parameters),
        };
      },
    })),
  ];
}

/** All webhooks, each complete. One that cannot be read is reported, and the others are still returned. */
async function readWebhooks(
  service: ServiceClient,
  agentId: string,
  report: (problem: string) => void,
): Promise<Row<"webhook.list">[]> {
  const whole: Row<"webhook.list">[] = [];
  for (const row of await readAll(service, "webhook.list", { agent_id: agentId }))
    try {
      whole.push(await wholeWebhook(service, agentId, row));
    } catch (error) {
      report(`Webhook ${row.id} of agent ${agentId} could not be read. ${messageOf(error)}`);
    }
  return whole;
}

async function readIgnored(service: ServiceClient, appId: string): Promise<readonly string[]> {
  const { ignored_fingerprints: fingerprints } = await service.call("scan.get", { parameters: { app_id: appId } });
  if (fingerprints) return [...new Set(fingerprints)];
  throw new ProviderError({
    code: "WA1704",
    what: "The security scan does not say which findings are ignored (no ignored_fingerprints).",
    next: [checkService],
  });
}
