import { describeProblem } from "../../provider/argument-problems";
import { creationProblems, declarationProblems, problemsOf } from "../../provider/pulumi/check-step";
import { serializationProblem } from "../../provider/serializable";
import { type KindName, kinds } from "../../provider/registry";
import { declarableValues, isPaused } from "../../provider/resources/ad-campaign/campaign-list";
import { baseName } from "../../provider/resources/ad-campaign/campaign-name";
import { declarableFields, leftOut } from "../../provider/resources/entity-record/record";
import { digitsIn } from "../../provider/resources/webhook/mark";
import type { Deployment } from "../../provider/resources/shared/deployment";
import { importId } from "../../provider/resources/shared/importing";
import { isRemoved } from "../../provider/service/campaigns";
import { filled } from "../../provider/service/shapes";
import type { Excluded, Identified } from "./excluded";
import type { Entity, Found, Listed } from "./inventory";
import { type Named, namesFor } from "./names";
import type { Format } from "./options";
import { mayHoldKey, printableHost, urlsIn } from "./secret-url";
import { Call, type Value } from "./typescript";

/** One resource of the program. */
export interface Declaration {
  readonly kind: KindName;
  readonly name: string;
  readonly args: Readonly<Record<string, Value>>;
  /** The id by which Pulumi imports it. Undefined where it cannot. */
  readonly importId: string | undefined;
  /** Notes for the reader about it. */
  readonly comments: readonly string[];
  /** The values that may be secrets. The program reads them from these configuration keys. */
  readonly secrets: readonly { readonly argument: string; readonly key: string }[];
}

/** The resources of one parent. */
export interface Section {
  /** `Webhooks of agent agent-1`. */
  readonly title: string;
  /** Notes for the reader about all of them. */
  readonly note: string | undefined;
  readonly declarations: readonly Declaration[];
}

/** An object before it has a name. */
interface Item extends Named, Identified, Pick<Declaration, "args" | "comments"> {
  /** The arguments that may hold a key, and the ends of their configuration keys. */
  readonly secrets?: readonly { readonly argument: string; readonly keyEnd: string }[];
  /** The parts that the program cannot declare, and why. */
  readonly unmanaged?: string;
}

export interface Declared {
  readonly sections: readonly Section[];
  /** The objects that are not declared, or only in part, and why. */
  readonly incomplete: readonly string[];
}

/** The program's sections, without what a stack has. Names are unique among the resources of one kind. */
export function declare(
  found: readonly Listed[],
  deployment: Deployment,
  format: Format,
  excluded?: Excluded,
): Declared {
  const incomplete: string[] = [];
  const described = found.map((listed) => ({
    listed,
    items: itemsIn(listed).filter((item) => excluded?.has(item) !== true),
  }));
  const names = namesOf(
    described.flatMap(({ items }) => items),
    excluded,
  );
  const sections = described.map(({ listed: { kind, what }, items }) => ({
    title: what.charAt(0).toUpperCase() + what.slice(1),
    note: notes[kind],
    declarations: items.flatMap((item): Declaration[] => {
      const name = names.get(item) ?? item.id;
      const object = `${kind} ${item.id} (${what})`;
      const refused = refusalOf(item, name, deployment) ?? (format === "import" ? importRefusalOf(item) : undefined);
      if (refused !== undefined) incomplete.push(`${object} is not declared: ${refused}`);
      else if (item.unmanaged !== undefined) incomplete.push(`${object} is declared in part. ${item.unmanaged}`);
      // Among what no stack manages, the date tells what a command left behind just now.
      const created = excluded && item.createdDate ? [`Created ${item.createdDate}.`] : [];
      return refused === undefined ? [declarationOf(item, name, created)] : [];
    }),
  }));
  return { sections: sections.filter(({ declarations }) => declarations.length > 0), incomplete };
}

function namesOf(items: readonly Item[], excluded: Excluded | undefined): Map<Item, string> {
  const kindsFound = new Set(items.map(({ kind }) => kind));
  return new Map(
    [...kindsFound].flatMap((kind) => [
      ...namesFor(
        items.filter((item) => item.kind === kind),
        namePrefixes[kind],
        excluded?.namesOf(kind) ?? [],
      ),
    ]),
  );
}

function declarationOf(item: Item, name: string, created: readonly string[]): Declaration {
  const { kind, args, unmanaged } = item;
  const secrets = (item.secrets ?? []).map(({ argument, keyEnd }) => ({ argument, key: `${name}-${keyEnd}` }));
  const read = secrets.map(({ argument, key }) => [argument, new Call("config.requireSecret", key)] as const);
  return {
    kind,
    name,
    args: { ...args, ...Object.fromEntries(read) },
    importId: importIdOf(item),
    comments: [...created, ...item.comments, ...(unmanaged === undefined ? [] : [unmanaged])],
    secrets,
  };
}

const notes: Partial<Record<KindName, string>> = {
  AdCampaign:
    "The list does not show businessName, keywordThemes, searchThemes, logoUrl, timezone and extraFields. Leave them out: a campaign cannot be changed in place.",
  TestFlow: "Each is declared without its definition, whose shape is not documented.",
};

/** The beginnings of names that consist of an id. */
const namePrefixes: Record<Found["kind"], string> = {
  Webhook: "webhook",
  AdCampaign: "campaign",
  FolderMembership: "item",
  EntityRecord: "record",
  TestFlow: "test",
  IgnoredFinding: "finding",
};

/** Why `pulumi up` would refuse the declaration. Registers it too: a second one of the same object is refused. */
function refusalOf({ kind, args }: Item, name: string, deployment: Deployment): string | undefined {
  const lifecycle = kinds[kind];
  const plain = Object.fromEntries(
    Object.entries(args).map(([argument, value]) => [argument, value instanceof Micros ? value.micros : value]),
  );
  const unserializable = serializationProblem(plain);
  if (unserializable !== undefined) return unserializable;
  const problems = [
    ...problemsOf(lifecycle, plain, deployment.settings),
    ...creationProblems(lifecycle, plain, deployment),
    ...declarationProblems(lifecycle, plain, deployment, name),
  ];
  return problems.length === 0 ? undefined : `${problems.map(describeProblem).join("; ")}.`;
}

/** Why `pulumi import` could not name the object. */
function importRefusalOf(item: Item): string | undefined {
  return importIdOf(item) === undefined ? "an id with a slash cannot be imported." : undefined;
}

function importIdOf({ kind, args }: Item): string | undefined {
  const { importing } = kinds[kind];
  return importing && importId(importing, args);
}

function itemsIn(found: Found): Item[] {
  switch (found.kind) {
    case "Webhook":
      return found.rows.map((row) => webhookItem(found.agentId, row));
    case "AdCampaign":
      return found.rows.filter((row) => !isRemoved(row)).map((row) => campaignItem(found.appId, row));
    case "TestFlow":
      return found.rows.map((row) => ({
        kind: found.kind,
        id: row.id,
        parents: { appId: found.appId },
        title: titleIn(row),
        createdDate: dateIn(row),
        args: { flowId: row.id, appId: found.appId },
        comments: [],
      }));
    case "IgnoredFinding":
      return found.rows.map((fingerprint) => ({
        kind: found.kind,
        ...identifiedByPath(`${found.appId}/${fingerprint}`),
        args: { appId: found.appId, fingerprint, adopt: true },
      }));
    case "FolderMembership":
      return found.rows.map((appId) => ({
        kind: found.kind,
        ...identifiedByPath(`${found.folderId}/${appId}`),
        args: { folderId: found.folderId, appId, adopt: true },
      }));
    case "EntityRecord":
      return found.rows.map((row) => recordItem(found.entity, row));
  }
}

/** An object whose id is its title, and contains its parent. */
function identifiedByPath(id: string): Pick<Item, "id" | "title" | "parents" | "createdDate" | "comments"> {
  return { id, title: id, parents: {}, createdDate: undefined, comments: [] };
}

type RowOf<Kind extends Found["kind"]> = Extract<Found, { kind: Kind }>["rows"][number];

function webhookItem(agentId: string, row: RowOf<"Webhook">): Item {
  const description = filled(row.description);
  const isSecretLabel = description !== undefined && urlsIn(description).some(mayHoldKey);
  return {
    kind: "Webhook",
    id: row.id,
    parents: { agentId },
    title: (isSecretLabel ? undefined : description) ?? printableHost(row.target_url),
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
    comments: [
      ...(digitsIn(description) === undefined
        ? []
        : [
            "A create that was not finished left it: its description ends in a mark. If its resource has no webhook yet, the next `pulumi up` takes this one over. If its resource has another webhook, this one is a duplicate: delete it. Adopt it only if no stack declares that resource any more.",
          ]),
      ...(row.has_secret
        ? [
            "The service shows a signing secret only once, so it is not known here. To get a new one, set rotateSecret after the adoption.",
          ]
        : []),
    ],
    secrets: [
      ...(mayHoldKey(row.target_url) ? [{ argument: "targetUrl", keyEnd: "target-url" }] : []),
      ...(isSecretLabel ? [{ argument: "description", keyEnd: "description" }] : []),
    ],
  };
}

/** The budget as a person writes it. */
class Micros extends Call {
  constructor(readonly micros: number) {
    const units = (micros / 1_000_000).toFixed(6).replace(/\.?0+$/, "");
    super("apps.micros", units.includes(".") ? units : Number(units));
  }
}

/** From here on, a millionth of it is not exact to six decimals. */
const maxExactMicros = 1e15;

function campaignItem(appId: string, row: RowOf<"AdCampaign">): Item {
  const values = declarableValues(row);
  const { dailyBudgetMicros } = values;
  const isExact = Number.isSafeInteger(dailyBudgetMicros) && (dailyBudgetMicros ?? 0) < maxExactMicros;
  return {
    kind: "AdCampaign",
    id: row.id,
    parents: { appId },
    title: baseName(row.campaign_name),
    createdDate: row.created_date ?? undefined,
    args: {
      campaignId: row.id,
      appId,
      ...(values as Record<string, Value>),
      ...(dailyBudgetMicros !== undefined && isExact ? { dailyBudgetMicros: new Micros(dailyBudgetMicros) } : {}),
    },
    comments: isPaused(row)
      ? ["It is paused. Nobody knows whose pause it is: the service enables a campaign that it holds by itself."]
      : [],
  };
}

function recordItem({ appId, entityName }: Entity, row: RowOf<"EntityRecord">): Item {
  const { fields, unmanaged } = declarableFields(row);
  return {
    kind: "EntityRecord",
    id: row.id,
    parents: { appId, entityName },
    title: titleIn(row, `${entityName} `),
    createdDate: dateIn(row),
    args: { recordId: row.id, appId, entityName, fields: fields as Value },
    comments: [],
    ...(unmanaged.length === 0 ? {} : { unmanaged: leftOut(unmanaged) }),
  };
}

/** Fields that usually hold a title. It may be the name of a person, which the docs say. */
const titleFields = ["name", "title", "label", "slug", "country"];

function titleIn(row: Readonly<Record<string, unknown>>, prefix = ""): string | undefined {
  const titles = titleFields.map((name) => (Object.hasOwn(row, name) ? row[name] : undefined));
  const title = titles.find((title): title is string => typeof title === "string" && title.trim() !== "");
  return title === undefined ? undefined : prefix + title;
}

function dateIn(row: Readonly<Record<string, unknown>>): string | undefined {
  const { created_date: date } = row;
  return typeof date === "string" ? date : undefined;
}
