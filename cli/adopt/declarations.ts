import { isPaused, listedValues } from "../../provider/resources/ad-campaign/campaign-list";
import { assignedByService } from "../../provider/resources/entity-record/record";
import { problemsOf } from "../../provider/pulumi/check";
import { unpassableNames } from "../../provider/pulumi/serializable";
import { describeProblem } from "../../provider/argument-problems";
import { type KindName, kinds } from "../../provider/registry";
import { hasLongNumber } from "../../provider/service/long-numbers";
import { parseUrl } from "../../provider/service/urls";
import type { Found } from "./inventory";
import type { IsKnown } from "./known";
import { type Named, namesFor } from "./names";
import { Code, type Value } from "./typescript";

/** One resource of the program. */
export interface Declaration {
  readonly kind: KindName;
  readonly name: string;
  readonly id: string;
  readonly parent: string;
  readonly args: Readonly<Record<string, Value>>;
  /** What a reader should know about it. */
  readonly comments: readonly string[];
  /** The configuration key of a value that may be a secret, which the program does not contain. */
  readonly secretKey?: string;
}

/** The resources of one parent. */
export interface Section {
  /** `Webhooks of agent agent-1`. */
  readonly title: string;
  /** What a reader should know about all of them. */
  readonly note: string | undefined;
  readonly declarations: readonly Declaration[];
}

/** An object before it has a name. */
interface Item extends Named, Omit<Declaration, "name" | "secretKey"> {
  /** The argument that may hold a key, and the end of the name of its configuration key. */
  readonly secret?: { readonly argument: string; readonly keyEnd: string };
}

/** What cannot be declared, and why. */
export interface Undeclared {
  readonly object: string;
  readonly why: string;
}

/** The program's sections, without what a stack has. Names are unique among the resources of one kind. */
export function sectionsFor(
  found: readonly Found[],
  isKnown: IsKnown,
): { sections: Section[]; undeclared: Undeclared[] } {
  const undeclared: Undeclared[] = [];
  const described = found.map((one) => ({ title: titleOf(one), note: notes[one.kind], items: itemsIn(one) }));
  const names = new Map<Item, string>();
  for (const kind of new Set(described.flatMap(({ items }) => items.map((item) => item.kind)))) {
    const ofKind = described.flatMap(({ items }) => items.filter((item) => item.kind === kind));
    for (const [item, name] of namesFor(ofKind, fallbacks[kind], (item) => item)) names.set(item, name);
  }
  const sections = described.map(({ title, note, items }) => ({
    title,
    note,
    declarations: items
      .filter((item) => !isKnown(item))
      .flatMap((item): Declaration[] => {
        const why = problemIn(item);
        if (why !== undefined) {
          undeclared.push({ object: `${item.kind} ${item.id} of ${item.parent}`, why });
          return [];
        }
        return [declarationOf(item, names.get(item) ?? item.id)];
      }),
  }));
  return { sections: sections.filter(({ declarations }) => declarations.length > 0), undeclared };
}

function declarationOf({ kind, id, parent, args, comments, secret }: Item, name: string): Declaration {
  if (secret === undefined) return { kind, name, id, parent, args, comments };
  const secretKey = `${name}-${secret.keyEnd}`;
  return {
    kind,
    name,
    id,
    parent,
    args: { ...args, [secret.argument]: new Code(`config.requireSecret(${JSON.stringify(secretKey)})`) },
    comments: [...comments, `Its ${secret.argument} may hold a key: pulumi config set --secret ${secretKey}`],
    secretKey,
  };
}

const notes: Partial<Record<KindName, string>> = {
  AdCampaign:
    "The list does not show businessName, keywordThemes, searchThemes, logoUrl, timezone and extraFields. Leave them out: a campaign cannot be changed in place.",
  TestFlow: "Each is declared by its id alone, because the shape of a definition is not documented.",
};

/** The beginnings of names for objects without a title. */
const fallbacks: Record<KindName, string> = {
  Webhook: "webhook",
  AdCampaign: "campaign",
  FolderMembership: "item",
  EntityRecord: "record",
  TestFlow: "test",
  IgnoredFinding: "finding",
  ConversionTracking: "tracking",
  CodingSession: "session",
};

/** Why the program could not declare it: the service has a value that this package refuses. */
function problemIn({ kind, args }: Item): string | undefined {
  const plain = Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, value instanceof Micros ? value.micros : value]),
  );
  const problems = problemsOf(kinds[kind].lifecycle, plain);
  return problems.length === 0 ? undefined : problems.map(describeProblem).join("; ");
}

function titleOf(found: Found): string {
  switch (found.kind) {
    case "Webhook":
      return `Webhooks of agent ${found.agentId}`;
    case "AdCampaign":
      return `Campaigns of app ${found.appId}`;
    case "TestFlow":
      return `Tests of app ${found.appId}`;
    case "IgnoredFinding":
      return `Ignored findings of app ${found.appId}`;
    case "FolderMembership":
      return `Apps in folder ${found.folderId}`;
    case "EntityRecord":
      return `${found.entity.entityName} records of app ${found.entity.appId}`;
  }
}

function itemsIn(found: Found): Item[] {
  switch (found.kind) {
    case "Webhook":
      return found.rows.map((row) => webhookItem(found.agentId, row));
    case "AdCampaign":
      return found.rows.map((row) => campaignItem(found.appId, row));
    case "TestFlow":
      return found.rows.map((row) => ({
        kind: found.kind,
        id: row.id,
        parent: found.appId,
        title: titleIn(row),
        createdDate: dateIn(row),
        args: { flowId: row.id, appId: found.appId },
        comments: [],
      }));
    case "IgnoredFinding":
      return found.rows.map((fingerprint) => ({
        kind: found.kind,
        id: `${found.appId}/${fingerprint}`,
        parent: found.appId,
        title: fingerprint,
        createdDate: undefined,
        args: { appId: found.appId, fingerprint, adopt: true },
        comments: [],
      }));
    case "FolderMembership":
      return found.rows.map((appId) => ({
        kind: found.kind,
        id: `${found.folderId}/${appId}`,
        parent: found.folderId,
        title: `${found.folderId} ${appId}`,
        createdDate: undefined,
        args: { folderId: found.folderId, appId, adopt: true },
        comments: [],
      }));
    case "EntityRecord":
      return found.rows.map((row) => recordItem(found.entity, row));
  }
}

type Rows<Kind extends Found["kind"]> = Extract<Found, { kind: Kind }>["rows"][number];

function webhookItem(agentId: string, row: Rows<"Webhook">): Item {
  const description = row.description === "" ? undefined : (row.description ?? undefined);
  return {
    kind: "Webhook",
    id: row.id,
    parent: agentId,
    title: description ?? parseUrl(row.target_url)?.hostname,
    createdDate: row.created_date,
    args: {
      webhookId: row.id,
      agentId,
      targetUrl: row.target_url,
      events: row.events,
      ...(description === undefined ? {} : { description }),
      ...(row.disabled_at ? { enabled: false } : {}),
      ...(row.has_secret ? { signed: true } : {}),
    },
    comments: row.has_secret
      ? ["Its signing secret is not known here: the service shows it once. A change of rotateSecret makes a new one."]
      : [],
    ...(mayHoldKey(row.target_url) ? { secret: { argument: "targetUrl", keyEnd: "target-url" } } : {}),
  };
}

/** Whether a URL has a password, a long value in its query, or a part of its path that looks like a key. */
function mayHoldKey(url: string): boolean {
  const parsed = parseUrl(url);
  if (parsed === undefined) return false;
  const isLong = (text: string): boolean => text.length >= 8;
  const isKey = (text: string): boolean => text.length >= 16 && /\d/.test(text);
  return (
    parsed.username !== "" ||
    parsed.password !== "" ||
    [...parsed.searchParams].some(([name, value]) => isLong(value) || isLong(name)) ||
    parsed.pathname.split("/").some(isKey)
  );
}

/** The budget as a person writes it. */
class Micros extends Code {
  constructor(readonly micros: number) {
    const [whole = "", decimals = ""] = (micros / 1_000_000)
      .toFixed(6)
      .replace(/\.?0+$/, "")
      .split(".");
    super(decimals === "" ? `apps.micros(${whole})` : `apps.micros("${whole}.${decimals}")`);
  }
}

function campaignItem(appId: string, row: Rows<"AdCampaign">): Item {
  const { campaignName, campaignType, dailyBudgetMicros, landingPage, geoTargets, phoneNumber } = listedValues(row);
  const isExact = Number.isSafeInteger(dailyBudgetMicros) && (dailyBudgetMicros ?? 0) < 1e15;
  return {
    kind: "AdCampaign",
    id: row.id,
    parent: appId,
    title: row.campaign_name,
    createdDate: row.created_date ?? undefined,
    args: {
      campaignId: row.id,
      appId,
      ...(campaignName === undefined ? {} : { campaignName }),
      ...(campaignType === undefined ? {} : { campaignType }),
      ...(dailyBudgetMicros === undefined
        ? {}
        : { dailyBudgetMicros: isExact ? new Micros(dailyBudgetMicros) : dailyBudgetMicros }),
      ...(landingPage === undefined ? {} : { landingPage }),
      ...(geoTargets === undefined || geoTargets.length === 0 ? {} : { geoTargets }),
      ...(phoneNumber === undefined || phoneNumber === "" ? {} : { phoneNumber }),
      ...(isPaused(row) === true ? { paused: true } : {}),
    },
    comments: [],
  };
}

function recordItem({ appId, entityName }: { appId: string; entityName: string }, row: Rows<"EntityRecord">): Item {
  const all = Object.entries(row).filter(([name]) => !assignedByService.includes(name));
  const isDeclarable = ([name, value]: [string, unknown]): boolean =>
    !hasLongNumber(value) &&
    !hasUnpassableName({ [name]: value }) &&
    problemsOf(kinds.EntityRecord.lifecycle, { appId, entityName, recordId: row.id, fields: { [name]: value } })
      .length === 0;
  const left = all.filter((field) => !isDeclarable(field)).map(([name]) => name);
  return {
    kind: "EntityRecord",
    id: row.id,
    parent: `${appId}/${entityName}`,
    title: titleIn(row, `${entityName} `),
    createdDate: dateIn(row),
    args: { recordId: row.id, appId, entityName, fields: Object.fromEntries(all.filter(isDeclarable)) as Value },
    comments:
      left.length === 0
        ? []
        : [`Not declared, and so left alone, because a program cannot hold them as they are: ${left.join(", ")}.`],
  };
}

function hasUnpassableName(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([name, inner]) => unpassableNames.includes(name) || hasUnpassableName(inner));
}

/** The fields by which people know a record or a test. */
const titleFields = ["name", "title", "label", "slug", "key", "code", "country", "email"];

function titleIn(row: Readonly<Record<string, unknown>>, prefix = ""): string | undefined {
  const titles = titleFields.map((name) => (Object.hasOwn(row, name) ? row[name] : undefined));
  const title = titles.find((title): title is string => typeof title === "string" && title.trim() !== "");
  return title === undefined ? undefined : prefix + title;
}

function dateIn(row: Readonly<Record<string, unknown>>): string | undefined {
  const { created_date: date } = row;
  return typeof date === "string" ? date : undefined;
}
