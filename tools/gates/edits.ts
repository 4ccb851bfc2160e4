import type { Chance } from "../simulate/chance";
import type { Declared, Kind, Options, Value } from "./program";

/* Random edits of a group: resources of one app and one agent, which no other group refers to. */

export interface Group {
  readonly name: string;
  readonly declared: readonly Declared[];
  /** For new names. */
  readonly made: number;
  /**
   * A second provider that resources may have. All groups share it, because each is a process that takes seconds to
   * start.
   */
  readonly provider: string | undefined;
}

export function newGroup(name: string, provider: string | undefined, chance: Chance): Group {
  let group: Group = { name, declared: [], made: 0, provider };
  for (let count = chance.between(2, 3); count > 0; count--) group = add(group, chance);
  return group;
}

/** `idOf`: the service's id of the object of a resource in state. */
export type IdOf = (name: string) => string | undefined;

type Edit = (group: Group, chance: Chance, idOf: IdOf) => Group;

/** One to three edits. */
export function edited(group: Group, chance: Chance, idOf: IdOf): Group {
  let next = group;
  for (let count = chance.between(1, 3); count > 0; count--)
    next = chance.pick(next.declared.length === 0 ? [add] : edits)(next, chance, idOf);
  return next;
}

const edits: readonly Edit[] = [add, remove, remove, rename, swap, reorder, ...many(6, change), ...many(3, option)];

function many<T>(count: number, one: T): T[] {
  return Array.from({ length: count }, () => one);
}

function add(group: Group, chance: Chance): Group {
  const kind = chance.pick<Kind>(["AdCampaign", "AdCampaign", "AdCampaign", ...kinds]);
  const name = `${group.name}-${String(group.made)}`;
  const others = group.declared.map((one) => one.name);
  const options: Options = others.length > 0 && chance.next() < 0.3 ? { dependsOn: chance.pick(others) } : {};
  const args = newArgs(kind, group.name, name, chance);
  // An id that is left out in the end, so that the campaign is launched.
  const leftOut: Record<string, Value> =
    kind === "AdCampaign" && others.length > 0 && chance.next() < 0.1
      ? { campaignId: { is: "later", value: undefined, of: chance.pick(others) } }
      : {};
  const one = { kind, name, args: { ...args, ...leftOut }, options };
  return { ...group, declared: [...group.declared, one], made: group.made + 1 };
}

function newArgs(kind: Kind, group: string, name: string, chance: Chance): Record<string, Value> {
  const appId = plain(`app-${group}`);
  switch (kind) {
    case "AdCampaign":
      return {
        appId,
        campaignName: plain(name),
        campaignType: plain("SMART"),
        dailyBudgetMicros: plain(chance.between(1, 9) * 1_000_000),
        landingPage: plain("https://shop.example.com/"),
        ...(chance.next() < 0.3 ? { paused: plain(chance.next() < 0.5) } : {}),
      };
    case "Webhook":
      return {
        agentId: plain(`agent-${group}`),
        targetUrl: plain(`https://hooks.example.com/${name}`),
        events: plain(["message.created"]),
        enabled: plain(chance.next() < 0.5),
      };
    case "TestFlow":
      return { appId, definition: plain({ title: name }) };
    case "EntityRecord":
      return { appId, entityName: plain("Task"), fields: plain({ title: name }) };
    case "CodingSession":
      return { appId, prompt: plain("Fix it."), title: plain(name) };
    case "ConversionTracking":
      return { appId };
    case "FolderMembership":
      return { appId, folderId: plain(name) };
    case "IgnoredFinding":
      return { appId, fingerprint: plain(name) };
    case "Foreign":
      return { value: plain(name) };
  }
}

/** The arguments of each kind that may change, and their possible values. */
const variants: Record<Kind, Record<string, (group: string, chance: Chance) => unknown>> = {
  AdCampaign: {
    appId: (group, chance) => chance.pick([`app-${group}`, `app-${group}-b`]),
    dailyBudgetMicros: (_, chance) => chance.between(1, 9) * 1_000_000,
    businessName: (_, chance) => chance.pick(["Shop", "Store"]),
    paused: (_, chance) => chance.pick([true, false, undefined]),
    deletionPolicy: (_, chance) => chance.pick(["delete", "pause", "retain", undefined]),
  },
  Webhook: {
    agentId: (group, chance) => chance.pick([`agent-${group}`, `agent-${group}-b`]),
    events: (_, chance) => chance.pick([["message.created"], ["message.created", "message.completed"]]),
    enabled: (_, chance) => chance.pick([true, false]),
    deletionPolicy: (_, chance) => chance.pick(["delete", "disable", "retain", undefined]),
  },
  TestFlow: {
    appId: (group, chance) => chance.pick([`app-${group}`, `app-${group}-b`]),
    definition: (_, chance) => ({ title: "t", value: chance.between(1, 9) }),
    deletionPolicy: (_, chance) => chance.pick(["delete", "retain", undefined]),
  },
  EntityRecord: {
    appId: (group, chance) => chance.pick([`app-${group}`, `app-${group}-b`]),
    fields: (_, chance) => ({ title: "t", value: chance.between(1, 9) }),
    deletionPolicy: (_, chance) => chance.pick(["delete", "retain", undefined]),
  },
  CodingSession: { prompt: (_, chance) => `Fix ${String(chance.between(1, 9))}.` },
  ConversionTracking: {
    rerun: (_, chance) => String(chance.between(1, 9)),
    wireEvents: (_, chance) => chance.pick([true, false]),
  },
  FolderMembership: { folderId: (group, chance) => `${group}-folder-${String(chance.between(1, 9))}` },
  IgnoredFinding: {
    appId: (group, chance) => chance.pick([`app-${group}`, `app-${group}-b`]),
    deletionPolicy: (_, chance) => chance.pick(["delete", "retain", undefined]),
  },
  Foreign: { value: (_, chance) => String(chance.between(1, 9)) },
};

const kinds = Object.keys(variants) as Kind[];

function change(group: Group, chance: Chance): Group {
  return withOne(group, chance, (one) => {
    const [key, draw] = chance.pick(Object.entries(variants[one.kind]));
    const value = draw(group.name, chance);
    const earlier = group.declared.slice(0, group.declared.indexOf(one));
    const { [key]: _, ...rest } = one.args;
    if (value === undefined) return { ...one, args: rest };
    return { ...one, args: { ...rest, [key]: hiddenOrPlain(value, earlier, chance) } };
  });
}

/** `earlier`: the resources that the value may depend on. */
function hiddenOrPlain(value: unknown, earlier: readonly Declared[], chance: Chance): Value {
  const how = chance.next();
  if (how < 0.2) return { is: "secret", value };
  if (how < 0.4 && earlier.length > 0) return { is: "later", value, of: chance.pick(earlier).name };
  return plain(value);
}

function remove(group: Group, chance: Chance): Group {
  const leaving = chance.pick(group.declared);
  return { ...group, declared: group.declared.filter((one) => one !== leaving) };
}

const idArguments: Partial<Record<Kind, string>> = {
  AdCampaign: "campaignId",
  Webhook: "webhookId",
  TestFlow: "flowId",
  EntityRecord: "recordId",
};

/** With `aliases`, passing the object on by its id, or neither. */
function rename(group: Group, chance: Chance, idOf: IdOf): Group {
  const name = `${group.name}-${String(group.made)}`;
  const next = withOne(group, chance, (one) => {
    const id = idOf(one.name);
    const argument = idArguments[one.kind];
    const { aliases: _, ...options } = one.options;
    const how = chance.next();
    if (how < 0.4) return { ...one, name, options: { ...options, aliases: [one.name] } };
    if (how < 0.8 && id !== undefined && argument !== undefined) {
      const given = hiddenOrPlain(id, group.declared.slice(0, group.declared.indexOf(one)), chance);
      return { ...one, name, args: { ...one.args, [argument]: given }, options };
    }
    return { ...one, name, options };
  });
  return { ...next, made: group.made + 1 };
}

/** Swaps the names of two campaigns. */
function swap(group: Group, chance: Chance): Group {
  const campaigns = group.declared.filter(({ kind }) => kind === "AdCampaign");
  if (campaigns.length < 2) return group;
  const one = chance.pick(campaigns);
  const other = chance.pick(campaigns.filter((candidate) => candidate !== one));
  const named = (declared: Declared, from: Declared): Declared => {
    const campaignName = from.args["campaignName"] ?? plain(from.name);
    return { ...declared, args: { ...declared.args, campaignName } };
  };
  return {
    ...group,
    declared: group.declared.map((each) =>
      each === one ? named(one, other) : each === other ? named(other, one) : each,
    ),
  };
}

function reorder(group: Group, chance: Chance): Group {
  const moved = chance.pick(group.declared);
  return { ...group, declared: [moved, ...group.declared.filter((one) => one !== moved)] };
}

function option(group: Group, chance: Chance): Group {
  return withOne(group, chance, (one) => {
    const earlier = group.declared.slice(0, group.declared.indexOf(one)).map(({ name }) => name);
    const other = earlier.length === 0 ? undefined : chance.pick(earlier);
    const drawn: Options = chance.pick<Options>([
      other === undefined ? {} : { dependsOn: other },
      other === undefined ? {} : { deletedWith: other },
      other === undefined ? {} : { deletedWith: other, dependsOn: other },
      { retainOnDelete: true },
      { protect: true },
      group.provider === undefined ? {} : { provider: group.provider },
      { deleteBeforeReplace: true },
      { deleteBeforeReplace: false },
      { ignoreChanges: [chance.pick(Object.keys(variants[one.kind]))] },
      one.kind === "AdCampaign" ? { additionalSecretOutputs: ["launchState"] } : {},
      { parent: `${group.name}-parent` },
      {},
    ]);
    // A resource under another parent has another URN, and under another provider another process.
    const { parent, provider } = one.options;
    const keptParent = parent === undefined || chance.next() < 0.2 ? {} : { parent };
    const keptProvider = provider === undefined || chance.next() < 0.2 ? {} : { provider };
    return { ...one, options: { ...keptParent, ...keptProvider, ...drawn } };
  });
}

function withOne(group: Group, chance: Chance, change: (one: Declared) => Declared): Group {
  const chosen = chance.pick(group.declared);
  return { ...group, declared: group.declared.map((one) => (one === chosen ? change(one) : one)) };
}

function plain(value: unknown): Value {
  return { is: "plain", value };
}
