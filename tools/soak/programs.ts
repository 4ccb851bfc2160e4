import type { Chance } from "../simulate/chance";

/** One resource of a program. Its name is also what the service knows it by. */
export interface Declared {
  kind: "Webhook" | "EntityRecord" | "TestFlow" | "FolderMembership" | "IgnoredFinding" | "AdCampaign";
  name: string;
  args: Record<string, unknown>;
}

export const [agentId, appId, entityName] = ["agent", "app", "Task"];

/** The program never changes. It declares what a JSON file next to it lists. */
export const program = `
  const apps = require("pulumi-workspace-apps");
  for (const { kind, name, args } of require("./declared.json")) new apps[kind](name, args);
`;

const kinds: readonly Declared["kind"][] = [
  "Webhook",
  "Webhook",
  "EntityRecord",
  "EntityRecord",
  "TestFlow",
  "FolderMembership",
  "IgnoredFinding",
  "AdCampaign",
];

export function drawProgram(chance: Chance): Declared[] {
  return kinds
    .filter(() => chance.next() < 0.8)
    .map((kind, index) => ({
      kind,
      name: `${kind}-${String(index)}`,
      args: argsOf(kind, `${kind}-${String(index)}`, chance),
    }));
}

/** The same program with some resources changed, some removed and one added. */
export function drawChange(before: readonly Declared[], chance: Chance): Declared[] {
  const kept = before.filter(() => chance.next() < 0.85);
  const changed = kept.map((one) => (chance.next() < 0.7 ? { ...one, args: argsOf(one.kind, one.name, chance) } : one));
  const kind = kinds[chance.between(0, kinds.length - 1)] ?? "Webhook";
  return [...changed, { kind, name: `added-${kind}`, args: argsOf(kind, `added-${kind}`, chance) }];
}

function argsOf(kind: Declared["kind"], name: string, chance: Chance): Declared["args"] {
  const value = chance.between(1, 9);
  switch (kind) {
    case "Webhook": {
      const targetUrl = `https://hooks.example.com/${String(value)}`;
      return { agentId, targetUrl, events: ["message.created"], description: name, signed: value % 2 === 0 };
    }
    case "EntityRecord":
      return { appId, entityName, fields: { title: name, value } };
    case "TestFlow":
      return { appId, definition: { title: name, value } };
    case "FolderMembership":
      return { folderId: name, appId };
    case "IgnoredFinding":
      return { appId, fingerprint: name };
    case "AdCampaign":
      return {
        appId,
        campaignName: name,
        campaignType: "SMART",
        dailyBudgetMicros: value * 1_000_000,
        landingPage: "https://shop.example.com/",
        paused: value % 3 === 0,
      };
  }
}
