import { placeKey } from "../../provider/pulumi/hidden-inputs";
import { deletionPolicyOf } from "../../provider/resources/shared/ownership";
import type { Properties } from "../../provider/pulumi/steps";
import { type Declaration, type Edit, hasDuplicates } from "./schedule";

export type Type = "campaign" | "intent";

/** A resource as the state keeps it. */
export interface Resource {
  type: Type;
  /** Its name in the program. An intent has that of its campaign. */
  name: string;
  id: string;
  inputs: Properties;
  outputs: Properties;
  /** Its last step ended in an initialization failure. */
  isUnfinished: boolean;
  /** Deleted by a replacement that has not created the new one yet. */
  isPendingReplacement: boolean;
  /** Replaced, and not deleted yet. */
  isPendingDeletion: boolean;
}

/** A stack: its program and its state. */
export class Stack {
  state: Resource[] = [];
  program: Declaration[];
  /** What the program was before each of its changes. */
  private readonly history: Declaration[][] = [];
  isLocked = false;
  /** The state may be wrong in a way that only a refresh can find. */
  hasDrifted = false;
  /** Which token a person gives, after an error that asks for the other one. */
  usesSecondToken = false;

  constructor(
    readonly number: number,
    program: readonly Declaration[],
  ) {
    this.program = structuredClone([...program]);
  }

  find(type: Type, name: string): Resource | undefined {
    return this.state.find((one) => one.type === type && one.name === name && !one.isPendingDeletion);
  }

  /** The campaigns that resources manage, by the service's id. */
  managed(): Map<string, Resource> {
    return new Map(this.state.flatMap((one) => campaignIdOf(one)?.map((id) => [id, one] as const) ?? []));
  }

  /** What remembers the campaigns of a key. */
  ofKey(key: string): Resource | undefined {
    return this.state.find(({ id, outputs, isPendingReplacement }) =>
      [id, ...(isPendingReplacement ? [] : [outputs["launchIntent"]])].includes(key),
    );
  }

  isRetained(key: string): boolean {
    const resource = this.ofKey(key);
    return resource !== undefined && policyOf(resource) === "retain";
  }

  /** The name under which a campaign of the program is launched. */
  campaignNameOf({ resource, campaignName }: Declaration): string {
    const kept = this.find("campaign", resource)?.outputs["campaignName"];
    return campaignName ?? (typeof kept === "string" ? kept : resource);
  }

  /** Gives the resources of a renamed campaign their new name, as the option `aliases` does. */
  rename({ alias, resource }: Declaration): void {
    const isTaken = (name: string | undefined): boolean => this.state.some((one) => one.name === name);
    if (alias === undefined || isTaken(resource) || this.program.some((other) => other.resource === alias)) return;
    this.state = this.state.map((one) => (one.name === alias ? { ...one, name: resource } : one));
  }

  /** Changes the program as a person would. A change that would declare a name twice is not made. */
  edit({ which, change }: Edit, idToAdopt: (declared: Declaration) => string | undefined): void {
    const changed = change === "revert" ? this.history.pop() : this.changed(which, change, idToAdopt);
    if (changed === undefined || hasDuplicates(changed)) return;
    if (change !== "revert") this.history.push(structuredClone(this.program));
    this.program = changed;
  }

  private changed(
    which: number,
    change: Exclude<Edit["change"], "revert">,
    idToAdopt: (declared: Declaration) => string | undefined,
  ): Declaration[] | undefined {
    const index = which % Math.max(1, this.program.length);
    const one = this.program[index];
    if (change === "add") {
      const resource = this.newName();
      return [
        ...this.program,
        { appId: "app-1", dailyBudgetMicros: 1_000_000, ...one, resource, alias: undefined, campaignId: undefined },
      ];
    }
    if (one === undefined) return undefined;
    const by = (fields: Partial<Declaration>): Declaration[] => this.program.with(index, { ...one, ...fields });
    switch (change) {
      case "remove":
        return this.program.toSpliced(index, 1);
      case "rename":
        return by({ resource: this.newName(), alias: undefined });
      case "rename with an alias":
        return by({ resource: this.newName(), alias: one.resource });
      case "declare its own campaignId":
        return by({ campaignId: idToAdopt(one) });
      case "leave campaignId out":
        return by({ campaignId: undefined });
      default:
        return by(change);
    }
  }

  private newName(): string {
    const numbers = [...this.program.map(({ resource }) => resource), ...this.state.map(({ name }) => name)];
    return `campaign-${String(Math.max(0, ...numbers.map((name) => Number(name.replace("campaign-", "")))) + 1)}`;
  }
}

/** The campaign that a resource manages, as a list of one. */
export function campaignIdOf({ type, outputs, isPendingReplacement }: Resource): [string] | undefined {
  const id = outputs["campaignId"];
  return type === "campaign" && !isPendingReplacement && typeof id === "string" ? [id] : undefined;
}

/** What destroy does with it. */
export function policyOf({ outputs }: Resource): "delete" | "pause" | "retain" {
  return deletionPolicyOf(outputs);
}

/** What the program gives the engine for a launch intent. */
export function intentInputsOf({ appId, deletionPolicy }: Declaration): Properties {
  return given({ appId, deletionPolicy });
}

/** What the program gives the engine for a campaign. */
export function campaignInputsOf({ resource, alias: _, ...declared }: Declaration): Properties {
  return given({
    ...declared,
    campaignType: "SMART",
    landingPage: "https://shop.example.com/",
    [placeKey]: resource,
    __resourceName: resource,
  });
}

function given(values: Properties): Properties {
  const known = Object.entries(values).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(known), __provider: "exports.handler=…" };
}
