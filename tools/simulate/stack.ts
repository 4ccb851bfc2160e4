import { placeKey } from "../../provider/pulumi/hidden-inputs";
import { deletionPolicyOf } from "../../provider/resources/shared/ownership";
import type { Properties } from "../../provider/pulumi/saved";
import { type Declaration, type Edit, hasDuplicates, type StackNumber } from "./schedule";

export type Type = "campaign" | "intent";

/** A resource as the state keeps it. */
export interface Resource {
  type: Type;
  /** Its name in the program. An intent has its campaign's name. */
  name: string;
  id: string;
  inputs: Properties;
  outputs: Properties;
  /** Its last step ended in an initialization failure. */
  isUnfinished?: boolean;
  /** Deleted by a replacement that has not created the new one yet. */
  isPendingReplacement?: boolean;
  /** Replaced, and not deleted yet. */
  isPendingDeletion?: boolean;
}

/** A stack: its program and its state. */
export class Stack {
  state: readonly Resource[] = [];
  program: readonly Declaration[];
  isLocked = false;
  /** The state may be wrong in a way that only a refresh can find. */
  hasDrifted = false;
  /** The program before each of its changes. */
  private readonly history: (readonly Declaration[])[] = [];

  constructor(
    readonly number: StackNumber,
    program: readonly Declaration[],
  ) {
    this.program = program;
  }

  find(type: Type, name: string): Resource | undefined {
    return this.state.find((one) => one.type === type && one.name === name && one.isPendingDeletion !== true);
  }

  /** Puts a resource into the state, in the place of an old one. Without a resource, removes the old one. */
  put(old: Resource | undefined, resource: Resource | undefined): void {
    const index = old === undefined ? this.state.length : this.state.indexOf(old);
    this.state = this.state.toSpliced(index, 1, ...(resource === undefined ? [] : [resource]));
  }

  /** The resource that manages a campaign of the service. */
  managerOf(id: string): Resource | undefined {
    return this.state.find((one) => campaignIdOf(one) === id);
  }

  /** A resource that remembers the campaigns of a key. */
  ofKey(key: string): Resource | undefined {
    return this.state.find(
      ({ id, outputs, isPendingReplacement }) =>
        id === key || (isPendingReplacement !== true && outputs["launchIntent"] === key),
    );
  }

  /** The name under which a campaign of the program is launched. One that is left out keeps the name of the state. */
  campaignNameOf({ resource, alias = "", campaignName }: Declaration): string {
    const old = this.find("campaign", resource) ?? this.find("campaign", alias);
    return campaignName ?? (old?.outputs["campaignName"] as string | undefined) ?? resource;
  }

  /** Gives the resources of a renamed campaign their new name, as the option `aliases` does. */
  rename({ alias, resource }: Declaration): void {
    const isTaken = this.state.some(({ name }) => name === resource);
    if (alias === undefined || isTaken || this.program.some((other) => other.resource === alias)) return;
    this.state = this.state.map((one) => (one.name === alias ? { ...one, name: resource } : one));
  }

  /** Changes the program as a person would. A change that would declare a name twice is not made. */
  edit({ which, change }: Edit, ownCampaign: (declared: Declaration) => string | undefined): void {
    const changed = change === "revert" ? this.history.pop() : this.changed(which, change, ownCampaign);
    if (changed === undefined || hasDuplicates(changed, (declared) => this.campaignNameOf(declared))) return;
    if (change !== "revert") this.history.push(this.program);
    this.program = changed;
  }

  private changed(
    which: number,
    change: Exclude<Edit["change"], "revert">,
    ownCampaign: (declared: Declaration) => string | undefined,
  ): Declaration[] | undefined {
    const index = which % Math.max(1, this.program.length);
    const one = this.program[index];
    const numbers = [...this.program.map(({ resource }) => resource), ...this.state.map(({ name }) => name)];
    const max = Math.max(0, ...numbers.map((name) => Number.parseInt(name.replace("campaign-", ""))));
    const another = { resource: `campaign-${String(max + 1)}`, alias: undefined };
    if (change === "add")
      return [
        ...this.program,
        { appId: "app-1", dailyBudgetMicros: 1_000_000, ...one, ...another, campaignId: undefined },
      ];
    if (one === undefined) return undefined;
    if (change === "remove") return this.program.toSpliced(index, 1);
    const changes: Record<Extract<typeof change, string>, () => Partial<Declaration>> = {
      rename: () => another,
      "rename with an alias": () => ({ ...another, alias: one.resource }),
      "declare its own campaignId": () => ({ campaignId: ownCampaign(one) }),
      "leave campaignId out": () => ({ campaignId: undefined }),
    };
    return this.program.with(index, { ...one, ...(typeof change === "string" ? changes[change]() : change) });
  }
}

/** The campaign that a resource manages, by the service's id. */
export function campaignIdOf({ type, outputs, isPendingReplacement }: Resource): string | undefined {
  return type === "campaign" && isPendingReplacement !== true ? (outputs["campaignId"] as string) : undefined;
}

/** The effect of destroy on it. */
export function policyOf({ outputs }: Resource): "delete" | "pause" | "retain" {
  return deletionPolicyOf(outputs);
}

/** The declaration of a resource that the program gives the engine. */
export function inputsOf(type: Type, { resource, alias: _, ...declared }: Declaration): Properties {
  const { appId, deletionPolicy } = declared;
  const campaign = { campaignType: "SMART", landingPage: "https://shop.example.com/", [placeKey]: resource };
  const values = type === "intent" ? { appId, deletionPolicy } : { ...declared, ...campaign, __resourceName: resource };
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(given), __provider: "exports.handler=…" };
}
